/**
 * A process in a simulated world. It judges services under the certification profile, and prints the evidence, or what fails
 * in requests that do not announce the suite. `world.ts` is imported first: it replaces time and network for all later imports.
 */
import { runInWorld } from '../../../bin/prove/world/world.ts';
import { parse } from 'node:path';
import { NO_OPTIONS } from '../../../bin/command-line/options.ts';
import { judgeTarget } from '../../../bin/run/judge-target.ts';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { serveVariant, type Variant } from '../../../fixtures/implementations/judge-variant.ts';
import { replaceStep } from '../../../fixtures/implementations/operators.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import { readPosedChallenge } from '../../../fixtures/settings/challenge.ts';
import { readSettings } from '../../../fixtures/settings/read-settings.ts';

interface WorldTask {
  /** The services to judge, by name, e.g. `reference` or `fault:errors.allow-missing`. */
  variants: string[];
  /** The time at which the simulated clock begins, in milliseconds since the epoch. */
  begin: number;
  maxAnimals: number | null;
  /** The text of the file of a challenge. Null: only `unannounced` tests run, and the failures that say "not announced" are printed. */
  challenge: string | null;
}

const { variants, begin, maxAnimals, challenge } = JSON.parse(process.argv[2] ?? '') as WorldTask;

/** Varies the reference: getPet is removed, and answers 410. */
const removed = replaceStep('getPet', (_, service) => async (call) => {
  return service.error(410, 'removed', 'list animals instead', call);
});
/** The services that are neither a fault nor a freedom. */
const OTHERS: Readonly<Record<string, Vary | undefined>> = { reference: (Base) => Base, removed };

function findVariant(name: string): Variant {
  const [kind = '', id] = name.split(':');
  const vary = OTHERS[kind];
  if (vary !== undefined) return { vary };
  const found = (kind === 'fault' ? FAULTS : FREEDOMS).find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

const suite = await collectSuite();
const isUnannounced = challenge === null;
const tests = suite.filter(({ place }) => !isUnannounced || place.file.includes('unannounced'));

/** Judges a service. Returns its evidence, or one line for each failure. */
async function judgeService(name: string): Promise<string> {
  const { key = drawKey(), ...variant } = findVariant(name);
  const served = await serveVariant({ ...variant, key });
  const read = readSettings({
    env: {
      BASE_URL: served.baseUrl,
      API_KEY: key,
      PROFILE: 'certification',
      SUBJECT: 'rex-pets@2.3.1',
      SUBJECT_COMMIT: '8c1f3ab',
      SUBJECT_URL: 'https://git.example.com/rex-pets/releases/2.3.1',
    },
    cwd: parse(process.cwd()).root,
    options: NO_OPTIONS,
  });
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'));
  const posed = challenge === null ? null : readPosedChallenge(challenge, begin);
  if (posed !== null && 'problem' in posed) throw new Error(posed.problem);
  let evidence = '';
  const settings = { ...read.settings, maxAnimals, challenge: posed };
  const { engine } = await judgeTarget(settings, tests, { evidence: (text) => (evidence += text) });
  await served.close();
  if (!isUnannounced) return evidence;
  const failed = engine.found.findings.filter(
    ({ verdict, flaw }) => verdict === 'fail' && flaw?.received.includes('not announced') === true,
  );
  return failed.map(({ requirement, flaw }) => `${name}: ${requirement}: ${flaw?.received}\n`).join('');
}

let printed = '';
for (const name of variants)
  printed += await runInWorld({ seed: 1, roundTrip: 5, impairments: {} }, () => judgeService(name), begin);
process.stdout.write(printed);
