import type { Evidence } from '../fixtures/exchange.ts';
import type { Requirement, Silence } from '../fixtures/requirements.ts';
import { IN_A_CLONE, onlyCommand } from './commands.ts';

/** What is known of one requirement or open question, from the catalogue, the tests, a recorded run and the proof. */
export interface Explained {
  id: string;
  requirement: Requirement | undefined;
  silence: Silence | undefined;
  tests: readonly string[];
  /** What the reference was asked for it, and answered. */
  exchanges: readonly Evidence[];
  faults: readonly { id: string; what: string }[];
  freedoms: readonly { id: string; what: string; permittedBy: string }[];
}

/** Lines of one part that are told before the rest is only counted. */
const TOLD = 12;

/** The explanation as text. */
export function explanation({ id, requirement, silence, tests, exchanges, faults, freedoms }: Explained): string {
  const { section = '' } = requirement ?? silence ?? {};
  const told = requirement === undefined ? `An open question: ${silence?.question ?? ''}` : requirement.statement;
  const level = requirement === undefined ? 'observed, never judged' : requirement.excused === undefined ? requirement.level : `excused: ${requirement.excused}`;
  return [
    `${id} (${level})`,
    `  section "${section}"`,
    `  ${told}`,
    ...part('Tests', tests),
    ...part('What is sent, and what the reference answers', [...new Set(exchanges.map(exchangeLine))]),
    ...part('Faults that prove it', faults.map(({ id: fault, what }) => `${fault}: ${what}`)),
    ...part('Freedoms that it leaves alone', freedoms.map(({ id: freedom, what, permittedBy }) => `${freedom}: ${what} (${permittedBy})`)),
    '',
    ...(requirement === undefined || requirement.excused !== undefined ? [] : [onlyCommand(IN_A_CLONE, id)]),
    '',
  ].join('\n');
}

function part(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > TOLD ? [`  … and ${lines.length - TOLD} more`] : [];
  return ['', title, ...lines.slice(0, TOLD).map((line) => `  ${line}`), ...more];
}

function exchangeLine({ request, response }: Evidence): string {
  const credential = request.headers.find(([name]) => name === 'Authorization')?.[1];
  const body = request.body === null ? '' : ` ${request.body.length > 120 ? `${request.body.slice(0, 120)}…` : request.body}`;
  const unusual = credential === 'Bearer [key]' ? '' : credential === undefined ? ', no Authorization' : `, Authorization: ${credential}`;
  return `${request.method} ${request.path}${body}${unusual} -> ${response === null ? 'no answer' : response.status}`;
}
