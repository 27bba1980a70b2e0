import { z } from 'zod';
import type { Beo } from '../beo.ts';
import type { Entities } from '../entities.ts';
import { refusal } from '../errors.ts';
import {
  type Answered,
  defineOperation,
  type Operation,
  type Outcome,
  type Reference,
  type SubjectIds,
} from '../operation.ts';
import type { Instant } from '../recorded.ts';
import { entityReference } from '../shapes.ts';

type Particulars<Fields> = Pick<Operation<Fields, Fields>, 'name' | 'function' | 'routes'> &
  Partial<Pick<Operation<Fields, Fields>, 'hints' | 'introduces' | 'subjects'>> & {
    readonly shape: Omit<{ [Name in keyof Fields]: z.ZodType<Fields[Name]> }, 'beoId'>;
    change(beo: Beo, fields: Fields, at: Instant, entities: Entities, subjects: SubjectIds): Outcome;
    answer(beo: Beo, answered: Answered): Record<string, unknown>;
  };

/** What the operations have in common that a BEO's current key signs about its own `beoId`, in the open. Protocol §1. */
export function defineBeoKeyOperation<Fields extends { beoId: string }>(particulars: Particulars<Fields>) {
  const { shape, change, answer, subjects, ...given } = particulars;
  const fields = z.strictObject({ beoId: entityReference, ...shape }) as unknown as Operation<Fields>['fields'];
  return defineOperation<Fields, Fields>({
    status: 200,
    hints: {},
    introduces: () => ({ keys: [], domains: [] }),
    ...given,
    fields,
    subjects: { holder: { kind: 'BEO', field: 'beoId' }, ...subjects },
    about: { role: 'holder' },
    signer: { role: 'holder' },
    expectedKey: 'BEO',
    known: ({ fields }) => fields,
    seal: () => null,
    sealedFacts: null,
    touches: (_, { holder }) => (holder?.kind === 'BEO' ? nameOf(holder) : []),
    transition: (entities, { entityId, subjects, known, acceptedAt }) =>
      change(livingBeo(entities, entityId), known, acceptedAt, entities, subjects),
    answer(answered) {
      const beo = answered.entities.get('BEO', answered.entityId);
      if (!beo) throw refusal('INTERNAL');
      return answer(beo, answered);
    },
  });
}

const nameOf = ({ domain }: Beo): Reference[] => (domain === null ? [] : [{ kind: 'NAME', id: domain }]);

/** @throws BEO_NOT_FOUND or BEO_DESTROYED */
export function livingBeo(entities: Entities, id: string | undefined): Beo {
  const beo = id === undefined ? undefined : entities.get('BEO', id);
  if (!beo) throw refusal('BEO_NOT_FOUND');
  if (beo.status === 'DESTROYED') throw refusal('BEO_DESTROYED');
  return beo;
}
