/**
 * `npm run release-notes -- v1.2.3`: prints the changelog of a version. Exit code 2: the tag is not this version, or the
 * version has no notes.
 */
import { readFileSync } from 'node:fs';
import suite from '../../package.json' with { type: 'json' };

const [tag = ''] = process.argv.slice(2);
// This path leads from dist/bin/release/ to the root of the project.
const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
// `$` is the end of each line, and `$(?![\s\S])` the end of the file.
const [, notes = ''] =
  new RegExp(`^## ${suite.version.replaceAll('.', '\\.')}$([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(
    changelog,
  ) ?? [];

if (tag !== `v${suite.version}`) {
  process.stderr.write(`The tag must be v${suite.version}, as package.json says.\n`);
  process.exitCode = 2;
} else if (notes.trim() === '') {
  process.stderr.write(`CHANGELOG.md says nothing of ${suite.version}.\n`);
  process.exitCode = 2;
} else process.stdout.write(`${notes.trim()}\n`);
