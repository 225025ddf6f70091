/** Writes the name of the judged implementation (the subject of a report), as the operator gave it. */
import type { Subject } from '../../../fixtures/settings/subject.ts';
import type { Report } from '../../document/report-document.ts';

const COMMIT_DIGITS = 12;

/** Returns name and version of the judged implementation: `rex-pets 2.3.1`; null if the report does not name it. */
export function writeSubject({ target: { subject } }: Pick<Report, 'target'>): string | null {
  return subject == null ? null : `${subject.name} ${subject.version}`;
}

/** Returns name, version, commit and address of the judged implementation in one line. */
export function writeSubjectInFull(subject: Subject): string {
  const { name, version, commit, url } = subject;
  return [writeNameInFull(`${name} ${version}`), commit && `commit ${commit.slice(0, COMMIT_DIGITS)}`, url]
    .filter((each) => each !== null)
    .join(', ');
}

/** Adds the name with its letters beyond ASCII as numbers: `Rеx (R\u{435}x)`. So a reader can tell names that look alike. */
export function writeNameInFull(name: string): string {
  const escaped = escapeName(name);
  return escaped === name ? name : `${name} (${escaped})`;
}

/** Writes letters beyond ASCII as numbers: `R\u{435}x`. */
export function escapeName(name: string): string {
  return name.replace(/[^ -~]/gu, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}
