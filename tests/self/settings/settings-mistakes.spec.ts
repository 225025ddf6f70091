/** Wrong variables and files are refused in words: a row for each, and whatever they hold, no secret is shown. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import fc from 'fast-check';
import { VARIABLES } from '../../../fixtures/settings/variables.ts';
import { poseChallenge } from '../../../reports/certificate/signed/signed-challenge.ts';
import { selfSigned } from '../samples/self-signed.ts';
import { TARGET, testInFolder } from './settings-folder.ts';

const { BASE_URL, API_KEY } = TARGET;
const ownPair = selfSigned();
const otherPair = selfSigned();

/** Files in the working directory. All secrets in them are `k3y...`, `s3cr3t` or `open ...`. */
const FILES: Record<string, string> = {
  'short.key': 'k3y\n',
  'unset.key': 'undefined\n',
  'quoted.key': '"k3y-0123456789"\n',
  'line.key': 'API_KEY=k3y-0123456789\n',
  'blank.key': 'k3y k3y k3y\n',
  'empty.key': ' \n',
  'text.pem': 'k3y-k3y',
  'own.pem': ownPair.certificate,
  'own-key.pem': ownPair.key,
  'other-key.pem': otherPair.key,
  'sealed-key.pem': ownPair.encryptedKey('open sesame'),
  'wrong.txt': 'open barley',
  'broken.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  'broken-key.pem': '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
  'text.json': 'Host: s3cr3t',
  'list.json': '["s3cr3t"]',
  'number.json': '{"X-Gate":7}',
  'lines.json': '{"X-Gate":"s3cr3t\\r\\nX: y"}',
  'auth.json': '{"AUTHORIZATION":"s3cr3t"}',
  'blank.json': '{"X Gate":"s3cr3t"}',
  'nameless.json': '{"":"s3cr3t"}',
  'twice.json': '{"x-gate":"s3cr3t","X-Gate":"s3cr3t"}',
  'same.json': '{"a":"s3cr3t","a":"s3cr3t"}',
  'many.json': JSON.stringify(
    Object.fromEntries(Array.from({ length: 65 }, (_, each) => [`x-${each}`, 's3cr3t'])),
  ),
};

const WITHOUT_BASE_URL =
  'is set without BASE_URL: set BASE_URL too, in the environment, .env or .env.<TARGET_ENV>; ' +
  'without all of these the embedded reference is judged.';
const KEY_CHARACTERS =
  'must be visible ASCII characters without blanks or line breaks, and without the word Bearer.';
const NOT_SET =
  'reads like a value that is missing (a variable that was not set?): set it to the key of this environment.';
const QUOTED = 'holds a key that has quotation marks or API_KEY= around it: leave only the key in the file.';
const EMPTY =
  'is empty: set the address of the service, or remove the variable to judge the embedded reference.';
const NO_ADDRESS = 'is not a valid address: write it like https://staging.example.com/v1.';
const QUERY = 'must not have a query or a fragment: remove all from the ? or # on.';
const PROXY = 'must be an http or https address such as http://proxy.example.com:3128.';
const INT64 = 'must be whole numbers within int64 in plain digits, separated by commas, such as 1,2.';
const NO_CERTIFICATE = 'names a file that holds no valid certificate in PEM form.';
const NO_KEY = 'names a file that holds no valid private key in PEM form.';
const NO_VALUE =
  'names a file that gives x-gate a value that no header can have: write a text of visible ASCII characters, not empty, without line breaks.';
const NO_NAME = 'names a file that holds a name that no header can have.';
const HEADER_TWICE = 'names a file that names a header twice (letter case does not count): remove one.';
const absent = 'names a file that does not exist.';
const mustBeFrom = (least: number, most: number, what = 'whole number') =>
  `must be a ${what} from ${least} to ${most}, in plain digits.`;
const seconds = (least: number, most: number) => mustBeFrom(least, most, 'number of seconds');

/** Rows of a variable, one for each value, with the same mistake: `rows('WAIT', ['-1', '1m'], ...)`. */
const rows = (name: string, values: readonly string[], mistake: string) =>
  Object.fromEntries(values.map((value) => [`${name}=${value}`, mistake]));

/** Variables as `NAME=value; NAME=value`, and the message about the first of them, without its name. */
type Mistakes = Readonly<Record<string, string>>;
const ALONE: Mistakes = {
  [`BASE_URL=${BASE_URL}`]: 'is set without a key: set API_KEY or API_KEY_FILE too.',
  [`API_KEY=${API_KEY}`]: WITHOUT_BASE_URL,
  'API_KEY_FILE=short.key': WITHOUT_BASE_URL,
  'TARGET_ENV=staging': WITHOUT_BASE_URL,
  'CATEGORY_IDS=1': WITHOUT_BASE_URL,
  'SUBJECT=rex@1': WITHOUT_BASE_URL,
  'MODE=readonly': 'must be one of full, read-only.',
  'ALLOW_WRITES=yes': 'must be production.',
  'STRICT=yes': 'must be one of 1, 0, true, false.',
  'STRICT=': 'is empty: give it a value or remove it.',
  ...rows(
    'AS_OF',
    ['2030-02-30', '2030-2-3', '2030-12-05T00:00Z', 'today'],
    'must be a day of the calendar, written YYYY-MM-DD.',
  ),
  'SEED=1.5': mustBeFrom(-2147483648, 2147483647),
  'PROPERTY_RUNS=0': mustBeFrom(1, 100000),
  ...rows('REQUEST_TIMEOUT', ['0', '10s'], seconds(0.01, 600)),
  ...rows('RUN_TIMEOUT', ['1e3', '86400.5'], seconds(0.1, 86400)),
  ...rows('WAIT', ['-1', '1m'], seconds(0, 86400)),
  'CONSISTENCY_WINDOW=-1': seconds(0, 3600),
  'MAX_ANIMALS=-1': mustBeFrom(0, 1000000),
  'MAX_REQUESTS=0': mustBeFrom(1, 100000000),
  ...rows('MAX_IN_FLIGHT', ['0', '257'], mustBeFrom(1, 256)),
  'MAX_RPS=0': mustBeFrom(0.01, 100000, 'number of requests per second'),
  'MAX_WRONG_KEYS=many': mustBeFrom(0, 100000),
  'CA_FILE=absent.pem': absent,
  ...rows('CA_FILE', ['text.pem', 'broken.pem'], NO_CERTIFICATE),
  'CLIENT_CERT_FILE=own-key.pem; CLIENT_KEY_FILE=own-key.pem': NO_CERTIFICATE,
  'CLIENT_KEY_FILE=own.pem; CLIENT_CERT_FILE=own.pem': NO_KEY,
  'CLIENT_KEY_FILE=broken-key.pem; CLIENT_CERT_FILE=own.pem': NO_KEY,
  'CLIENT_KEY_FILE=other-key.pem; CLIENT_CERT_FILE=own.pem':
    'does not belong to the certificate in CLIENT_CERT_FILE, or TLS cannot use the two.',
  'CLIENT_KEY_FILE=sealed-key.pem; CLIENT_CERT_FILE=own.pem':
    'holds an encrypted key: set CLIENT_KEY_PASSPHRASE_FILE.',
  'CLIENT_KEY_PASSPHRASE_FILE=wrong.txt; CLIENT_CERT_FILE=own.pem; CLIENT_KEY_FILE=sealed-key.pem':
    'holds a passphrase that does not open the key in CLIENT_KEY_FILE.',
  'CLIENT_KEY_PASSPHRASE_FILE=absent; CLIENT_CERT_FILE=own.pem; CLIENT_KEY_FILE=sealed-key.pem': absent,
  'CLIENT_CERT_FILE=own.pem': 'needs CLIENT_KEY_FILE beside it.',
  'CLIENT_KEY_FILE=own-key.pem': 'needs CLIENT_CERT_FILE beside it.',
  'CLIENT_KEY_PASSPHRASE_FILE=wrong.txt': 'needs CLIENT_KEY_FILE beside it.',
  'HEADERS_FILE=absent.json': absent,
  'HEADERS_FILE=text.json':
    'names a file that is not JSON: write one object, such as {"Host": "store.example.com"}.',
  'HEADERS_FILE=list.json': 'names a file that must hold one JSON object of header names and values.',
  ...rows('HEADERS_FILE', ['number.json', 'lines.json'], NO_VALUE),
  'HEADERS_FILE=auth.json': 'names a file that sets authorization, which the suite sets itself: remove it.',
  ...rows('HEADERS_FILE', ['blank.json', 'nameless.json'], NO_NAME),
  ...rows('HEADERS_FILE', ['twice.json', 'same.json'], HEADER_TWICE),
  'HEADERS_FILE=many.json': 'names a file that holds more than 64 headers.',
  'REPORT_DIR=own.pem': 'leads to something that is not a folder: name a folder that can be written or made.',
  'REPORT_DIR=own.pem/out':
    'names a folder that is below something that is not a folder: name a folder that can be written or made.',
  'WAIVERS=absent.json': absent,
  'WAIVERS=folder': 'names a file that is a folder.',
  'PROFILE_LOCK=folder': 'must name a file, and there is something else in its place.',
  'ALLURE_HISTORY=absent/history.jsonl':
    'names a file in a folder that does not exist: make the folder first.',
};
const WITH_ADDRESS: Mistakes = {
  'API_KEY=long-enough; API_KEY_FILE=short.key': 'is set beside API_KEY_FILE: remove one of them.',
  'API_KEY=': 'is empty: give it a value or remove it.',
  'API_KEY=k3y-5': 'must have 6 to 8192 characters.',
  ...rows('API_KEY', ['Bearer k3y-k3y', 'k3y-k3y-é'], KEY_CHARACTERS),
  ...rows('API_KEY', ['undefined', 'NULL', 'None', '${Api_Key}', '${}', '<your key>', ' null '], NOT_SET),
  'API_KEY_FILE=unset.key': `holds a key that ${NOT_SET}`,
  ...rows('API_KEY_FILE', ['quoted.key', 'line.key'], QUOTED),
  'API_KEY_FILE=short.key': 'holds a key that must have 6 to 8192 characters.',
  'API_KEY_FILE=blank.key': `holds a key that ${KEY_CHARACTERS}`,
  'API_KEY_FILE=empty.key': 'holds a key that is empty: write the key into the file.',
  'API_KEY_FILE=absent.key': absent,
  'API_KEY_FILE=/dev/zero': 'names a file that is not a regular file.',
  'API_KEY_FILE=short.key/deeper': 'names a file that is below something that is not a folder.',
};
const WITH_TARGET: Mistakes = {
  ...rows('BASE_URL', ['', '   '], EMPTY),
  'BASE_URL=localhost:8080/v1': 'has no scheme: write http:// or https:// before the host.',
  'BASE_URL=ftp://a.example/v1': 'must be an http or https address.',
  'BASE_URL=http://u:s3cr3t@a.example/v1':
    'must not hold credentials: remove all up to the @, the key goes into API_KEY or API_KEY_FILE.',
  ...rows('BASE_URL', ['http://a.example/v1?', 'http://a.example/v1#top'], QUERY),
  ...rows('BASE_URL', ['http://a.example:port/v1', 'http:///v1', 'http://a.example\\v1'], NO_ADDRESS),
  [`BASE_URL=http://a.example/${'v'.repeat(2_048)}`]: 'must have at most 2048 characters.',
  ...rows(
    'SUBJECT',
    ['rex', '@1', 'rex@', 'rex@1 2', 'rex@\u202e1', ' @1'],
    'must be a name and a version with @ between them, such as rex-pets@2.3.1.',
  ),
  'SUBJECT=': 'is empty: give it a value or remove it.',
  [`SUBJECT=${'r'.repeat(200)}@1`]: 'must have at most 200 characters.',
  ...rows(
    'SUBJECT_COMMIT',
    ['main; SUBJECT=rex@1', '8c1f3a; SUBJECT=rex@1', '8c1f3abz; SUBJECT=rex@1'],
    'must be 7 to 64 hexadecimal digits, as git prints a commit.',
  ),
  ...rows(
    'SUBJECT_URL',
    ['git.example', 'ftp://git.example', 'https://u:s3cr3t@git.example/'].map(
      (url) => `${url}; SUBJECT=rex@1`,
    ),
    'must be an http or https address without credentials.',
  ),
  'SUBJECT_COMMIT=8c1f3ab': 'is set without SUBJECT: set SUBJECT too, such as rex-pets@2.3.1.',
  'TARGET_ENV=../up': 'must be one word of at most 64 letters, digits, - and _.',
  ...rows(
    'CATEGORY_IDS',
    ['1,', '1;2', '1.0', '0x10', '01', '1e3', '9223372036854775808', '-9223372036854775809'],
    INT64,
  ),
  'HTTPS_PROXY=u:s3cr3t@proxy.example:1': PROXY,
  'http_proxy=socks5://u:s3cr3t@proxy.example:1': PROXY,
  'ALL_PROXY=http://pro xy': PROXY,
  'HTTP_PROXY=http://us%er:pw@proxy.example:1': PROXY,
};

// `given`: variables that are set too. They make no mistake by themselves.
for (const [title, given, all] of [
  ['alone', {}, ALONE],
  ['beside an address', { BASE_URL }, WITH_ADDRESS],
  ['beside an address and a key', TARGET, WITH_TARGET],
] as const)
  testInFolder(`what is wrong ${title} is refused in words`, ({ mistakes, write, cwd }) => {
    write(FILES);
    mkdirSync(join(cwd, 'folder'));
    for (const [set, mistake] of Object.entries(all)) {
      // The pattern splits each text at its first `=`
      const env = Object.fromEntries(set.split('; ').map((text) => text.split(/=([^]*)/, 2)));
      const [name = ''] = set.split('=');
      expect.soft(mistakes({ ...given, ...env }), set).toEqual([`${name.toUpperCase()} ${mistake}`]);
    }
  });

testInFolder('--lock has something to compare with', ({ mistakes }) => {
  expect(mistakes({}, { lock: true })).toEqual([
    '--lock needs PROFILE_LOCK, the file that pins the behaviour profile.',
  ]);
});

testInFolder('all mistakes are named at once, with the files that they stand in', ({ mistakes, write }) => {
  write({ '.env': 'BASE_URL=a.example\nTARGET_ENV=staging\n', '.env.staging': 'API_KEY=k3y\nSEED=x\n' });
  expect(mistakes({ STRICT: 'maybe' })).toEqual([
    'BASE_URL (in .env) has no scheme: write http:// or https:// before the host.',
    'API_KEY (in .env.staging) must have 6 to 8192 characters.',
    'STRICT must be one of 1, 0, true, false.',
    'SEED (in .env.staging) must be a whole number from -2147483648 to 2147483647, in plain digits.',
  ]);
});

const anyText = fc.oneof(
  fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) }),
  fc.constantFrom('', ' ', '0', '-1', 'a,b', '/', '.', '\0', '/dev/zero', 'http://', '{}', '\n'),
);

testInFolder('nothing that a variable can hold makes it throw, and every mistake is one line', ({ read }) => {
  const environment = fc.dictionary(fc.constantFrom(...VARIABLES.map((each) => each.name)), anyText, {
    maxKeys: 8,
  });
  fc.assert(
    fc.property(environment, (env) => {
      const found = read(env);
      if ('settings' in found) return true;
      return found.mistakes.length > 0 && found.mistakes.every((line) => !/[\r\n\0]/.test(line));
    }),
    { numRuns: 500 },
  );
});

testInFolder('nothing that a file can hold makes it throw', ({ read, write }) => {
  const env = {
    ...TARGET,
    HEADERS_FILE: 'any',
    CA_FILE: 'any',
    CLIENT_CERT_FILE: 'own.pem',
    CLIENT_KEY_FILE: 'any',
  };
  fc.assert(
    fc.property(anyText, (text) => {
      write({ any: text, '.env': text, 'own.pem': ownPair.certificate });
      return 'mistakes' in read(env);
    }),
  );
});

testInFolder(
  'a challenge is refused for another subject, after its end, if it is damaged, and for a part of the suite',
  ({ mistakes, write }) => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const asked = { subject: 'Rex Pets 2.3', runBy: 'vendor', validFor: 60_000 } as const;
    const posed = poseChallenge({ ...asked, now: Date.now() }, privateKey);
    const past = poseChallenge({ ...asked, now: Date.parse('2026-01-01T00:59:00Z') }, privateKey);
    const said = (text: string, SUBJECT = 'rex-pets@2.3.0', only: readonly string[] = []) => {
      write({ 'challenge.json': text });
      return mistakes({ ...TARGET, CHALLENGE: 'challenge.json', SUBJECT }, { only: [...only] });
    };
    for (const [found, words] of [
      [
        said(posed, 'rex-pets@2.4.0'),
        'SUBJECT is not what the challenge was made for, which is Rex Pets 2.3.',
      ],
      [said(posed, 'rex-pets@'), 'SUBJECT must be'],
      [said(past), 'holds a challenge that ended at 2026-01-01T01:00:00.000Z'],
      [said('{}'), 'holds no challenge'],
      [said('['), 'holds no challenge'],
      [said(posed, undefined, ['list-pets.limit']), '--only: the certification profile'],
    ] as const)
      expect(found).toEqual([expect.stringContaining(words)]);
  },
);

testInFolder('no secret stands in a message', ({ mistakes, write }) => {
  // Every secret begins with a letter that no message of ours uses.
  const secret = fc
    .string({ unit: fc.constantFrom('§', 'Ж', '\u0001', '~', '`', 'Q'), minLength: 4, maxLength: 40 })
    .map((text) => `Ж${text}`);
  fc.assert(
    fc.property(secret, (text) => {
      write({
        key: text,
        headers: JSON.stringify({ 'x-gate': text }),
        broken: `{"x-gate":"${text}`,
        '.env': `API_KEY_FILE=key\n${text}\n`,
      });
      const proxies = { HTTPS_PROXY: `http://${text}@`, HTTP_PROXY: text };
      const said = [
        mistakes({ BASE_URL, API_KEY: text }),
        mistakes({ BASE_URL: text, HEADERS_FILE: 'headers', ...proxies }),
        mistakes({ BASE_URL: `http://u:${text}@a.example`, HEADERS_FILE: 'broken' }),
      ];
      return said.every((each) => each.length > 0 && !each.join().includes(text.slice(0, 4)));
    }),
  );
});
