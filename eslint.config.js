import { readFileSync } from 'node:fs';
import boundaries from 'eslint-plugin-boundaries';
import tseslint from 'typescript-eslint';

/** @typedef {{ room: string, doors?: readonly string[] }} Room */

/** @type {unknown} */
const listed = JSON.parse(readFileSync(new URL('tests/self/rooms.json', import.meta.url), 'utf8'));
/** From the ground up: a room imports from itself and from rooms before it, through their doors. */
const ROOMS = /** @type {readonly Room[]} */ (listed);
/** @param {Room} room */
const isOpen = ({ doors }) => doors === undefined;
/** @param {readonly Room[]} rooms */
const named = (rooms) => ({ types: { anyOf: rooms.map(({ room }) => room) } });

/** What a room may import. Deeper rooms lie in higher ones and are described first: the plugin takes the first that fits. */
const rules = ROOMS.map(({ room }, at) => ({
  files: [`${room}/**/*.ts`],
  ignores: [
    'tests/self/**',
    ...ROOMS.filter((each) => each.room.startsWith(`${room}/`)).map((each) => `${each.room}/**`),
  ],
  plugins: { boundaries },
  settings: {
    'import/resolver': { node: { extensions: ['.ts', '.js'] } },
    'boundaries/elements': ROOMS.toSorted(
      (left, right) => right.room.split('/').length - left.room.split('/').length,
    ).map((each) => ({ type: each.room, pattern: each.room })),
    'boundaries/files': [
      {
        category: 'door',
        pattern: ROOMS.flatMap((each) => (each.doors ?? []).map((door) => `${each.room}/${door}.ts`)),
      },
    ],
  },
  rules: {
    'boundaries/dependencies': [
      'error',
      {
        default: 'disallow',
        message:
          '{{from.element.type}} must not import this file of {{to.element.type}}: imports run down only, and through doors (tests/self/rooms.json)',
        policies: [
          { allow: { to: { element: named([...ROOMS.slice(0, at).filter(isOpen), { room }]) } } },
          { allow: { to: { element: named(ROOMS.slice(0, at)), file: { categories: 'door' } } } },
        ],
      },
    ],
  },
}));

const NO_PART = {
  selector: "CallExpression[callee.object.name='test'][callee.property.name='only']",
  message: 'A run that leaves tests out is no run.',
};
const NO_OTHER_WAY_OUT = {
  selector:
    "MemberExpression[object.object.name='process'][object.property.name=/^std(out|err)$/][property.name='write'], MemberExpression[object.name='console']",
  message: 'bin/output/print.ts prints: nothing that a text quotes acts on a terminal or a CI log.',
};

export default tseslint.config(
  { ignores: ['dist/', 'reports/out/', 'test-results/', 'fixtures/implementations/others/sqlite.mjs'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js', 'bin/build.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
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
    // What only this clone runs prints nothing of others; self-tests print for themselves.
    files: [
      'bin/output/print.ts',
      'bin/{prove,bench,release}/**',
      'bin/{prove,prove-hostile,bench}.ts',
      'tests/self/**',
    ],
    rules: { 'no-restricted-syntax': ['error', NO_PART] },
  },
  // Imports run down, types included. ARCHITECTURE.md shows the rooms; a self-test looks for circles within one.
  ...rules,
  {
    // Self-tests read what other programs wrote, and run functions in a browser.
    files: ['tests/self/**'],
    rules: Object.fromEntries(
      ['argument', 'assignment', 'call', 'member-access', 'return'].map((what) => [
        `@typescript-eslint/no-unsafe-${what}`,
        'off',
      ]),
    ),
  },
);
