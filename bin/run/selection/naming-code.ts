/**
 * Finds the code that names a promise by its id, for the command `explain`. Such code checks one answer, or chooses the
 * promise that an answer breaks ("charges" that promise: reports it as broken).
 */
import { listCompiled, findLines, nameSource, type DeclaredLine } from './source-lines.ts';

/** Folders whose code judges one answer, or chooses the promise that it breaks. */
const JUDGING = ['fixtures/interface', 'fixtures/judgement'];
/**
 * By file, then by declaration: the words that `explain` prints behind the name of the declaration. `none`: the
 * declaration neither checks nor chooses, so `explain` leaves it out. A self-test keeps the table complete.
 */
const ROLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'fixtures/interface/blame.ts': {
    KEY_PROMISES:
      'holds the promise that the rule credentials charges for the status; answers.ts judges the Error of a 401',
    MISSING: 'holds the promise that the rule presences charges',
    DIFFERENCES: 'holds the promise that the rule identities charges',
    blameList: 'chooses the promise that blameUnservedLists charges',
    blameGet: 'chooses the promise that judgeDocumentedOperation charges',
    blameDisagreement: 'chooses the promise that the rule reads-in-turn charges',
  },
  'fixtures/interface/documented.ts': {
    PROMISES: 'holds the promise that the rule credentials charges',
    documentWithoutKey: 'says to the rule credentials which statuses are right',
    DEMANDS: 'says to judgeDocumentedOperation which statuses are right',
    makeCreationDemand: 'says to judgeDocumentedOperation which statuses are right',
    findOddity: 'chooses the promise that a createPet with one odd member breaks',
  },
  'fixtures/interface/request-oracle.ts': {
    expectAnswer: 'chooses the promise that a body breaks, for makeCreationDemand in documented.ts',
    readInvalidBody: 'chooses the promise that a body breaks, for makeCreationDemand in documented.ts',
    REASONS: 'holds the promise that a wrong member of a body breaks',
    findReasonOfCategory: 'chooses the promise that a wrong categoryId breaks',
    findReasonAt: 'chooses the promise that a body breaks, for makeCreationDemand in documented.ts',
    MEMBER_OF: 'none',
  },
  'fixtures/judgement/documented-answer.ts': {
    PET_MEMBERS: 'holds the promise that judgeSuccess charges, in every documented success',
    ERROR_MEMBERS: 'holds the promise that judgeError charges, in every documented Error',
    NOT_EMPTY: 'holds the promise that findBlankMembers charges, in every Error',
    STANDARDS: 'holds a check that judgeOpen makes of every answer that the document does not show',
    judgeBody: 'checks every documented 401',
    judgeSuccess: 'checks every documented success',
    judgeError: 'checks every documented Error',
    findOtherStatus: 'compares the status in every Error with the HTTP status',
    judgeUndocumentedError:
      'checks the body of a 4xx that the document does not show, if the client accepts JSON',
    judgeJsonBody: 'checks every documented answer, and the body of an undocumented 4xx',
    findByteOrderMarks: 'checks every documented answer, and the body of an undocumented 4xx',
    isOfForm: 'none',
  },
  'fixtures/judgement/header-promises.ts': {
    PROMISES: 'holds the check that findHeaderFlaw makes, if an answer has the header',
  },
  'fixtures/judgement/rules/answers.ts': {
    OF_REMOVAL: 'lists the headers that findHeaderFlaws checks in every Pet from getPet',
    findOtherAnimal:
      'compares the identifier of every Pet from getPet that has no flaw with the requested one',
    judgeOrders: 'checks the Error of every 401 of GET /store/orders without the key',
    OF_HEADERS: 'lists the headers that judgeShownBody checks in every Pet',
    makeNotFoundFlaw: 'charges an animal that is shown for an identifier that none has',
    findServedAfterRemoval: 'checks every getPet after the day of its removal',
    findOtherScheme: 'checks every answer to the key under another spelling of its scheme',
    judgeShownBody: 'checks the body of every documented answer',
    blameUnservedLists: 'chooses the promise that a refused list breaks',
    blameAddition: 'chooses the promise that a refused list breaks, by its difference from a served one',
    judgeOpenAnswer: 'none',
  },
};

/** A declaration that names a promise. `does`: its words in `ROLES`; undefined if it is not in the table. */
interface Naming extends DeclaredLine {
  file: string;
  does: string | undefined;
}

/**
 * Returns each declaration that names a promise, with the first line that does so. Of `fixtures/judgement/rules/` it reads only
 * `answers.ts`: `locateRules` finds the rules by the promises that they list.
 */
export function findNaming(id: string): Naming[] {
  // A line with nothing but the id is an entry in a list of promises, which judges nothing.
  const names = (line: string) => line.includes(`'${id}'`) && line.trim() !== `'${id}',`;
  const files = JUDGING.flatMap((room) => listCompiled(room).map((name) => `${room}/${nameSource(name)}`));
  return [...files, 'fixtures/judgement/rules/answers.ts'].flatMap((file) =>
    findLines(file, names).map((found) => ({ ...found, file, does: ROLES[file]?.[found.declaration] })),
  );
}
