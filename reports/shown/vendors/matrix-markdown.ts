/** Writes the matrix of vendors as Markdown. */
import { escapeMarkdown, writeMarkdownCode } from '../words/escape.ts';
import { countNoun, SYMBOLS } from '../words/verdict-words.ts';
import { describeVendorVerdict, type Vendor, type VendorMatrix } from './vendor-matrix.ts';

/** The most vendors that a list names; the others are counted. */
const MOST_NAMED = 12;

/** Returns the matrix as Markdown: a line for each vendor, then the differences. */
export function renderMatrixMarkdown({ vendors, requirements, madeAt }: VendorMatrix): string {
  const judged = vendors.filter(({ verdict }) => verdict !== 'not-judged');
  const differing = requirements
    .map(({ id, level }, index) => ({
      id,
      level,
      verdicts: judged.map(({ verdicts }) => verdicts[index] ?? null),
    }))
    .filter(({ verdicts }) => new Set(verdicts).size > 1);
  const isNamed = vendors.some(({ release }) => release !== '');
  return [
    `# ${countNoun(vendors.length, 'vendor')}`,
    `Made at ${madeAt}.`,
    [
      `| vendor |${isNamed ? ' release |' : ''} verdict | fail | warning | certificate | judged |`,
      `|---|${isNamed ? '---|' : ''}---|--:|--:|---|---|`,
      ...vendors.map((each) => writeRow(each, isNamed)),
    ].join('\n'),
    ...(differing.length === 0
      ? []
      : [
          '## Differences',
          differing
            .map(({ id, verdicts }) => `- ${writeMarkdownCode(id)} ${tally(verdicts, judged)}`)
            .join('\n'),
        ]),
    '',
  ].join('\n\n');
}

/** @param isNamed true if the table has a column for the release */
function writeRow(vendor: Vendor, isNamed: boolean): string {
  const { name, release, fails, warns, certificate, startedAt } = vendor;
  return `| ${escapeMarkdown(name)} |${isNamed ? ` ${escapeMarkdown(release)} |` : ''} ${escapeMarkdown(describeVendorVerdict(vendor))} | ${fails} | ${warns} | ${escapeMarkdown(certificate?.words ?? 'none')} | ${startedAt.slice(0, 10)} |`;
}

/** Lists verdicts with the vendors that have them, the rarest verdict first. */
function tally(verdicts: readonly (string | null)[], vendors: readonly Vendor[]): string {
  const groups = [...new Set(verdicts)]
    .map((verdict) => ({
      verdict,
      names: vendors.filter((_, index) => verdicts[index] === verdict).map(({ name }) => name),
    }))
    .toSorted((left, right) => left.names.length - right.names.length);
  return groups
    .map(({ verdict, names }, index) => {
      // The most common verdict only counts its vendors.
      const values =
        index === groups.length - 1
          ? countNoun(names.length, 'vendor')
          : `${names.slice(0, MOST_NAMED).map(escapeMarkdown).join(', ')}${names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''}`;
      return `${SYMBOLS[verdict as keyof typeof SYMBOLS] ?? '?'} ${verdict ?? 'unknown'}: ${values}`;
    })
    .join('; ');
}
