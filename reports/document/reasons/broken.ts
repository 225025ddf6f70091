/** Says in a few plain words which promise is broken, and how. Pure. */
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
import type { RequirementResult } from '../report-document.ts';

/** The members of a broken requirement that say how it is broken. */
type BrokenPromise = Pick<RequirementResult, 'id' | 'statement' | 'statuses' | 'sent'>;

/** Finds the part of `broken` in brackets: `[gets 401]`, `[get 201 or 400]`. Its groups are the verb, the s, and the answer. */
const DOCUMENTED = /\[(get|answer)(s?) ([^\]]+)\]/;

/**
 * Says what is wrong, with the status that came if it is known: `createPet without a name gets 422 in place of 400`. Returns
 * the statement of a requirement that this suite does not know.
 */
export function describeBroken({ id, statement, statuses, sent }: BrokenPromise): string {
  const words = REQUIREMENTS[id]?.broken;
  if (words === undefined) return statement;
  if (statuses === undefined) return words.replace(DOCUMENTED, negateAnswer);
  const { promised, came } = statuses;
  if (sent !== undefined && id.startsWith('create-pet.')) return `createPet answers ${came} to ${sent}`;
  return DOCUMENTED.test(words)
    ? words.replace(DOCUMENTED, `$1$2 ${came} in place of $3`)
    : `${words}: ${came} in place of ${promised}`;
}

/** Turns `[gets 401]` into `does not get 401`. */
function negateAnswer(documented: string): string {
  const [, verb = '', end = '', answer = ''] = DOCUMENTED.exec(documented) ?? [];
  if (answer.includes(' or ')) return `${verb}${end} neither ${answer.replace(' or ', ' nor ')}`;
  return `${end === 's' ? 'does' : 'do'} not ${verb} ${answer}`;
}
