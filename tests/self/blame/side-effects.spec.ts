/** One cause has one name: what else such a service does is as promised, and no other promise fails beside it. */
import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/selection/collect-suite.ts';
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';
import type { NewPet, Pet } from '../../../fixtures/interface/bodies.ts';
import { makePage } from '../../../fixtures/implementations/operators.ts';
import type { PetPlace, Shown } from '../../../fixtures/reference/answering.ts';
import { Refusal, type Call, type Reply } from '../../../fixtures/reference/call.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import type { Members } from '../../../fixtures/reference/understanding.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { describeBroken } from '../../../reports/words/reasons/broken.ts';
import { runOn } from '../samples/run-on.ts';

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

const CAUSES: readonly {
  what: string;
  vary: Vary;
  fails: readonly RequirementId[];
  warns?: readonly RequirementId[];
  isLong?: true;
}[] = [
  { what: 'a 201 that rounds the category', vary: rounding, fails: ['create-pet.category-id-exact'] },
  {
    what: 'a getPet that fails from the 31st animal on',
    vary: behindThirty((service, call) => service.error(500, 'internal', 'it failed', call)),
    fails: ['get-pet.answers-200'],
    warns: ['errors.no-server-error'],
    isLong: true,
  },
  {
    what: 'a getPet that finds no animal behind the thirtieth',
    vary: behindThirty((service, call) => service.noSuchPet(call)),
    fails: ['get-pet.answers-200'],
    isLong: true,
  },
  {
    what: 'a createPet that answers 299',
    vary: addedWith(299),
    fails: ['create-pet.answers-201'],
    isLong: true,
  },
  {
    what: 'a createPet that answers 200',
    vary: addedWith(200),
    fails: ['create-pet.answers-201'],
    isLong: true,
  },
  {
    what: "a gateway's page of 503 for keyless reads that do not say no-cache",
    vary: refusedUncached(503),
    fails: ['authentication.list-pets-missing-key', 'authentication.get-pet-missing-key'],
    warns: ['errors.no-server-error'],
  },
  {
    what: "a gateway's page of 403 for keyless reads that do not say no-cache",
    vary: refusedUncached(403),
    fails: ['authentication.list-pets-missing-key', 'authentication.get-pet-missing-key'],
    warns: ['errors.undocumented'],
    isLong: true,
  },
  {
    what: 'a third animal of one name that ends in a server error',
    vary: thirdFails,
    fails: ['create-pet.any-name'],
    warns: ['errors.no-server-error'],
  },
];

for (const { what, vary, fails, warns = [], isLong } of CAUSES) {
  test(`${what} has one name`, { tag: isLong === true ? '@long' : [] }, async () => {
    const { findings } = await runOn({ vary }, await suite);
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
