/** Vendors that nobody has judged: reports made up from the catalogue, each a little different. */
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import type { VendorCertificate } from '../../../reports/shown/vendors/certificate.ts';
import type { VendorRun } from '../../../reports/shown/vendors/vendor-matrix.ts';
import { CONFORMING, exchange, HOSTILE_TEXT, report } from './sample-reports.ts';

const TESTED = Object.keys(REQUIREMENTS).filter((id) => REQUIREMENTS[id]?.excused === undefined);

/** One made-up report. Every fifth conforms; the others fail up to twelve requirements, all in one exchange. */
export function vendorReport(index: number): Report {
  const pets = Array.from({ length: 12 }, (_, id) => ({
    id,
    name: `Rex ${id}`,
    categoryId: 1,
    status: 'Sold',
  }));
  const body = index === 1 ? HOSTILE_TEXT : JSON.stringify(pets);
  const failed = {
    ...{
      expected: 'what the document says',
      received: index === 1 ? HOSTILE_TEXT : `something else, ${index}`,
    },
    ...{ pointer: '/0/status', evidence: ['x1'] },
  };
  const count = index % 5 === 0 ? 0 : 1 + ((index * 7) % 12);
  const ids = Array.from(
    { length: count },
    (_, each) => TESTED[(index * 31 + each * 17) % TESTED.length] ?? '',
  );
  const verdictOf = (id: string) => (REQUIREMENTS[id]?.level === 'must' ? 'fail' : 'warn');
  return report(Object.fromEntries(ids.map((id) => [id, { verdict: verdictOf(id), ...failed }])), {
    target: { baseUrl: `https://vendor-${index}.example/v1`, embedded: false, environment: 'staging' },
    exchanges: [
      exchange('x1', { response: { status: 200, statusText: 'OK', headers: [], body, bytes: body.length } }),
    ],
    observations: CONFORMING.observations.map((each, question) => ({
      ...each,
      observed: (index + question) % 3 === 0 ? 'rejects-400' : each.observed,
    })),
  });
}

/** That many vendors, with certificates in every state. */
export function vendors(count: number): VendorRun[] {
  const states: (VendorCertificate | null)[] = [
    { notAfter: '2027-02-01T00:00:00.000Z', state: 'valid', why: '', subject: 'Rex Pets 2.3' },
    { notAfter: '2026-08-01T00:00:00.000Z', state: 'expired', why: 'it expired', subject: 'Rex Pets 2.3' },
    null,
  ];
  return Array.from({ length: count }, (_, index) => ({
    name:
      index === 1 ? `Hostile <b> & ${HOSTILE_TEXT.slice(0, 60)}` : `Vendor ${String(index).padStart(3, '0')}`,
    report: vendorReport(index),
    page: index % 2 === 0 ? `vendor-${index}/conformance.html` : null,
    certificate: states[index % 3] ?? null,
  }));
}
