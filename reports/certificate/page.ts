/** Makes the page of a certificate, which can be printed, and its badge. Both are made from the attestation and the texts of the suite. Pure. */
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { markup, renderTime, type Markup } from '../shown/page/markup.ts';
import { renderPage } from '../shown/page/page-frame.ts';
import { escapeHtml } from '../shown/words/escape.ts';
import { writeNameInFull, writeSubjectInFull } from '../shown/words/subject-words.ts';
import { countNoun } from '../shown/words/verdict-words.ts';
import { hashBytes } from './signed/canonical.ts';
import { readKeyId } from './signed/envelope.ts';
import { EXTENSION, type Certificate, type Statement } from './statement.ts';

/**
 * Returns the contents of the files that are made from a verified attestation, by file name, e.g. `badge.svg`.
 * @param attestation the bytes of attestation.json
 */
export function renderFiles(statement: Statement, attestation: Uint8Array): Record<string, string> {
  const message = writeBadgeText(statement, readKeyId(attestation) ?? '');
  const color = COLOURS[statement.predicate.result];
  return {
    'certificate.html': renderCertificatePage(statement, attestation),
    // The JSON for the endpoint badge of shields.io.
    'badge.json': `${JSON.stringify({ schemaVersion: 1, label: LABEL, message, color })}\n`,
    'badge.svg': drawBadge(message, color),
  };
}

/** Returns the page of the certificate. Its facts are in the attestation; the sentences and levels of requirements are the suite's. */
function renderCertificatePage(statement: Statement, attestation: Uint8Array): string {
  const { subject, specification } = statement.predicate[EXTENSION];
  const warned = statement.predicate.warnedTests.length;
  return renderPage(
    `Certificate: ${subject}`,
    markup`<header class="head">
<p class="kind">Certificate of conformance · animal store interface ${specification}</p>
<h1><bdi>${writeNameInFull(subject)}</bdi></h1>
</header>
<main id="main" tabindex="-1">
<section class="judged conforming" aria-labelledby="verdict">
<h2 id="verdict"><span aria-hidden="true">✓</span> Conforming${warned > 0 && ', with warnings'}</h2>
<p class="reason">Every promise of the interface that applies was kept in one complete run under the certification profile${warned > 0 && `; ${countNoun(warned, 'recommendation')} of the standards behind it ${warned === 1 ? 'was' : 'were'} not`}.</p>
${renderCheck(statement, attestation)}
</section>
${renderFacts(statement, attestation)}
${renderParts(statement)}
</main>
<footer><p>This page does not prove anything: attestation.json does. The command above checks it without a network. CERTIFICATION.md explains how, and what a certificate does not say.</p></footer>`,
  );
}

/**
 * Renders the key of the issuer, the judged build, and the command that checks the certificate. The third subject of a statement is the
 * build. It is absent if the issuer named none.
 */
function renderCheck({ subject: [, , build] }: Statement, attestation: Uint8Array): Markup {
  return markup`<dl class="to-check">
<div><dt>Key of the issuer</dt><dd><code>${readKeyId(attestation) ?? 'none'}</code></dd></div>
<div><dt>Build that was judged</dt><dd>${build === undefined ? 'no digest was given' : markup`<code>sha256:${build.digest.sha256}</code>`}</dd></div>
<div><dt>Check it</dt><dd><code>npx animal-store-conformance verify attestation.json --public-key issuer.pem.pub --evidence .</code></dd></div>
</dl>`;
}

function renderFacts({ predicate }: Statement, attestation: Uint8Array): Markup {
  const { suite, profile, validity, specification, runBy, unannounced } = predicate[EXTENSION];
  const { asked, refused } = unannounced;
  const count = (level: string) =>
    predicate.passedTests.filter((id) => REQUIREMENTS[id]?.level === level).length;
  return markup`<dl class="circumstances">
<div><dt>Holds from</dt><dd>${renderDay(validity.notBefore)}</dd></div>
<div><dt>Until</dt><dd>${renderDay(validity.notAfter)}</dd></div>
<div><dt>Interface</dt><dd>animal store, version ${specification}</dd></div>
<div><dt>Suite</dt><dd>${suite.name} ${suite.version}</dd></div>
<div><dt>Profile</dt><dd>${profile.name}, version ${profile.version}</dd></div>
<div><dt>Promises kept</dt><dd>${count('must')} must, ${count('should')} should</dd></div>
<div><dt>Run by</dt><dd>${runBy === 'issuer' ? 'the issuer' : 'the vendor, in answer to a challenge of the issuer'}</dd></div>
<div><dt>Asked as an ordinary client</dt><dd>${countNoun(asked, 'request')}${refused > 0 && `; a gateway refused ${refused} of them, which were not judged`}</dd></div>
<div><dt>Attestation (SHA-256 of the file)</dt><dd><code>${hashBytes(attestation)}</code></dd></div>
</dl>`;
}

/** Renders the parts of the page that are lists. A part without items is left out. */
function renderParts(statement: Statement): Markup {
  const { subject, predicate } = statement;
  const { words, hidden, notApplicable, excluded, excused } = predicate[EXTENSION];
  const signed = [...subject, ...predicate.configuration].map(
    ({ name, digest }) => markup`<li><bdi>${name}</bdi> <code>${digest.sha256}</code></li>`,
  );
  return markup`${renderPart('Judged in part', 'Lists end early or announce that they go on, as they may. They did not show these animals.', hidden.map(renderWithReason))}
${renderPart('Claimed', 'Nothing in the files can show these facts: somebody claims them.', [...words.map(({ by, what }) => markup`<li>The ${by} claims: ${what}</li>`), renderJudged(statement)])}
${renderPart('Warnings', 'Broken recommendations. They do not keep a target from conforming.', predicate.warnedTests.map(renderPromise))}
${renderPart('Not applicable', 'The situation does not exist at this target.', notApplicable.map(renderWithReason))}
${renderPart('Excluded in this release', 'Somebody showed a conforming implementation that fails them, so they do not count.', excluded.map(renderPromise))}
${renderPart('Cannot be tested from outside', 'The certificate says nothing about these promises.', excused.map(renderPromise))}
${renderPart('What is signed', 'Each by its SHA-256.', signed)}`;
}

/** Returns what was judged: release, address, run, and the clock of the target. */
function renderJudged({ predicate }: Statement): Markup {
  const { claims, clockApart } = predicate[EXTENSION];
  const { subject, address, environment, run, startedAt } = claims;
  const release = subject !== undefined && markup`as <bdi>${writeSubjectInFull(subject)}</bdi> `;
  const place = environment !== null && markup` (${environment})`;
  const clock =
    clockApart !== null &&
    `; the clock of the target was ${Math.abs(clockApart)} s ${clockApart > 0 ? 'ahead' : 'behind'}`;
  return markup`<li>Judged ${release}at <bdi>${address}</bdi>${place}, run <code>${run}</code>, begun ${renderTime(startedAt)}${clock}.</li>`;
}

/** Renders a list with its title and one sentence; null if it has no items. */
function renderPart(title: string, lead: string, items: readonly Markup[]): Markup | null {
  if (items.length === 0) return null;
  return markup`<section class="part"><h2>${title}</h2><p>${lead}</p><ul class="results">${items}</ul></section>`;
}

function renderPromise(id: string): Markup {
  return markup`<li>${renderName(id)}</li>`;
}

function renderWithReason({ id, reason, undecided }: Certificate['notApplicable'][number]): Markup {
  return markup`<li>${renderName(id)}<span class="why">${undecided === true && 'undecided: '}<bdi>${reason}</bdi></span></li>`;
}

function renderName(id: string): Markup {
  return markup`${REQUIREMENTS[id]?.statement ?? id} <code class="id">${id}</code>`;
}

function renderDay(time: string): Markup {
  return markup`<time datetime="${time}">${time.slice(0, 10)}</time>`;
}

const LABEL = 'animal store';
/** These colours have enough contrast to white letters. */
const COLOURS = { PASSED: '#1b663b', WARNED: '#7d4a00' } as const;

/** The badge has at most this many letters of the name, and this many digits of the key's id. */
const [LETTERS, DIGITS] = [60, 12];

/** Returns the text of the badge: `Rex Pets 2.3 · 1.0.0 conforming · run by the vendor · suite 1.4.2 · … · key 0123456789ab`. */
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

/** Returns the badge as an SVG that needs no network. A click on it opens certificate.html in the same folder. */
function drawBadge(message: string, colour: string): string {
  const [left, right] = [estimateWidth(LABEL), estimateWidth(message)];
  const text = (x: number, length: number, words: string) =>
    `<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeHtml(words)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${escapeHtml(`${LABEL}: ${message}`)}">
<title>${escapeHtml(`${LABEL}: ${message}`)}</title>
<a href="certificate.html">
<rect width="${left}" height="20" fill="#41464d"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/>
<g fill="#fff" text-anchor="start" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(6, left - 12, LABEL)}${text(left + 6, right - 12, message)}</g>
</a>
</svg>
`;
}

/** Estimates the width of a text in pixels, with 6 free pixels at each end. The SVG stretches the letters to this width. */
function estimateWidth(text: string): number {
  return Math.round(text.length * 6.4) + 12;
}
