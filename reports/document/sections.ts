import type { Report, RequirementResult } from './report.ts';

/** The headings of the interface document, in its order. */
const HEADINGS = [
  'What the service does',
  'Pet',
  'NewPet',
  'Pets',
  'PetStatus',
  'Error',
  'Category',
  'States and transitions',
  'Endpoints',
  'GET /pets (listPets)',
  'POST /pets (createPet)',
  'GET /pets/{petId} (getPet) - deprecated',
  'Other endpoints',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
];

/** One section of the document with its promises, and how many open questions it leaves. */
export interface Section {
  title: string;
  requirements: RequirementResult[];
  questions: number;
}

/** Every section of the document in its order, the empty ones too; sections it does not know come last. */
export function sectionsOf(report: Report): Section[] {
  const titles = new Set([...HEADINGS, ...report.requirements.map(({ section }) => section)]);
  return [...titles].map((title) => ({
    title,
    requirements: report.requirements.filter(({ section }) => section === title),
    questions: report.observations.filter(({ section }) => section === title).length,
  }));
}
