import { z } from 'zod';
import type { Beo, Entities, Instant } from '../entities.ts';
import { refusal } from '../errors.ts';
import { defineOperation, type Operation, type Outcome, type Reference } from '../operation.ts';
import { entityReference } from '../shapes.ts';

type Particulars<Fields> = Pick<Operation<Fields, Fields>, 'name' | 'function' | 'route'> &
  Partial<Pick<Operation<Fields, Fields>, 'hints' | 'introduces' | 'limit'>> & {
    readonly shape: Omit<{ [Name in keyof Fields]: z.ZodType<Fields[Name]> }, 'beoId'>;
    change(beo: Beo, fields: Fields, at: Instant, entities: Entities): Outcome;
    answer(beo: Beo, at: Instant): Record<string, unknown>;
  };

/** What the operations have in common that a BEO's current key signs about its own `beoId`, in the open. Protocol §1. */
export function defineBeoKeyOperation<Fields extends { beoId: string }>(particulars: Particulars<Fields>) {
  const { shape, change, answer, ...given } = particulars;
  const fields = z.strictObject({ beoId: entityReference, ...shape }) as unknown as Operation<Fields>['fields'];
  return defineOperation<Fields, Fields>({
    status: 200,
    limit: 'relayer',
    hints: {},
    introduces: () => ({ keys: [], domains: [] }),
    ...given,
    fields,
    target: { field: 'beoId', kind: 'BEO' },
    signer: 'target',
    expectedKey: 'BEO',
    known: (known) => known,
    seal: () => null,
    sealedFacts: null,
    touches: ({ entityId }, target) => [
      { kind: 'BEO', id: entityId },
      ...(target?.kind === 'BEO' ? nameOf(target) : []),
    ],
    transition: (entities, { entityId, known, acceptedAt }) =>
      change(livingBeo(entities, entityId), known, acceptedAt, entities),
    answer({ entityId, entities, acceptedAt }) {
      const beo = entities.get('BEO', entityId);
      if (!beo) throw refusal('INTERNAL');
      return answer(beo, acceptedAt);
    },
  });
}

const nameOf = ({ domain }: Beo): Reference[] => (domain === null ? [] : [{ kind: 'NAME', id: domain }]);

/** @throws BEO_NOT_FOUND or BEO_DESTROYED */
export function livingBeo(entities: Entities, id: string): Beo {
  const beo = entities.get('BEO', id);
  if (!beo) throw refusal('BEO_NOT_FOUND');
  if (beo.status === 'DESTROYED') throw refusal('BEO_DESTROYED');
  return beo;
}
