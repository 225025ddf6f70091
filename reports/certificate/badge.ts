/** A badge that says what was certified, by which version, until when, and whose key signed. From a verified attestation only. */
import { html } from '../words/escape.ts';
import { nameInFull } from '../words/subject.ts';
import { EXTENSION, type Statement } from './statement.ts';

const LABEL = 'animal store';
/** Colours with enough contrast to white letters. */
const COLOURS = { PASSED: '#1b663b', WARNED: '#7d4a00', FAILED: '#a3161b' } as const;

/** Letters of a long name that the badge shows, and digits of the name of the key. */
const [LETTERS, DIGITS] = [60, 12];

/** Subject, scope, version, dates, and the first digits of the key of the issuer. */
function badgeMessage({ predicate }: Statement, keyId: string): string {
  const { subject, specification, suite, validity, runBy } = predicate[EXTENSION];
  const result = `${specification} conforming${predicate.result === 'WARNED' ? ', with warnings' : ''}`;
  const dates = `${validity.notBefore.slice(0, 10)} to ${validity.notAfter.slice(0, 10)}`;
  const name = nameInFull(subject);
  const shown = name.length > LETTERS ? `${name.slice(0, LETTERS)}…` : name;
  return [
    shown,
    result,
    `run by the ${runBy}`,
    `suite ${suite.version}`,
    dates,
    `key ${keyId.slice(0, DIGITS)}`,
  ].join(' · ');
}

/** The JSON that shields.io reads from an address (its endpoint badge). */
export function badgeJson(statement: Statement, keyId: string): string {
  return `${JSON.stringify({ schemaVersion: 1, label: LABEL, message: badgeMessage(statement, keyId), color: COLOURS[statement.predicate.result] })}\n`;
}

/** The badge as a picture that needs no network; a click on it opens the page of the certificate beside it. */
export function badgeSvg(statement: Statement, keyId: string): string {
  const message = badgeMessage(statement, keyId);
  const [left, right] = [width(LABEL), width(message)];
  const text = (x: number, length: number, words: string) =>
    `<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${html(words)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${html(`${LABEL}: ${message}`)}">
<title>${html(`${LABEL}: ${message}`)}</title>
<a href="certificate.html">
<rect width="${left}" height="20" fill="#41464d"/><rect x="${left}" width="${right}" height="20" fill="${COLOURS[statement.predicate.result]}"/>
<g fill="#fff" text-anchor="start" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(6, left - 12, LABEL)}${text(left + 6, right - 12, message)}</g>
</a>
</svg>
`;
}

/** About the width of a text in pixels; the picture stretches its letters to it. */
function width(text: string): number {
  return Math.round(text.length * 6.4) + 12;
}
