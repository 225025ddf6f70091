import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'reports/out/', 'test-results/', 'fixtures/implementations/others/sqlite.mjs'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['eslint.config.js', 'bin/build.js'] }, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: {
      // Methods that keep an asynchronous interface are async without awaiting.
      '@typescript-eslint/require-await': 'off',
      // Numbers, identifiers and verdicts are written into messages as they are.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowNullish: true }],
      // JSON values are compared and shown by their text.
      '@typescript-eslint/no-base-to-string': 'off',
      // Arguments of tests are destructured, and are closures without `this`.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-restricted-syntax': ['error', { selector: "CallExpression[callee.object.name='test'][callee.property.name='only']", message: 'A run that leaves tests out is no run.' }],
    },
  },
  {
    // Self-tests read what other programs wrote, and run functions in a browser.
    files: ['tests/self/**'],
    rules: Object.fromEntries(['argument', 'assignment', 'call', 'member-access', 'return'].map((what) => [`@typescript-eslint/no-unsafe-${what}`, 'off'])),
  },
);
