import type { Subject } from '../../fixtures/settings/subject.ts';
import type { Report } from '../document/report.ts';

/** Digits of a commit that people read. */
const DIGITS = 12;

/** What is judged, by name and version: `rex-pets 2.3.1`; null if the report does not say it. */
export function subjectOf({ target: { subject } }: Pick<Report, 'target'>): string | null {
  return subject == null ? null : nameAndVersion(subject);
}

/** Everything that is said of it, in a line. */
export function subjectInFull(subject: Subject): string {
  const { commit, url } = subject;
  return [nameInFull(nameAndVersion(subject)), commit && `commit ${commit.slice(0, DIGITS)}`, url]
    .filter((each) => each !== null)
    .join(', ');
}

/** From one subject to another; of the same name, only its versions: `rex-pets 2.3.1 → 2.4.0`. Null if a run does not name its own. */
export function subjectChange(before: Subject | null, after: Subject | null): string | null {
  if (before === null || after === null) return null;
  const isSame = before.name === after.name;
  if (isSame && before.version === after.version) return nameAndVersion(after);
  return `${nameAndVersion(before)} → ${isSame ? after.version : nameAndVersion(after)}`;
}

/** A name, and beside it its letters beyond ASCII by their numbers: `Rеx (R\\u{435}x)`. Two names that look alike differ there. */
export function nameInFull(name: string): string {
  const escaped = escapedName(name);
  return escaped === name ? name : `${name} (${escaped})`;
}

/** Only ASCII: `R\\u{435}x`. */
export function escapedName(name: string): string {
  return name.replace(/[^ -~]/gu, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}

function nameAndVersion({ name, version }: Subject): string {
  return `${name} ${version}`;
}
