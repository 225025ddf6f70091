/** Vendors that nobody has judged, for the matrix: their reports are made up from the catalogue, each a little different. */
import { REQUIREMENTS, TESTED } from '../../../fixtures/interface/requirements.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import type { VendorRun } from '../../../reports/shown/vendors/vendor-matrix.ts';
import { HOSTILE_TEXT } from './hostile-report.ts';
import { CONFORMING, failureWith, report, requestWith } from './sample-reports.ts';

/** One made-up report. Each fifth one conforms. The others break up to twelve requirements, e.g. vendor 1 eight: TESTED[31], [48], [65] and more. */
export function vendorReport(index: number): Report {
  const pet = (_: unknown, id: number) => ({ id, name: `Rex ${id}`, categoryId: 1, status: 'Sold' });
  const body = index === 1 ? HOSTILE_TEXT : JSON.stringify(Array.from({ length: 12 }, pet));
  const received = index === 1 ? HOSTILE_TEXT : `something else, ${index}`;
  const failed = failureWith({ received, pointer: '/0/status', evidence: ['x1'] });
  const count = index % 5 === 0 ? 0 : 1 + ((index * 7) % 12);
  const ids = Array.from(
    { length: count },
    (_, each) => TESTED[(index * 31 + each * 17) % TESTED.length] ?? '',
  );
  const verdictOf = (id: string) => (REQUIREMENTS[id]?.level === 'must' ? 'fail' : 'warn');
  return report(Object.fromEntries(ids.map((id) => [id, { ...failed, verdict: verdictOf(id) }])), {
    target: { baseUrl: `https://vendor-${index}.example/v1`, embedded: false, environment: 'staging' },
    exchanges: [requestWith('x1', { path: '/pets?status=sold&limit=5', said: body })],
    observations: CONFORMING.observations.map((each, question) => ({
      ...each,
      observed: (index + question) % 3 === 0 ? 'rejects-400' : each.observed,
    })),
  });
}

/** Returns `count` vendors. The second one is hostile, and each second one has a page. */
export function vendors(count: number): VendorRun[] {
  return Array.from({ length: count }, (_, index) => ({
    name:
      index === 1 ? `Hostile <b> & ${HOSTILE_TEXT.slice(0, 60)}` : `Vendor ${String(index).padStart(3, '0')}`,
    report: vendorReport(index),
    page: index % 2 === 0 ? `vendor-${index}/conformance.html` : null,
  }));
}
