/** A report as texts: on a terminal, in a job summary, as a page, and as annotations of a CI system. */
import type { Report } from '../../../reports/document/report-document.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import { renderAnnotations } from '../../../reports/shown/text/annotations.ts';
import { renderSummary, renderTerminal } from '../../../reports/shown/text/run-text.ts';

/** Returns what a terminal shows, without colours. `width` in columns: by default no sentence is broken. */
export const renderPlain = (report: Report, width = 400) =>
  renderTerminal(report, { colour: false, width, reportDir: 'reports/out' });

export const renderTexts = (report: Report) => ({
  terminal: renderPlain(report, 120),
  summary: renderSummary(report),
  page: renderConformancePage(report),
  annotations: renderAnnotations(report),
});
