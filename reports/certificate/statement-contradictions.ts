/** Finds contradictions of a statement with itself, the catalogue or the profile. They need no evidence. Pure. */
import { UNCOMPUTED } from '../../fixtures/evidence/demand.ts';
import { CODE, WRONG_TOKEN } from '../../fixtures/evidence/recompute.ts';
import type { RunDescription } from '../../fixtures/evidence/log.ts';
import { REMOVAL } from '../../fixtures/interface/removal.ts';
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { isSubject, deriveSeeds, type Challenge } from '../../fixtures/settings/challenge.ts';
import { isOtherSubject } from '../../fixtures/settings/subject.ts';
import { deriveMark } from '../../fixtures/store/run-mark.ts';
import { SPECIFICATION_VERSION } from '../document/assemble.ts';
import { CERTIFICATION, isAddress, isRequirement, findSettingsLacking } from './shortcomings.ts';
import { LONGEST_VALIDITY, OLDEST_RUN } from './issue.ts';
import { writeCanonicalJson, hashBytes } from './signed/canonical.ts';
import { EXTENSION, type Certificate, type Statement } from './statement.ts';
import { EXCLUDED } from './suite-digests.ts';
import { listClaims } from './whose-word.ts';

/** Every statement names these files first. */
const FILES = ['report.json', 'evidence.jsonl'] as const;
/** The parts of the configuration, in order. Statements of earlier versions lack the packages. */
const CONFIGURATION = ['suite', 'catalogue', 'schemas', 'excluded', 'packages', 'settings'] as const;
const REASONS: readonly string[] = [...Object.values(UNCOMPUTED), CODE, WRONG_TOKEN];
const [DAY, DRIFT] = [86_400_000, 60_000];

type Part = (statement: Statement, certificate: Certificate) => (string | false)[];

/** Returns one line for each contradiction. */
export function findContradictions(statement: Statement): string[] {
  const certificate = statement.predicate[EXTENSION];
  return PARTS.flatMap((part) => part(statement, certificate)).filter((each) => each !== false);
}

const ofResult: Part = ({ predicate }, { specification, profile }) => [
  predicate.result !== (predicate.warnedTests.length > 0 ? 'WARNED' : 'PASSED') &&
    `the result ${predicate.result} does not follow from its lists`,
  predicate.failedTests.length > 0 && 'a promise fails',
  specification !== SPECIFICATION_VERSION && 'no such version of the interface is known',
  (profile.name !== CERTIFICATION.name || profile.version !== CERTIFICATION.version) &&
    'no such profile is known',
];

const ofSubjects: Part = ({ subject }, certificate) => {
  const [, , build] = subject;
  const { claims } = certificate;
  const digests = subject.map(({ digest }) => digest.sha256);
  return [
    FILES.some((name, index) => subject[index]?.name !== name) &&
      'it does not name report.json and evidence.jsonl first, once each',
    !isSubject(certificate.subject) && 'its subject is not a name',
    claims.subject !== undefined &&
      isOtherSubject(certificate.subject, claims.subject) &&
      'the run named another subject',
    build !== undefined && build.name !== certificate.subject && 'the build bears another name',
    new Set(digests).size !== digests.length && 'two things have one digest',
    subject.some((each) => Object.keys(each).length !== 2) && 'a subject has more than its name and digest',
  ];
};

const ofConfiguration: Part = ({ predicate: { configuration } }, { suite }) => {
  const names = configuration.map(({ name }) => name);
  const others = configuration.slice(1, -1);
  const settings = configuration.at(-1);
  const known = CONFIGURATION.filter((name) => name !== 'packages' || names.includes(name));
  return [
    names.join() !== known.join() && 'it does not name what judged, each once and in order',
    configuration[0]?.uri !== `pkg:npm/${suite.name}@${suite.version}` &&
      'the address of the suite is another',
    (Object.keys(configuration[0] ?? {}).length !== 3 ||
      others.some((each) => Object.keys(each).length !== 2)) &&
      'what judged has more members than it should',
    settings?.uri !== undefined && 'the settings have an address',
    settings?.mediaType !== 'application/json' && 'the settings are of no known type',
  ];
};

const ofSettings: Part = ({ predicate }, { challenge }) => {
  const { digest, content = '' } = predicate.configuration.find(({ name }) => name === 'settings') ?? {};
  const bytes = Buffer.from(content, 'base64');
  if (bytes.toString('base64') !== content || hashBytes(bytes) !== digest?.sha256)
    return ['the settings do not match their digest'];
  const read = readSettingsIn(bytes);
  if (read === null) return ['the settings are none'];
  const { window, embedded, ...settings } = read;
  const target = { baseUrl: 'http://localhost', embedded, environment: null };
  return [
    ...findSettingsLacking({ target, window, settings }).map(({ what }) => what),
    String(settings.seeds) !== String(deriveSeeds(challenge as Challenge)) &&
      'its seeds do not follow from the challenge',
  ];
};

const ofLists: Part = ({ predicate }, { notApplicable, excused, excluded, attested }) => {
  const lists = [
    predicate.passedTests,
    predicate.warnedTests,
    notApplicable.map(({ id }) => id),
    excused,
    excluded,
    ...Object.values(attested),
  ];
  const entries = Object.entries(attested);
  return [
    lists.some((list) => list.join() !== [...new Set(list)].sort().join()) && 'a list is not in its order',
    predicate.warnedTests.some((id) => REQUIREMENTS[id]?.level !== 'should') &&
      'a broken must is listed as a warning',
    notApplicable.some(({ reason }) => reason === '') && 'something does not apply for no reason',
    excluded.join() !== Object.keys(EXCLUDED).sort().join() &&
      'it excludes requirements other than this release does',
    entries.some(([id]) => !isRequirement(id)) && 'it attests something that is not a requirement',
    entries.some(([, why]) => why.some((each) => !REASONS.includes(each))) &&
      'something is attested otherwise',
  ];
};

const ofRun: Part = (_, { challenge, claims, runBy, words, unannounced }) => [
  !isAddress(claims.address) && 'its address is not an address',
  claims.environment !== null && !/^[\w-]{1,64}$/.test(claims.environment) && 'its environment is not a name',
  claims.run !== deriveMark(challenge.nonce) && 'its run does not follow from the challenge',
  writeCanonicalJson(words) !== writeCanonicalJson(listClaims(runBy, claims)) &&
    'it does not list what is only claimed, and by whom',
  unannounced.refused > unannounced.asked && 'more was refused than asked',
  unannounced.asked === 0 && 'nothing was asked as an ordinary client asks',
];

const ofTimes: Part = (_, { challenge, claims, validity }) => {
  const [from, to] = [Date.parse(challenge.issuedAt), Date.parse(challenge.notAfter)];
  const begun = Date.parse(claims.startedAt);
  const ended = begun + claims.durationMs;
  const [signed, last] = [Date.parse(validity.notBefore), Date.parse(validity.notAfter)];
  return [
    !(from - DRIFT <= begun && ended <= to + DRIFT) && 'its run was not made in the time of the challenge',
    !(ended <= signed + DRIFT) && 'it was signed before its run came to its end',
    signed - begun > OLDEST_RUN * DAY && `its run was more than ${OLDEST_RUN} days old`,
    !(last > signed) && 'it never holds',
    last - signed > LONGEST_VALIDITY * DAY && `it claims to hold longer than ${LONGEST_VALIDITY} days`,
    signed < REMOVAL.begins &&
      last > REMOVAL.begins &&
      'it was judged with getPet and claims to hold beyond its removal',
  ];
};

const PARTS: readonly Part[] = [ofResult, ofSubjects, ofConfiguration, ofSettings, ofLists, ofRun, ofTimes];

/** Returns the settings in the bytes. Null if the bytes are not a JSON object in canonical form. */
function readSettingsIn(
  bytes: Buffer,
): (RunDescription['settings'] & { window: number; embedded: boolean }) | null {
  try {
    const value = JSON.parse(bytes.toString('utf8')) as RunDescription['settings'] & {
      window: number;
      embedded: boolean;
    };
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && writeCanonicalJson(value) === bytes.toString('utf8') ? value : null;
  } catch {
    return null;
  }
}
