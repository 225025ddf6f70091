/** Says in a few plain words which promise is broken, and how. Pure. */
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';

/**
 * Words for each broken promise. Brackets hold the documented answer; `describeBroken` replaces them according to the answer
 * that came.
 */
const BROKEN: Readonly<Record<RequirementId, string>> = {
  'representation.media-type': 'Successful answers are not declared as application/json',
  'representation.json': 'Successful answers have a body that is not JSON',
  'representation.pet-id': 'A Pet has no integer id',
  'representation.pet-name': 'The name of a Pet is missing or not a string',
  'representation.pet-category-id': 'A Pet has no integer categoryId',
  'representation.pet-status': 'A Pet shows a status that does not exist',
  'representation.pet-object': 'A Pet is not a bare JSON object',
  'representation.member-order': 'The order of members in a request body matters',
  'representation.white-space': 'White space in a request body matters',
  'representation.escapes': 'Escapes in a request body are not understood',
  'representation.no-byte-order-mark': 'JSON begins with a byte order mark',
  'representation.content-coding': 'Bodies are coded in a way that the client does not accept',
  'representation.unique-member-names': 'An object has two members of one name',
  'representation.base-path': 'The base address does not end in /v1',
  'authentication.list-pets-missing-key': 'listPets without a key [gets 401]',
  'authentication.create-pet-missing-key': 'createPet without a key [gets 401]',
  'authentication.get-pet-missing-key': 'getPet without a key [gets 401]',
  'authentication.list-pets-wrong-key': 'listPets with a wrong key [gets 401]',
  'authentication.create-pet-wrong-key': 'createPet with a wrong key [gets 401]',
  'authentication.get-pet-wrong-key': 'getPet with a wrong key [gets 401]',
  'authentication.truncated-key': 'A part of the key [gets 401]',
  'authentication.extended-key': 'The key with more letters [gets 401]',
  'authentication.changed-key': 'The key with one letter changed [gets 401]',
  'authentication.letter-case': 'The key in another letter case [gets 401]',
  'authentication.single-case': 'The key in the other letter case is accepted',
  'authentication.empty-token': 'An empty token is not refused as it must be',
  'authentication.bare-key': 'The key without the word Bearer is not refused as it must be',
  'authentication.other-scheme': 'The key under another scheme is not refused as it must be',
  'authentication.bytes-beyond-ascii': 'A token with bytes outside ASCII is not refused as it must be',
  'authentication.wrapped-key': 'getPet takes the key in quotation marks, or behind another word',
  'authentication.malformed-credentials': 'What is not a bearer token [gets 401]',
  'authentication.every-request':
    'A valid request before it, or an odd header, opens the service for a request without a key',
  'authentication.no-cookie': 'A cookie replaces the key, or makes the key fail',
  'authentication.shared-cache': 'A read without the key gets an answer that was made for the key',
  'authentication.other-spelling': 'Another spelling of the path shows an animal without the key',
  'authentication.suffixed-path':
    'An extension or a parameter behind the path of lists shows an animal without the key',
  'authentication.after-refusals': 'A connection on which a request was refused refuses the right key',
  'authentication.invalid-and-keyless': 'An invalid request without a key is not refused as it must be',
  'authentication.no-effect': 'createPet without the right key adds an animal although it refuses it',
  'authentication.valid-key': 'The right key gets 401',
  'authentication.head': 'HEAD succeeds without a key',
  'authentication.challenge': 'A 401 has no WWW-Authenticate',
  'authentication.scheme-case': 'Bearer is taken in one letter case only',
  'list-pets.answers-200': 'listPets [answers 200]',
  'list-pets.bare-array': 'A list is not a bare array of Pets',
  'list-pets.empty': 'A list without a match is not an empty array',
  'list-pets.limit-accepted': 'listPets does not take every limit from 1 to 100',
  'list-pets.limit': 'A list has more animals than its limit',
  'list-pets.default-limit': 'A list without a limit is not the list of limit=20',
  'list-pets.status-accepted': 'listPets does not take every status as a filter',
  'list-pets.status': 'A status filter shows animals of another status',
  'list-pets.status-missing': 'A status filter shows animals without a status',
  'list-pets.limit-and-status': 'limit and status do not work together',
  'list-pets.parameter-order': 'The order of the query parameters matters',
  'list-pets.percent-encoding': 'Percent-encoded query parameters are not understood',
  'list-pets.unique-ids': 'A list shows one identifier twice',
  'list-pets.shows-added': 'Lists do not show an animal that was added',
  'list-pets.shows-added-by-status': 'Lists by status do not show an animal that was added',
  'list-pets.not-empty': 'A list is empty although animals exist',
  'list-pets.longer-limit': 'A longer limit shows fewer animals',
  'list-pets.row-cut': 'Lists end after fewer than 20 animals',
  'list-pets.limit-counts-shown': 'A limit counts rows that are not shown',
  'list-pets.agrees-with-create': 'Lists do not show an animal as it was added',
  'list-pets.name-exact': 'Lists change names',
  'list-pets.category-id-exact': 'Lists change a categoryId',
  'create-pet.answers-201': 'createPet [answers 201]',
  'create-pet.name': 'createPet answers with another name than the one sent',
  'create-pet.category-id': 'createPet answers with another categoryId than the one sent',
  'create-pet.status': 'createPet answers with another status than the one sent',
  'create-pet.status-present': 'createPet leaves the status out of its answer',
  'create-pet.status-accepted': 'createPet does not take every status',
  'create-pet.status-optional': 'createPet does not work without a status',
  'create-pet.unique-id': 'Two animals share an identifier',
  'create-pet.unique-id-concurrent': 'Animals that are added at the same time are mixed up',
  'create-pet.equal-pets': 'Two equal animals become one',
  'create-pet.kept': 'An animal is lost after its 201',
  'create-pet.adds-one': 'An animal exists that no answer to createPet showed',
  'create-pet.client-id': 'createPet goes wrong if a client sends the id of an animal',
  'create-pet.client-id-adopted': 'A new animal gets the id that the client sent',
  'create-pet.name-missing': 'createPet without a name [gets 400]',
  'create-pet.category-id-missing': 'createPet without a categoryId [gets 400]',
  'create-pet.name-type': 'A name that is not a string [gets 400]',
  'create-pet.category-id-type': 'A categoryId that is not a number [gets 400]',
  'create-pet.category-id-integer': 'A categoryId with a fraction [gets 400]',
  'create-pet.category-id-range': 'A categoryId outside int64 [gets 400]',
  'create-pet.status-type': 'A status that is not a string [gets 400]',
  'create-pet.status-values': 'A status that does not exist [gets 400]',
  'create-pet.body-missing': 'createPet without a body [gets 400]',
  'create-pet.empty-object': 'An empty object [gets 400]',
  'create-pet.other-members': 'Members with other names replace members of NewPet',
  'create-pet.body-not-object': 'A body that is not an object [gets 400]',
  'create-pet.body-malformed': 'A body that is not JSON [gets 400]',
  'create-pet.refusal-adds-nothing': 'createPet adds an animal although it answers 400',
  'create-pet.any-name': 'Some names [get 201 or 400]',
  'create-pet.broken-characters': 'A name with a broken character [gets 201 or a 4xx]',
  'create-pet.any-category-id': 'Some categoryIds [get 201 or a 4xx]',
  'create-pet.category-refusal': 'A refused categoryId gets another status than 400',
  'create-pet.long-name': 'A very long name [gets 201 or a 4xx]',
  'create-pet.name-exact': 'createPet changes names',
  'create-pet.unusual-name-exact': 'Unusual names are changed',
  'create-pet.category-id-exact': 'createPet changes a categoryId',
  'create-pet.letters-beyond-ascii': 'Names with letters beyond ASCII are refused',
  'create-pet.location-names-it': 'Location does not name the animal that was added',
  'create-pet.plain-http': 'createPet does not take a body as ordinary clients send it',
  'create-pet.default-status': 'The default status is not shown everywhere',
  'get-pet.answers-200': 'getPet [answers 200] for an animal that exists',
  'get-pet.same-id': 'getPet answers with another identifier than the one asked for',
  'get-pet.agrees-with-create': 'getPet does not show an animal as it was added',
  'get-pet.name-exact': 'getPet changes names',
  'get-pet.category-id-exact': 'getPet changes a categoryId',
  'get-pet.finds-listed': 'getPet does not find an animal that a list shows',
  'get-pet.agrees-with-list': 'getPet and lists show one animal differently',
  'get-pet.repeatable': 'getPet does not give the same answer again',
  'get-pet.not-found': 'getPet of an unknown identifier [gets 404]',
  'get-pet.not-found-at-ends':
    'getPet of an identifier at the ends of int64 or of another number type [gets 404]',
  'get-pet.id-exact': 'getPet finds an animal under an identifier near its own',
  'errors.media-type': 'Errors are not declared as application/json',
  'errors.json': 'Errors have a body that is not an Error',
  'errors.code': 'The code in an Error is missing or not a string',
  'errors.message': 'The message in an Error is missing or not a string',
  'errors.status': 'The status in an Error is missing or not an integer',
  'errors.status-equal': 'The status in an Error is not the HTTP status',
  'errors.code-not-empty': 'An Error has an empty code',
  'errors.message-not-empty': 'An Error has an empty message',
  'errors.stable-code': 'The same mistake gets another code each time',
  'errors.undocumented': 'Errors that the document does not name do not have an Error as body',
  'errors.no-server-error': 'A request gets a server error',
  'errors.allow': 'A 405 has no Allow',
  'errors.no-content': 'An answer that must have no body has one',
  'store-orders.missing-key': 'Orders are served without a key',
  'store-orders.wrong-key': 'Orders are served to an invalid key',
  'store-orders.error': 'A 401 of GET /store/orders is not an Error',
  'store-orders.unauthorized': 'GET /store/orders without a valid key [gets 401]',
  'deprecation.still-served': 'getPet is not served although it is not removed yet',
  'deprecation.removed': 'getPet is served after its day of removal',
  'deprecation.sunset': 'Sunset is not a date within the day of removal',
  'deprecation.deprecation': 'Deprecation is not a date before the removal',
};

/** A broken requirement, with the facts that show it. */
interface BrokenPromise {
  id: string;
  statement: string;
  statuses?: { promised: number; came: number };
  sent?: string;
}

/** Finds the brackets in these words: `[gets 401]`, `[get 201 or 400]`. Its groups are the verb, the s, and the answer. */
const DOCUMENTED = /\[(get|answer)(s?) ([^\]]+)\]/;

/**
 * Says what is wrong, with the status that came if it is known: `createPet without a name gets 422 in place of 400`. Returns
 * the statement of a requirement that this suite does not know.
 */
export function describeBroken({ id, statement, statuses, sent }: BrokenPromise): string {
  if (!Object.hasOwn(BROKEN, id)) return statement;
  const words = BROKEN[id as RequirementId];
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

/** Says that errors come with a status of success. */
export function describeErrorsSent(status: number): string {
  return `Errors come with status ${status}`;
}

/** Names the first failure and the number of others. */
export function describeFirst(first: string, others: number): string {
  if (others === 0) return first;
  return `${first}, and ${others} more ${others === 1 ? 'failure' : 'failures'}`;
}
