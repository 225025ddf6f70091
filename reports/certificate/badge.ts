/** Makes the badge of a certificate: subject, version, dates and key. It takes a verified attestation only. */
import { escapeHtml } from '../shown/words/escape.ts';
import { writeNameInFull } from '../shown/words/subject-words.ts';
import { EXTENSION, type Statement } from './statement.ts';

const LABEL = 'animal store';
/** These colours have enough contrast to white letters. */
const COLOURS = { PASSED: '#1b663b', WARNED: '#7d4a00' } as const;

/** The most letters of the name on the badge, and the digits of the key's id. */
const [LETTERS, DIGITS] = [60, 12];

/** Returns the text of the badge: subject, result, suite version, dates, and the first digits of the issuer's key. */
function writeBadgeText({ predicate }: Statement, keyId: string): string {
  const { subject, specification, suite, validity, runBy } = predicate[EXTENSION];
  const result = `${specification} conforming${predicate.result === 'WARNED' ? ', with warnings' : ''}`;
  const dates = `${validity.notBefore.slice(0, 10)} to ${validity.notAfter.slice(0, 10)}`;
  const name = writeNameInFull(subject);
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

/** Returns the JSON for the endpoint badge of shields.io. */
export function writeBadgeJson(statement: Statement, keyId: string): string {
  return `${JSON.stringify({ schemaVersion: 1, label: LABEL, message: writeBadgeText(statement, keyId), color: COLOURS[statement.predicate.result] })}\n`;
}

/** Returns the badge as an SVG that needs no network. A click on it opens certificate.html in the same folder. */
export function drawBadge(statement: Statement, keyId: string): string {
  const message = writeBadgeText(statement, keyId);
  const [left, right] = [estimateWidth(LABEL), estimateWidth(message)];
  const text = (x: number, length: number, words: string) =>
    `<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeHtml(words)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${escapeHtml(`${LABEL}: ${message}`)}">
<title>${escapeHtml(`${LABEL}: ${message}`)}</title>
<a href="certificate.html">
<rect width="${left}" height="20" fill="#41464d"/><rect x="${left}" width="${right}" height="20" fill="${COLOURS[statement.predicate.result]}"/>
<g fill="#fff" text-anchor="start" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(6, left - 12, LABEL)}${text(left + 6, right - 12, message)}</g>
</a>
</svg>
`;
}

/** Estimates the width of a text in pixels. The SVG stretches the letters to this width. */
function estimateWidth(text: string): number {
  return Math.round(text.length * 6.4) + 12;
}
