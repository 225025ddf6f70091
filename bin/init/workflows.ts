/**
 * Workflow files that judge a service in CI; `init --ci` writes one. `text` makes the content for the package that npx runs: a
 * name with a version, or a file.
 */
export const WORKFLOWS = {
  github: { path: '.github/workflows/conformance.yml', text: github },
  gitlab: { path: '.gitlab-ci.yml', text: gitlab },
} as const;

function github(wanted: string): string {
  const isFile = wanted.endsWith('.tgz');
  return `# Judges the service with every push. Settings > Secrets and variables > Actions: the variable STAGING_URL, the secret STAGING_KEY.
name: conformance
on: [push]
permissions:
  contents: read
jobs:
  conformance:
    runs-on: ubuntu-latest
    steps:
${isFile ? '      - uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1\n' : ''}      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with: { node-version: 24 }
      - run: npx --yes ${wanted}
        env:
          BASE_URL: \${{ vars.STAGING_URL }}
          API_KEY: \${{ secrets.STAGING_KEY }}
          CATEGORY_IDS: '1' # a category that exists there
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        if: always()
        with: { name: conformance, path: reports/out }
`;
}

function gitlab(wanted: string): string {
  return `# Judges the service with every push. Settings > CI/CD > Variables: STAGING_URL, and STAGING_KEY, masked.
conformance:
  image: node:24-slim
  script:
    - npx --yes ${wanted}
  variables:
    BASE_URL: $STAGING_URL
    API_KEY: $STAGING_KEY
    CATEGORY_IDS: '1' # a category that exists there
  artifacts:
    when: always
    paths: [reports/out]
    reports:
      junit: reports/out/junit.xml
`;
}
