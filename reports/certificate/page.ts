/** Makes the certificate as one page to print: subject, version, dates, and the command that checks it. */
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import type { Verdict } from '../document/report-document.ts';
import { markup, type Markup } from '../page/markup.ts';
import { renderPage } from '../page/page-frame.ts';
import { renderPlainStrip } from '../page/strip.ts';
import { writeNameInFull, writeSubjectInFull } from '../words/subject-words.ts';
import { countNoun } from '../words/verdict-words.ts';
import { hashBytes } from './signed/canonical.ts';
import { readKeyId } from './signed/envelope.ts';
import { writeBadgeJson, drawBadge } from './badge.ts';
import { EXTENSION, type Certificate, type Statement } from './statement.ts';

/** Returns all files that are made from a verified attestation, by file name. */
export function renderFiles(statement: Statement, attestation: Uint8Array): Record<string, string> {
  return {
    'certificate.html': renderCertificatePage(statement, attestation),
    'badge.json': writeBadgeJson(statement, readKeyId(attestation) ?? ''),
    'badge.svg': drawBadge(statement, readKeyId(attestation) ?? ''),
  };
}

/** Returns the page of the certificate. Each fact on it is in the attestation. */
function renderCertificatePage(statement: Statement, attestation: Uint8Array): string {
  const { predicate, subject } = statement;
  const certificate = predicate[EXTENSION];
  const { specification } = certificate;
  const facts = listFacts(statement, attestation);
  return renderPage(
    `Certificate: ${certificate.subject}`,
    markup`<header class="head">
<p class="kind">Certificate of conformance · animal store interface ${specification}</p>
<h1><bdi>${writeNameInFull(certificate.subject)}</bdi></h1>
</header>
<main id="main" tabindex="-1">
<section class="judged conforming" aria-labelledby="verdict">
<h2 id="verdict"><span aria-hidden="true">✓</span> Conforming${predicate.result === 'WARNED' && ', with warnings'}</h2>
<p class="reason">Every promise of the interface that applies was kept in one complete run under the certification profile${predicate.warnedTests.length > 0 && `; ${countNoun(predicate.warnedTests.length, 'recommendation')} of the standards behind it ${predicate.warnedTests.length === 1 ? 'was' : 'were'} not`}.</p>
${toCheck(statement, attestation)}
${renderPlainStrip(listVerdicts(statement))}
</section>
<dl class="circumstances">${facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${renderPart('Claimed', 'Nothing in the files can show these facts: somebody claims them.', markup`${certificate.words.map(({ by, what }) => markup`<li>The ${by} claims: ${what}</li>`)}${renderJudged(statement)}`)}
${list('Warnings', 'Broken recommendations. They do not keep a target from conforming.', predicate.warnedTests.map(renderPromise))}
${list(
  'Not applicable',
  'The situation does not exist at this target.',
  certificate.notApplicable.map(
    ({ id, reason, undecided = false }) =>
      markup`<li>${findStatement(id)} <code class="id">${id}</code><span class="why">${undecided && 'undecided: '}<bdi>${reason}</bdi></span></li>`,
  ),
)}
${list('Excluded in this release', 'Somebody showed a conforming implementation that fails them, so they do not count.', certificate.excluded.map(renderPromise))}
${list('Cannot be tested from outside', 'The certificate says nothing about these promises.', certificate.excused.map(renderPromise))}
${list(
  'Attested, not computed again',
  'Verdicts that rest, wholly or in part, on claims in the evidence. `verify` computes all others again from the answers themselves.',
  Object.entries(certificate.attested).map(
    ([id, reasons]) =>
      markup`<li>${findStatement(id)} <code class="id">${id}</code><span class="why">${reasons.join('; ')}</span></li>`,
  ),
)}
${list(
  'What is signed',
  'Each by its SHA-256.',
  [...subject, ...predicate.configuration].map(
    ({ name, digest }) => markup`<li><bdi>${name}</bdi> <code>${digest.sha256}</code></li>`,
  ),
)}
</main>
<footer><p>This page does not prove anything: attestation.json does. The command above checks it without a network. CERTIFICATION.md explains how, and what a certificate does not say.</p></footer>`,
  );
}

/** Returns the verdict of each promise that the attestation names, in the order of the catalogue. */
function listVerdicts({ predicate }: Statement): (readonly [string, Verdict])[] {
  const { notApplicable, excused } = predicate[EXTENSION];
  const verdicts = new Map<string, Verdict>([
    ...predicate.passedTests.map((id): [string, Verdict] => [id, 'pass']),
    ...predicate.warnedTests.map((id): [string, Verdict] => [id, 'warn']),
    ...notApplicable.map(({ id, undecided }): [string, Verdict] => [
      id,
      undecided === true ? 'inconclusive' : 'not-applicable',
    ]),
    ...excused.map((id): [string, Verdict] => [id, 'excused']),
  ]);
  return Object.keys(REQUIREMENTS).flatMap((id) => {
    const verdict = verdicts.get(id);
    return verdict === undefined ? [] : [[id, verdict] as const];
  });
}

/** Issuer, build and the command that checks the certificate. They come first on the page. */
function toCheck({ subject, predicate }: Statement, attestation: Uint8Array): Markup {
  const build = subject.find(({ name }) => name === predicate[EXTENSION].subject);
  return markup`<dl class="to-check">
<div><dt>Key of the issuer</dt><dd><code>${readKeyId(attestation) ?? 'none'}</code></dd></div>
<div><dt>Build that was judged</dt><dd>${build === undefined ? 'no digest was given' : markup`<code>sha256:${build.digest.sha256}</code>`}</dd></div>
<div><dt>Check it</dt><dd><code>npx animal-store-conformance verify attestation.json --public-key issuer.pem.pub --evidence .</code></dd></div>
</dl>`;
}

/** Returns the facts at the top of the page, with their names. */
function listFacts({ predicate }: Statement, attestation: Uint8Array): [string, string | Markup][] {
  const certificate = predicate[EXTENSION];
  const { suite, profile, validity, specification } = certificate;
  const levels = (level: 'must' | 'should') =>
    predicate.passedTests.filter((id) => REQUIREMENTS[id]?.level === level).length;
  return [
    ['Holds from', renderDay(validity.notBefore)],
    ['Until', renderDay(validity.notAfter)],
    ['Interface', `animal store, version ${specification}`],
    ['Suite', `${suite.name} ${suite.version}`],
    ['Profile', `${profile.name}, version ${profile.version}`],
    ['Promises kept', `${levels('must')} must, ${levels('should')} should`],
    [
      'Verdicts that rest on claims',
      `${Object.keys(certificate.attested).length} of ${Object.keys(REQUIREMENTS).length}`,
    ],
    [
      'Run by',
      certificate.runBy === 'issuer' ? 'the issuer' : 'the vendor, in answer to a challenge of the issuer',
    ],
    ['Asked as an ordinary client', describeUnannounced(certificate)],
    ['Attestation (SHA-256 of the file)', markup`<code>${hashBytes(attestation)}</code>`],
  ];
}

/** Counts the requests that were sent as an ordinary client sends them, and those that a gateway refused. */
function describeUnannounced({ unannounced: { asked, refused } }: Certificate): string {
  return `${countNoun(asked, 'request')}${refused === 0 ? '' : `; a gateway refused ${refused} of them, which were not judged`}`;
}

/** Returns what was judged: release, address, run, and the clock of the target. */
function renderJudged({ predicate }: Statement): Markup {
  const { claims, clockApart } = predicate[EXTENSION];
  const { subject, address, environment, run, startedAt } = claims;
  const release = subject !== undefined && markup`as <bdi>${writeSubjectInFull(subject)}</bdi> `;
  const place = environment !== null && markup` (${environment})`;
  const side = (seconds: number) => (seconds > 0 ? 'ahead' : 'behind');
  const clock =
    clockApart !== null &&
    markup`; the clock of the target was ${Math.abs(clockApart)} s ${side(clockApart)}`;
  return markup`<li>Judged ${release}at <bdi>${address}</bdi>${place}, run <code>${run}</code>, begun ${renderMoment(startedAt)}${clock}.</li>`;
}

function renderPart(title: string, lead: string, items: Markup): Markup {
  return markup`<section class="part"><h2>${title}</h2><p>${lead}</p><ul class="results">${items}</ul></section>`;
}

function list(title: string, lead: string, items: readonly Markup[]): Markup | null {
  return items.length === 0 ? null : renderPart(title, lead, markup`${items}`);
}

function renderPromise(id: string): Markup {
  return markup`<li>${findStatement(id)} <code class="id">${id}</code></li>`;
}

function findStatement(id: string): string {
  return REQUIREMENTS[id]?.statement ?? id;
}

function renderDay(time: string): Markup {
  return markup`<time datetime="${time}">${time.slice(0, 10)}</time>`;
}

function renderMoment(time: string): Markup {
  return markup`<time datetime="${time}">${time.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</time>`;
}
