/** Groups the promises of a report by the sections of the interface document, e.g. `Limits`, for pages and JUnit. */
import { SECTIONS } from '../../fixtures/interface/sections.ts';
import type { Report, RequirementResult } from './report-document.ts';

/** One section of the document with its promises and the number of its open questions. */
export interface Section {
  title: string;
  requirements: RequirementResult[];
  questions: number;
}

/** Returns every section of the document in its order, also empty ones. Sections that only an older report knows come last. */
export function groupBySection(report: Report): Section[] {
  const titles = new Set([
    ...SECTIONS.map(({ section }) => section),
    ...report.requirements.map(({ section }) => section),
  ]);
  return [...titles].map((title) => ({
    title,
    requirements: report.requirements.filter(({ section }) => section === title),
    questions: report.observations.filter(({ section }) => section === title).length,
  }));
}
