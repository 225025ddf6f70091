/** The settings of a run: every variable arrives, from the environment or a .env file, and every default is as described. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { writeEnvExample } from '../samples/describe-variables.ts';
import { VARIABLES } from '../../../fixtures/settings/variables.ts';
import schema from '../../../schemas/suite/settings.schema.json' with { type: 'json' };
import { selfSigned } from '../samples/self-signed.ts';
import { TARGET, testInFolder } from './settings-folder.ts';

/** A variable, its value, and the setting that it becomes. Rows without a setting become a member of `subject` or `network`. */
const ARRIVE: readonly (readonly [name: string, written: string, setting?: string, meant?: unknown])[] = [
  ['BASE_URL', TARGET.BASE_URL, 'baseUrl', TARGET.BASE_URL],
  ['API_KEY', TARGET.API_KEY, 'key', TARGET.API_KEY],
  ['TARGET_ENV', 'staging', 'environment', 'staging'],
  [
    'CATEGORY_IDS',
    ` ${2n ** 63n - 1n}, -1,9007199254740993,-1`,
    'categoryIds',
    [2n ** 63n - 1n, -1n, 2n ** 53n + 1n],
  ],
  ['SUBJECT', '@rex/pets@v2.3.1'],
  ['SUBJECT_COMMIT', '8C1F3AB'],
  ['SUBJECT_URL', 'https://git.example.com/rex?tag=2.3.1#notes'],
  ['MODE', 'read-only', 'mode', 'read-only'],
  ['STRICT', 'true', 'strict', true],
  ['SEED', '-7', 'seed', -7],
  ['PROPERTY_RUNS', '5', 'propertyRuns', 5],
  ['RUN_ID', '77-1', 'runId', '77-1'],
  ['AS_OF', '2028-02-29', 'asOf', new Date('2028-02-29T00:00:00Z')],
  ['REQUEST_TIMEOUT', '0.25', 'requestTimeout', 250],
  ['RUN_TIMEOUT', '90', 'runTimeout', 90_000],
  ['WAIT', '7.5', 'wait', 7_500],
  ['CONSISTENCY_WINDOW', '0', 'consistencyWindow', 0],
  ['MAX_ANIMALS', '0', 'maxAnimals', 0],
  ['MAX_BAD_ANIMALS', '3', 'maxBadAnimals', 3],
  ['MAX_REQUESTS', '10', 'maxRequests', 10],
  ['MAX_IN_FLIGHT', '2', 'maxInFlight', 2],
  ['MAX_RPS', '0.5', 'maxRps', 0.5],
  ['MAX_WRONG_KEYS', '0', 'maxWrongKeys', 0],
  ['MARKED_NAMES_ONLY', '1', 'markedNamesOnly', true],
  ['CA_FILE', 'ca.pem'],
  ['CLIENT_CERT_FILE', 'c.pem'],
  ['CLIENT_KEY_PASSPHRASE_FILE', 'p.txt'],
  ['HEADERS_FILE', 'h.json'],
  ['REPORT_DIR', 'there/and/deeper', 'reportDir', expect.stringMatching(/\Wthere\Wand\Wdeeper$/)],
  ['WAIVERS', 'w.json', 'waiversFile', expect.stringMatching(/\Ww\.json$/)],
  ['PROFILE_LOCK', 'lock.json', 'profileLockFile', expect.stringMatching(/\Wlock\.json$/)],
  ['ALLURE_HISTORY', 'history.jsonl', 'allureHistoryFile', expect.stringMatching(/\Whistory\.jsonl$/)],
  ['https_proxy', 'http://u:p@proxy.example:1'],
  ['HTTP_PROXY', 'http://u:p@proxy.example:2'],
  ['no_proxy', 'store.example'],
];

/** Gives each of these names the same value: `giveEach('a b', null)` is `{ a: null, b: null }`. */
const giveEach = (names: string, value: unknown) =>
  Object.fromEntries(names.split(' ').map((name) => [name, value]));
const UNSET =
  'environment subject categoryIds replay runId profile challenge asOf maxAnimals maxRequests maxRps waiversFile profileLockFile allureHistoryFile';
const DEFAULTS = {
  ...giveEach(UNSET, null),
  ...giveEach('strict failFast incognito markedNamesOnly acceptWaivers lock', false),
  ...{ baseUrl: '', embedded: true, key: '', given: {}, mode: 'full', only: [] },
  ...{ seed: 1, seedCount: 1, propertyRuns: 100, maxBadAnimals: 30, maxInFlight: 8, maxWrongKeys: 60 },
  ...{ requestTimeout: 10_000, runTimeout: 900_000, wait: 0, consistencyWindow: 15_000 },
  network: { ...giveEach('ca clientCertificate clientKey clientKeyPassphrase proxy', null), headers: {} },
};

testInFolder.describe('what is read', () => {
  testInFolder(
    'without a variable the embedded reference is judged, with every default',
    ({ settings, cwd }) => expect(settings({})).toEqual({ ...DEFAULTS, reportDir: join(cwd, 'reports/out') }),
  );

  testInFolder('every variable arrives in its setting', ({ settings, write, cwd }) => {
    const { certificate, encryptedKey } = selfSigned();
    write({
      'ca.pem': certificate,
      'c.pem': certificate,
      'k.pem': encryptedKey('open sesame'),
      'p.txt': 'open sesame\r\n',
    });
    write({ 'h.json': '{"Host":"a.example","X-Gate":"b c"}', 'w.json': '[]' });
    const env = Object.fromEntries(ARRIVE.map(([name, written]) => [name, written]));
    const options = { only: ['list-pets'], replay: 'token', acceptWaivers: true, lock: true };
    // A path may be absolute
    expect(settings({ ...env, CLIENT_KEY_FILE: join(cwd, 'k.pem') }, options)).toEqual({
      ...DEFAULTS,
      ...options,
      embedded: false,
      given: expect.objectContaining({ REPORT_DIR: 'there/and/deeper', SEED: '-7' }),
      subject: { name: '@rex/pets', version: 'v2.3.1', commit: '8c1f3ab', url: env.SUBJECT_URL },
      network: {
        ca: certificate,
        clientCertificate: certificate,
        clientKey: expect.stringContaining('ENCRYPTED PRIVATE KEY'),
        clientKeyPassphrase: 'open sesame',
        headers: { host: 'a.example', 'x-gate': 'b c' },
        proxy: 'http://u:p@proxy.example:2',
      },
      ...Object.fromEntries(
        ARRIVE.flatMap(([, , name, meant]) => (name === undefined ? [] : [[name, meant]])),
      ),
    });
  });

  testInFolder('an address in its plainest spelling', ({ settings }) => {
    for (const [written, meant] of [
      ['https://Store.Example/v1/', 'https://store.example/v1'],
      ['http://store.example', 'http://store.example'],
      ['http://[::1]:8080/a/v1//', 'http://[::1]:8080/a/v1'],
      [' HTTPS://store.example:443/V2 ', 'https://store.example/V2'],
    ] as const)
      expect(settings({ ...TARGET, BASE_URL: written }).baseUrl).toBe(meant);
  });

  testInFolder('the key of a file ends before its line break', ({ settings, write }) => {
    write({ key: 'k3y-of-a-file\r\n' });
    expect(settings({ BASE_URL: TARGET.BASE_URL, API_KEY_FILE: 'key' }).key).toBe('k3y-of-a-file');
  });

  testInFolder(
    '`http_proxy` wins over `HTTP_PROXY`, and counts only where it leads to the target',
    ({ settings }) => {
      const both = {
        ...TARGET,
        HTTP_PROXY: 'http://large.example:1',
        http_proxy: 'http://small.example:1',
        ALL_PROXY: 'socks5://all.example:1',
      };
      expect(settings(both).network.proxy).toBe('http://small.example:1');
      expect(settings({ ...both, NO_PROXY: '127.0.0.1' }).network.proxy).toBeNull();
    },
  );
});

testInFolder.describe('where it is read from', () => {
  testInFolder('the environment wins over .env.<TARGET_ENV>, which wins over .env', ({ settings, write }) => {
    write({
      '.env':
        'TARGET_ENV=staging\nBASE_URL=http://a.example/v1\nAPI_KEY="k3y#from-env"\nSEED=1\nMAX_RPS=1\nMAX_ANIMALS=1\n',
      '.env.staging': 'SEED=2\nMAX_RPS=2 # pace\nTARGET_ENV=staging\n',
      '.env.other': 'SEED=9\n',
    });
    const found = settings(Object.freeze({ SEED: '3' }));
    expect(process.env.MAX_RPS).toBeUndefined();
    expect([found.seed, found.maxRps, found.maxAnimals, found.environment, found.key]).toEqual([
      3,
      2,
      1,
      'staging',
      'k3y#from-env',
    ]);
    expect(settings({ TARGET_ENV: 'other' })).toMatchObject({ seed: 9, environment: 'other' });
  });

  testInFolder(
    'what dotenv would pass over or cut is a mistake; a value over two lines is one value',
    ({ mistakes, write }) => {
      write({ '.env': '# fine\nexport SEED=4\n\nSEED 5\nWAIVERS="a\n\nREPORT_DIR=a#b\n' });
      expect(mistakes({}).slice(0, 3)).toEqual([
        '.env, line 5: the quote is never closed.',
        '.env, line 7: the value would end at its #; put quotes around it.',
        '.env, line 4: write NAME=value, or # before a comment.',
      ]);
      write({ '.env': "BASE_URL='http://a.example/v1'\nAPI_KEY='k3y\nk3y'\n" });
      expect(mistakes({})).toEqual([
        'API_KEY (in .env) must be visible ASCII characters without blanks or line breaks, and without the word Bearer.',
      ]);
    },
  );

  testInFolder(
    'a .env of an environment that names another one is refused, and a .env that is a folder',
    ({ mistakes, cwd, write }) => {
      write({ '.env.staging': 'TARGET_ENV=production\n' });
      expect(mistakes({ ...TARGET, TARGET_ENV: 'staging' })).toEqual([
        'TARGET_ENV (in .env.staging) names another environment than its file; remove it there.',
      ]);
      mkdirSync(join(cwd, '.env'));
      expect(mistakes({})).toEqual(['.env is a folder.']);
    },
  );
});

testInFolder.describe('names that are not known', () => {
  testInFolder(
    'in a .env file one that is nearly ours is a mistake, those of other programs are passed over with one line',
    ({ mistakes, read, write }) => {
      write({ '.env': 'BASE_URI=x\nmax_animal=1\nWait=1\nAPP_KEY=x\nMIIBmixedCase123=\n' });
      expect(mistakes({})).toEqual([
        'BASE_URI (in .env) is not known; did you mean BASE_URL?',
        'max_animal (in .env) is not known; did you mean MAX_ANIMALS?',
        'Wait (in .env) is not known; did you mean WAIT?',
      ]);
      write({ '.env': 'DATABASE_PASSWORD_FOR_ALL=x\nMIIBmixedCase123=\n' });
      expect(read({})).toMatchObject({
        notes: ['.env also sets 2 variables of other programs, which the suite passes over.'],
      });
    },
  );

  const SLIPS =
    'BASE_URI BASEURL API_KEYS API_KYE STRICTT HEADER_FILE MAX_RP HTTP_PROXI base_url Api_Key api_kye wait';
  const OF_OTHERS =
    'NODE NODES SEEDS MODEL APP_KEY GPG_KEY FTP_PROXY npm_config_user_agent go_proxy BASE_ADDRESS Http_Proxy';
  testInFolder('in the environment a slip is named, all other names are of others', ({ mistakes }) => {
    for (const name of SLIPS.split(' '))
      expect(mistakes({ [name]: 'x' })).toEqual([
        expect.stringMatching(new RegExp(`^${name} is not known; did you mean [A-Z_]+\\?$`)),
      ]);
    expect(mistakes(Object.fromEntries(OF_OTHERS.split(' ').map((name) => [name, 'x'])))).toEqual([]);
  });

  testInFolder('if BASE_URL is set, `base_url` is ignored', ({ settings, write }) => {
    write({ '.env': `base_url=x\nAPI_KEY=${TARGET.API_KEY}\n` });
    expect(settings({ ...TARGET, base_url: 'x', api_key: 'x' }).baseUrl).toBe(TARGET.BASE_URL);
  });

  testInFolder('on Windows, names count in any letter case', ({ settings }) => {
    const { platform } = process;
    try {
      Object.defineProperty(process, 'platform', { value: 'win32' });
      expect(settings({ base_url: TARGET.BASE_URL, Api_Key: TARGET.API_KEY }).embedded).toBe(false);
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
    }
  });
});

testInFolder.describe('production', () => {
  const production = { ...TARGET, TARGET_ENV: 'production' };

  testInFolder('is only read unless writing is allowed in so many words', ({ settings, mistakes }) => {
    expect(settings(production).mode).toBe('read-only');
    expect(settings({ ...production, TARGET_ENV: 'PRODUCTION' }).mode).toBe('read-only');
    expect(settings({ ...production, ALLOW_WRITES: 'production' }).mode).toBe('read-only');
    expect(settings({ ...production, MODE: 'full', ALLOW_WRITES: 'production' }).mode).toBe('full');
    expect(mistakes({ ...production, MODE: 'full' })).toEqual([
      'MODE is full with TARGET_ENV=production: set ALLOW_WRITES=production too, or use MODE=read-only.',
    ]);
  });
});

testInFolder.describe('every variable is described', () => {
  const example = readFileSync('.env.example', 'utf8');

  testInFolder('in .env.example, under a comment', () => {
    expect(example).toBe(writeEnvExample());
    for (const { name } of VARIABLES) expect(example).toMatch(new RegExp(`^# .+\\.\n# ${name}=\\S+$`, 'm'));
  });

  testInFolder('in a JSON Schema that its own defaults and examples obey', () => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    const properties = Object.entries<{ default?: unknown; examples?: unknown[] }>(schema.properties);
    const values = properties.map(([name, each]) => [name, each.default ?? each.examples?.[0]]);
    expect(validate(Object.fromEntries(values)), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ SEED: 1.5 })).toBe(false);
  });

  testInFolder(
    'with its real default: a .env with all defaults gives the same settings',
    ({ settings, write }) => {
      const unset = settings({});
      const withDefault = VARIABLES.filter((each) => each.default !== undefined);
      const assigned = withDefault.map(({ name }) => new RegExp(`^# (${name}=.*)$`, 'm').exec(example)?.[1]);
      write({ '.env': assigned.join('\n') });
      expect(assigned).toHaveLength(16); // the variables that have a default
      expect(settings({})).toEqual({
        ...unset,
        given: expect.anything(),
        maxAnimals: 150, // without the variable, a run adds fewer if the store has animals of others
        maxRequests: 3_000,
      });
    },
  );
});
