import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';

/** @typedef {import('eslint').Rule.RuleModule} RuleModule */

const inner = /** @type {RuleModule} */ (builtinRules.get('max-lines-per-function'));

/** Whether a function is the callback of a `describe`, which is a heading. @param {any} node */
const isHeading = ({ parent }) =>
  parent?.type === 'CallExpression' && (parent.callee.property ?? parent.callee).name === 'describe';

/** The rule of that name, which counts no callback of a `describe`. @type {RuleModule} */
const linesPerFunction = {
  ...inner,
  create: (context) =>
    inner.create(
      Object.create(context, {
        report: { value: (/** @type {any} */ found) => isHeading(found.node) || context.report(found) },
      }),
    ),
};

const NO_PART = {
  selector: "CallExpression[callee.object.name='test'][callee.property.name='only']",
  message: 'A run that leaves tests out is no run.',
};
const NO_OTHER_WAY_OUT = {
  selector:
    "MemberExpression[object.object.name='process'][object.property.name=/^std(out|err)$/][property.name='write'], MemberExpression[object.name='console']",
  message: 'bin/output/print.ts prints: nothing that a text quotes acts on a terminal or a CI log.',
};

/** What runs in a simulated world (fixtures/world/) too: a run from its first request to its verdict, and what it is made on. */
const IN_THE_WORLD = {
  files: [
    'fixtures/**',
    'tests/**',
    'reports/**',
    'bin/{run,preflight}/**',
    'bin/selection/collect-suite.ts',
    'bin/prove/{judge-task,worker}.ts',
  ],
  ignores: [
    'tests/self/**',
    // served over real sockets, or what the command does around a run
    'fixtures/implementations/{hostile,others}/**',
    'bin/run/{judging,watch-failed}.ts',
  ],
};
const NO_THREADS =
  'In a simulated world no time passes while a thread or the system works, so what comes first is left to luck: take what ends in Sync.';
const NO_OTHER_TIME = 'In a simulated world nothing waits for another clock, thread, process or network.';
const SLOW_CRYPTO =
  '^(scrypt|pbkdf2|hkdf|argon2|randomFill|generateKey|generateKeyPair|generatePrime|checkPrime|subtle|webcrypto)$';

export default tseslint.config(
  { ignores: ['dist/', 'reports/out/', 'test-results/', 'fixtures/implementations/others/services/'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        // one program for all: a project service takes a quarter more
        project: './tsconfig.lint.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // Methods that keep an asynchronous interface are async without awaiting.
      '@typescript-eslint/require-await': 'off',
      // Numbers, identifiers and verdicts are written into messages as they are.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowNullish: true },
      ],
      // JSON values are compared and shown by their text.
      '@typescript-eslint/no-base-to-string': 'off',
      // Arguments of tests are destructured, and are closures without `this`.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-restricted-syntax': ['error', NO_PART, NO_OTHER_WAY_OUT],
    },
  },
  {
    // What only this clone runs prints nothing of others; self-tests print for themselves; the beginning imports nothing.
    files: [
      'bin/output/print.ts',
      'bin/{prove,bench,release}/**',
      'bin/{prove,prove-hostile,prove-others,bench}.ts',
      'bin/{build,check}.js',
      'bin/animal-store-conformance.ts',
      'tests/self/**',
    ],
    rules: { 'no-restricted-syntax': ['error', NO_PART] },
  },
  {
    ...IN_THE_WORLD,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(node:)?fs$',
              allowImportNamePattern: 'Sync$|^constants$|^[A-Z]',
              message: NO_THREADS,
            },
            { regex: '^(node:)?zlib$', allowImportNamePattern: 'Sync$|^constants$', message: NO_THREADS },
            { regex: '^(node:)?crypto$', importNamePattern: SLOW_CRYPTO, message: NO_THREADS },
            { regex: '^(node:)?util$', importNamePattern: '^promisify$', message: NO_THREADS },
            {
              regex: '^(node:)?(fs/promises|dns(/promises)?|worker_threads|child_process|http2|dgram)$',
              message: NO_OTHER_TIME,
            },
          ],
        },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'AbortSignal', property: 'timeout', message: `${NO_OTHER_TIME} Abort in a setTimeout.` },
        { object: 'crypto', property: 'subtle', message: NO_THREADS },
      ],
      'no-restricted-globals': ['error', { name: 'fetch', message: NO_OTHER_TIME }],
    },
  },
  {
    plugins: { own: { rules: { 'lines-per-function': linesPerFunction } } },
    rules: {
      complexity: ['error', 12],
      'max-depth': ['error', 3],
      'own/lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-nested-ternary': 'error',
      'max-params': ['error', 4],
    },
  },
  {
    // Self-tests read what other programs wrote, and run functions in a browser; eslint does not tell the types of its rules.
    files: ['tests/self/**', 'eslint.config.js'],
    rules: Object.fromEntries(
      ['argument', 'assignment', 'call', 'member-access', 'return'].map((what) => [
        `@typescript-eslint/no-unsafe-${what}`,
        'off',
      ]),
    ),
  },
);
