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
const own = selfSigned();
const other = selfSigned();

/** Files that stand in the working directory of every test below. */
const FILES: Record<string, string> = {
  'short.key': 'k3y\n',
  'unset.key': 'undefined\n',
  'quoted.key': '"k3y-0123456789"\n',
  'line.key': 'API_KEY=k3y-0123456789\n',
  'blank.key': 'k3y k3y k3y\n',
  'empty.key': ' \n',
  'text.pem': 'k3y-k3y',
  'own.pem': own.certificate,
  'own-key.pem': own.key,
  'other-key.pem': other.key,
  'sealed-key.pem': own.encryptedKey('open sesame'),
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

const WITHOUT =
  'is set without BASE_URL: set BASE_URL too, in the environment, .env or .env.<TARGET_ENV>; ' +
  'without all of these the embedded reference is judged.';
const INT64 =
  'CATEGORY_IDS must be whole numbers within int64 in plain digits, separated by commas, such as 1,2.';
const DAY = 'AS_OF must be a day of the calendar, written YYYY-MM-DD.';
const CHARACTERS =
  'must be visible ASCII characters without blanks or line breaks, and without the word Bearer.';
const AROUND = 'has quotation marks or API_KEY= around it: leave only the key in the file.';
const NOT_SET =
  'reads like a value that is missing (a variable that was not set?): set it to the key of this environment.';
const PROXY = 'must be an http or https address such as http://proxy.example.com:3128.';
const PAIR = { CLIENT_CERT_FILE: 'own.pem', CLIENT_KEY_FILE: 'own-key.pem' };
const address = (text: string, what: string): [Record<string, string>, string] => [
  { API_KEY, BASE_URL: text },
  `BASE_URL ${what}.`,
];
const headers = (file: string, what: string): [Record<string, string>, string] => [
  { HEADERS_FILE: file },
  `HEADERS_FILE names a file that ${what}.`,
];

const MISTAKES: [env: Record<string, string>, mistake: string][] = [
  address(
    '',
    'is empty: set the address of the service, or remove the variable to judge the embedded reference',
  ),
  address(
    '   ',
    'is empty: set the address of the service, or remove the variable to judge the embedded reference',
  ),
  address('localhost:8080/v1', 'has no scheme: write http:// or https:// before the host'),
  address('ftp://a.example/v1', 'must be an http or https address'),
  address(
    'http://u:s3cr3t@a.example/v1',
    'must not hold credentials: remove all up to the @, the key goes into API_KEY or API_KEY_FILE',
  ),
  address('http://a.example/v1?', 'must not have a query or a fragment: remove all from the ? or # on'),
  address('http://a.example/v1#top', 'must not have a query or a fragment: remove all from the ? or # on'),
  address('http://a.example:port/v1', 'is not a valid address: write it like https://staging.example.com/v1'),
  address('http:///v1', 'is not a valid address: write it like https://staging.example.com/v1'),
  address('http://a.example\\v1', 'is not a valid address: write it like https://staging.example.com/v1'),
  address(`http://a.example/${'v'.repeat(2_048)}`, 'must have at most 2048 characters'),

  [{ BASE_URL }, 'BASE_URL is set without a key: set API_KEY or API_KEY_FILE too.'],
  [{ API_KEY }, `API_KEY ${WITHOUT}`],
  [{ API_KEY_FILE: 'short.key' }, `API_KEY_FILE ${WITHOUT}`],
  [{ TARGET_ENV: 'staging' }, `TARGET_ENV ${WITHOUT}`],
  [{ CATEGORY_IDS: '1' }, `CATEGORY_IDS ${WITHOUT}`],
  [{ SUBJECT: 'rex@1' }, `SUBJECT ${WITHOUT}`],
  ...['rex', '@1', 'rex@', 'rex@1 2', 'rex@\u202e1', ' @1'].map((text): [Record<string, string>, string] => [
    { ...TARGET, SUBJECT: text },
    'SUBJECT must be a name and a version with @ between them, such as rex-pets@2.3.1.',
  ]),
  [{ ...TARGET, SUBJECT: '' }, 'SUBJECT is empty: give it a value or remove it.'],
  [{ ...TARGET, SUBJECT: `${'r'.repeat(200)}@1` }, 'SUBJECT must have at most 200 characters.'],
  ...['main', '8c1f3a', '8c1f3abz'].map((text): [Record<string, string>, string] => [
    { ...TARGET, SUBJECT: 'rex@1', SUBJECT_COMMIT: text },
    'SUBJECT_COMMIT must be 7 to 64 hexadecimal digits, as git prints a commit.',
  ]),
  ...['git.example', 'ftp://git.example', 'https://u:s3cr3t@git.example/'].map(
    (text): [Record<string, string>, string] => [
      { ...TARGET, SUBJECT: 'rex@1', SUBJECT_URL: text },
      'SUBJECT_URL must be an http or https address without credentials.',
    ],
  ),
  [
    { ...TARGET, SUBJECT_COMMIT: '8c1f3ab' },
    'SUBJECT_COMMIT is set without SUBJECT: set SUBJECT too, such as rex-pets@2.3.1.',
  ],
  [
    { BASE_URL, API_KEY, API_KEY_FILE: 'short.key' },
    'API_KEY is set beside API_KEY_FILE: remove one of them.',
  ],
  [{ BASE_URL, API_KEY: '' }, 'API_KEY is empty: give it a value or remove it.'],
  [{ BASE_URL, API_KEY: 'k3y-5' }, 'API_KEY must have 6 to 8192 characters.'],
  [{ BASE_URL, API_KEY: 'Bearer k3y-k3y' }, `API_KEY ${CHARACTERS}`],
  [{ BASE_URL, API_KEY: 'k3y-k3y-é' }, `API_KEY ${CHARACTERS}`],
  ...['undefined', 'NULL', 'None', '${Api_Key}', '${}', '<your key>', ' null '].map(
    (text): [Record<string, string>, string] => [{ BASE_URL, API_KEY: text }, `API_KEY ${NOT_SET}`],
  ),
  [{ BASE_URL, API_KEY_FILE: 'unset.key' }, `API_KEY_FILE holds a key that ${NOT_SET}`],
  [{ BASE_URL, API_KEY_FILE: 'quoted.key' }, `API_KEY_FILE holds a key that ${AROUND}`],
  [{ BASE_URL, API_KEY_FILE: 'line.key' }, `API_KEY_FILE holds a key that ${AROUND}`],
  [{ BASE_URL, API_KEY_FILE: 'short.key' }, 'API_KEY_FILE holds a key that must have 6 to 8192 characters.'],
  [{ BASE_URL, API_KEY_FILE: 'blank.key' }, `API_KEY_FILE holds a key that ${CHARACTERS}`],
  [{ BASE_URL, API_KEY_FILE: 'empty.key' }, 'API_KEY_FILE names an empty file: write the key into it.'],
  [{ BASE_URL, API_KEY_FILE: 'absent.key' }, 'API_KEY_FILE names a file that does not exist.'],
  [{ BASE_URL, API_KEY_FILE: '/dev/zero' }, 'API_KEY_FILE names a file that is not a regular file.'],
  [
    { BASE_URL, API_KEY_FILE: 'short.key/deeper' },
    'API_KEY_FILE names a file that is below something that is not a folder.',
  ],
  [{ ...TARGET, TARGET_ENV: '../up' }, 'TARGET_ENV must be one word of at most 64 letters, digits, - and _.'],
  ...['1,', '1;2', '1.0', '0x10', '01', '1e3', '9223372036854775808', '-9223372036854775809'].map(
    (text): [Record<string, string>, string] => [{ ...TARGET, CATEGORY_IDS: text }, INT64],
  ),

  [{ MODE: 'readonly' }, 'MODE must be one of full, read-only.'],
  [{ ALLOW_WRITES: 'yes' }, 'ALLOW_WRITES must be production.'],
  [{ STRICT: 'yes' }, 'STRICT must be one of 1, 0, true, false.'],
  [{ STRICT: '' }, 'STRICT is empty: give it a value or remove it.'],
  ...['2030-02-30', '2030-2-3', '2030-12-05T00:00Z', 'today'].map(
    (text): [Record<string, string>, string] => [{ AS_OF: text }, DAY],
  ),
  [{ SEED: '1.5' }, 'SEED must be a whole number from -2147483648 to 2147483647, in plain digits.'],
  [{ PROPERTY_RUNS: '0' }, 'PROPERTY_RUNS must be a whole number from 1 to 100000, in plain digits.'],
  [
    { REQUEST_TIMEOUT: '0' },
    'REQUEST_TIMEOUT must be a number of seconds from 0.01 to 600, in plain digits.',
  ],
  [
    { REQUEST_TIMEOUT: '10s' },
    'REQUEST_TIMEOUT must be a number of seconds from 0.01 to 600, in plain digits.',
  ],
  [{ RUN_TIMEOUT: '1e3' }, 'RUN_TIMEOUT must be a number of seconds from 0.1 to 86400, in plain digits.'],
  [{ WAIT: '-1' }, 'WAIT must be a number of seconds from 0 to 86400, in plain digits.'],
  [{ WAIT: '1m' }, 'WAIT must be a number of seconds from 0 to 86400, in plain digits.'],
  [
    { CONSISTENCY_WINDOW: '-1' },
    'CONSISTENCY_WINDOW must be a number of seconds from 0 to 3600, in plain digits.',
  ],
  [{ MAX_ANIMALS: '-1' }, 'MAX_ANIMALS must be a whole number from 0 to 1000000, in plain digits.'],
  [{ MAX_REQUESTS: '0' }, 'MAX_REQUESTS must be a whole number from 1 to 100000000, in plain digits.'],
  [{ MAX_IN_FLIGHT: '0' }, 'MAX_IN_FLIGHT must be a whole number from 1 to 256, in plain digits.'],
  [{ MAX_IN_FLIGHT: '257' }, 'MAX_IN_FLIGHT must be a whole number from 1 to 256, in plain digits.'],
  [{ RUN_TIMEOUT: '86400.5' }, 'RUN_TIMEOUT must be a number of seconds from 0.1 to 86400, in plain digits.'],
  [{ MAX_RPS: '0' }, 'MAX_RPS must be a number of requests per second from 0.01 to 100000, in plain digits.'],
  [{ MAX_WRONG_KEYS: 'many' }, 'MAX_WRONG_KEYS must be a whole number from 0 to 100000, in plain digits.'],

  [{ CA_FILE: 'absent.pem' }, 'CA_FILE names a file that does not exist.'],
  [{ CA_FILE: 'text.pem' }, 'CA_FILE names a file that holds no valid certificate in PEM form.'],
  [{ CA_FILE: 'broken.pem' }, 'CA_FILE names a file that holds no valid certificate in PEM form.'],
  [
    { ...PAIR, CLIENT_CERT_FILE: 'own-key.pem' },
    'CLIENT_CERT_FILE names a file that holds no valid certificate in PEM form.',
  ],
  [
    { ...PAIR, CLIENT_KEY_FILE: 'own.pem' },
    'CLIENT_KEY_FILE names a file that holds no valid private key in PEM form.',
  ],
  [
    { ...PAIR, CLIENT_KEY_FILE: 'broken-key.pem' },
    'CLIENT_KEY_FILE names a file that holds no valid private key in PEM form.',
  ],
  [
    { ...PAIR, CLIENT_KEY_FILE: 'other-key.pem' },
    'CLIENT_KEY_FILE does not belong to the certificate in CLIENT_CERT_FILE, or TLS cannot use the two.',
  ],
  [
    { ...PAIR, CLIENT_KEY_FILE: 'sealed-key.pem' },
    'CLIENT_KEY_FILE holds an encrypted key: set CLIENT_KEY_PASSPHRASE_FILE.',
  ],
  [
    { ...PAIR, CLIENT_KEY_FILE: 'sealed-key.pem', CLIENT_KEY_PASSPHRASE_FILE: 'wrong.txt' },
    'CLIENT_KEY_PASSPHRASE_FILE holds a passphrase that does not open the key in CLIENT_KEY_FILE.',
  ],
  [
    { ...PAIR, CLIENT_KEY_FILE: 'sealed-key.pem', CLIENT_KEY_PASSPHRASE_FILE: 'absent' },
    'CLIENT_KEY_PASSPHRASE_FILE names a file that does not exist.',
  ],
  [{ CLIENT_CERT_FILE: 'own.pem' }, 'CLIENT_CERT_FILE needs CLIENT_KEY_FILE beside it.'],
  [{ CLIENT_KEY_FILE: 'own-key.pem' }, 'CLIENT_KEY_FILE needs CLIENT_CERT_FILE beside it.'],
  [
    { CLIENT_KEY_PASSPHRASE_FILE: 'wrong.txt' },
    'CLIENT_KEY_PASSPHRASE_FILE needs CLIENT_KEY_FILE beside it.',
  ],
  headers('absent.json', 'does not exist'),
  headers('text.json', 'is not JSON: write one object, such as {"Host": "store.example.com"}'),
  headers('list.json', 'must hold one JSON object of header names and values'),
  headers(
    'number.json',
    'gives x-gate a value that no header can have: write a text of visible ASCII characters, not empty, without line breaks',
  ),
  headers(
    'lines.json',
    'gives x-gate a value that no header can have: write a text of visible ASCII characters, not empty, without line breaks',
  ),
  headers('auth.json', 'sets authorization, which the suite sets itself: remove it'),
  headers('blank.json', 'holds a name that no header can have'),
  headers('nameless.json', 'holds a name that no header can have'),
  headers('twice.json', 'names a header twice (letter case is nothing): remove one'),
  headers('same.json', 'names a header twice (letter case is nothing): remove one'),
  headers('many.json', 'holds more than 64 headers'),
  [{ ...TARGET, HTTPS_PROXY: 'u:s3cr3t@proxy.example:1' }, `HTTPS_PROXY ${PROXY}`],
  [{ ...TARGET, http_proxy: 'socks5://u:s3cr3t@proxy.example:1' }, `HTTP_PROXY ${PROXY}`],
  [{ ...TARGET, ALL_PROXY: 'http://pro xy' }, `ALL_PROXY ${PROXY}`],

  [
    { REPORT_DIR: 'own.pem' },
    'REPORT_DIR leads to something that is not a folder: name a folder that can be written or made.',
  ],
  [
    { REPORT_DIR: 'own.pem/out' },
    'REPORT_DIR names a folder that is below something that is not a folder: name a folder that can be written or made.',
  ],
  [{ WAIVERS: 'absent.json' }, 'WAIVERS names a file that does not exist.'],
  [{ WAIVERS: 'folder' }, 'WAIVERS names a file that is a folder.'],
  [{ PROFILE_LOCK: 'folder' }, 'PROFILE_LOCK must name a file, and there is something else in its place.'],
  [
    { ALLURE_HISTORY: 'absent/history.jsonl' },
    'ALLURE_HISTORY names a file in a folder that does not exist: make the folder first.',
  ],
];

for (const [env, mistake] of MISTAKES) {
  testInFolder(
    `${JSON.stringify(env).slice(0, 120)} is refused: ${mistake.slice(0, 60)}`,
    ({ mistakes, write, cwd }) => {
      write(FILES);
      mkdirSync(join(cwd, 'folder'));
      expect(mistakes(env)).toEqual([mistake]);
    },
  );
}

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
      return (
        'settings' in found ||
        (found.mistakes.length > 0 && found.mistakes.every((each) => !/[\r\n\0]/.test(each)))
      );
    }),
    { numRuns: 500 },
  );
});

testInFolder('nothing that a file can hold makes it throw', ({ read, write }) => {
  const env = { ...TARGET, HEADERS_FILE: 'any', CA_FILE: 'any', ...PAIR, CLIENT_KEY_FILE: 'any' };
  fc.assert(
    fc.property(anyText, (text) => {
      write({ any: text, '.env': text, 'own.pem': own.certificate });
      return 'mistakes' in read(env);
    }),
  );
});

testInFolder('a run answers no challenge that was made for something else', ({ mistakes, write }) => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const asked = { subject: 'Rex Pets 2.3', runBy: 'vendor', now: Date.now(), validFor: 60_000 } as const;
  write({ 'challenge.json': poseChallenge(asked, privateKey) });
  const about = (subject: string) => mistakes({ ...TARGET, CHALLENGE: 'challenge.json', SUBJECT: subject });
  expect(about('rex-pets@2.4.0')).toEqual([
    'SUBJECT is not what the challenge was made for, which is Rex Pets 2.3.',
  ]);
  expect(about('rex-pets@')).toHaveLength(1);
});

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
