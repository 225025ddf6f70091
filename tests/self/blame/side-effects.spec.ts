/** One cause has one name: what else such a service does is as promised, and no other promise fails beside it. */
import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { REQUIREMENTS, type RequirementId } from '../../../fixtures/interface/requirements.ts';
import type { NewPet, Pet } from '../../../fixtures/interface/bodies.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { makePage } from '../../../fixtures/implementations/operators.ts';
import type { PetPlace, Shown } from '../../../fixtures/reference/answering.ts';
import { Refusal, type Call, type Reply } from '../../../fixtures/reference/call.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import type { Members } from '../../../fixtures/reference/understanding.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { describeBroken } from '../../../reports/document/reasons/broken.ts';
import { ASKS_ALL, runOn, verifying } from '../samples/run-on.ts';

const suite = collectSuite();

/** The 201 alone shows the categoryId as a double has it, where that is within int64. */
const rounding: Vary = (Base) =>
  class extends Base {
    override show(pet: Pet, place: PetPlace, call: Call): Shown {
      const rounded = BigInt(Number(pet.categoryId));
      const isShown = place === 'create' && BigInt.asIntN(64, rounded) === rounded;
      return { ...super.show(pet, place, call), ...(isShown ? { categoryId: rounded } : {}) };
    }
  };

/** getPet of the animals behind the first thirty. */
const behindThirty =
  (answer: (service: InstanceType<Parameters<Vary>[0]>, call: Call) => Reply): Vary =>
  (Base) =>
    class extends Base {
      override async getPet(call: Call): Promise<Reply> {
        const place = [...this.animals.keys()].map(String).indexOf(call.petId);
        return place < 30 ? super.getPet(call) : answer(this, call);
      }
    };

const addedWith =
  (status: number): Vary =>
  (Base) =>
    class extends Base {
      override async createPet(call: Call): Promise<Reply> {
        return { ...(await super.createPet(call)), status };
      }
    };

const thirdFails: Vary = (Base) =>
  class extends Base {
    override async create(newPet: NewPet, sent: Members = {}): Promise<Pet> {
      const equal = [...this.animals.values()].filter(({ name }) => name === newPet.name);
      if (equal.length > 1) throw new Refusal(500, 'internal', 'two are enough');
      return super.create(newPet, sent);
    }
  };

/** A gateway whose own page refuses keyless reads that do not say `no-cache`: no cache is involved. */
const refusedUncached =
  (status: number): Vary =>
  (Base) =>
    class extends Base {
      override async answer(call: Call): Promise<Reply> {
        const { authorization, 'cache-control': caching } = call.headers;
        const isRefused = call.method === 'GET' && authorization === undefined && caching === undefined;
        return isRefused ? makePage(status, '<center><h1>Refused</h1></center>') : super.answer(call);
      }
    };

/** A service with one thing wrong, and what breaks by that. */
interface Cause {
  what: string;
  vary: Vary;
  fails: readonly RequirementId[];
  warns?: readonly RequirementId[];
  /** The ids of what `npm test` asks begin so; without them only `npm run test:full` judges it. */
  by?: readonly string[];
}

const CAUSES: readonly Cause[] = [
  {
    what: 'a 201 that rounds the category',
    vary: rounding,
    fails: ['create-pet.category-id-exact'],
    by: ['create-pet.', 'get-pet.'],
  },
  {
    what: 'a getPet that fails from the 31st animal on',
    vary: behindThirty((service, call) => service.error(500, 'internal', 'it failed', call)),
    fails: ['get-pet.answers-200'],
    warns: ['errors.no-server-error'],
  },
  {
    what: 'a getPet that finds no animal behind the thirtieth',
    vary: behindThirty((service, call) => service.noSuchPet(call)),
    fails: ['get-pet.answers-200'],
  },
  {
    what: 'a createPet that answers 299',
    vary: addedWith(299),
    fails: ['create-pet.answers-201'],
  },
  {
    what: 'a createPet that answers 200',
    vary: addedWith(200),
    fails: ['create-pet.answers-201'],
  },
  {
    what: "a gateway's page of 503 for keyless reads that do not say no-cache",
    vary: refusedUncached(503),
    fails: ['authentication.list-pets-missing-key', 'authentication.get-pet-missing-key'],
    warns: ['errors.no-server-error'],
    by: ['authentication.', 'errors.'],
  },
  {
    what: "a gateway's page of 403 for keyless reads that do not say no-cache",
    vary: refusedUncached(403),
    fails: ['authentication.list-pets-missing-key', 'authentication.get-pet-missing-key'],
    warns: ['errors.undocumented'],
  },
  {
    what: 'a third animal of one name that ends in a server error',
    vary: thirdFails,
    fails: ['create-pet.any-name'],
    warns: ['errors.no-server-error'],
  },
];

/** Faults that their own requirement names, and nothing else. */
const NAMED_ALONE: readonly (readonly [id: string, ...by: string[]])[] = [
  ['list-pets.fails-with-a-page'],
  ['list-pets.limit-of-1-refused', 'list-pets.', 'errors.'],
  ['list-pets.limit-of-5-fails'],
  ['list-pets.sold-fails'],
  ['get-pet.fails-with-a-page'],
  ['get-pet.not-allowed'],
  ['create-pet.not-there-page'],
  ['create-pet.not-allowed'],
  ['create-pet.fails-before-the-key'],
  ['authentication.malformed-400-page'],
  ['authentication.malformed-400-empty'],
];

const ORDERS: Cause = {
  what: 'orders that are as unknown as any unknown path',
  vary: findById(FREEDOMS, 'errors.orders-unknown').vary,
  fails: [],
};

function describeFault([id, ...by]: (typeof NAMED_ALONE)[number]): Cause {
  const { breaks, vary } = findById(FAULTS, id);
  const isMust = REQUIREMENTS[breaks]?.level === 'must';
  const [fails, warns] = isMust ? [[breaks], []] : [[], [breaks]];
  return { what: id, vary, fails, warns, ...(by.length > 0 && { by }) };
}

function findById<Named extends { id: string }>(all: readonly Named[], id: string): Named {
  const found = all.find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
}

for (const { what, vary, fails, warns = [], by } of [...CAUSES, ...NAMED_ALONE.map(describeFault), ORDERS]) {
  test(`${what}: each cause has one name`, { tag: by === undefined ? '@long' : [] }, async () => {
    const { findings } = await runOn(
      { vary },
      (await suite).filter(verifying(...(ASKS_ALL ? [] : (by ?? [])))),
    );
    const results = makeResults(findings);
    const ids = (verdict: string) => results.filter((each) => each.verdict === verdict).map(({ id }) => id);
    expect(ids('fail')).toEqual(fails);
    expect(ids('warn')).toEqual(warns);
  });
}

test('titles of createPet with an identifier say what came, not what it may have done', () => {
  for (const id of ['create-pet.client-id', 'create-pet.adds-one'])
    expect(describeBroken({ id, statement: '' }), id).not.toMatch(/^$|can change|more than one/);
});
