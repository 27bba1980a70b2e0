import { z } from 'zod';
import type { Entities } from '../entities.ts';
import { refusal } from '../errors.ts';
import type { Ieo, IeoStatus } from '../ieo.ts';
import { type Answered, defineOperation, type Operation, type Outcome } from '../operation.ts';
import type { Instant } from '../recorded.ts';
import { entityReference } from '../shapes.ts';

type Particulars<Fields, Known> = Pick<Operation<Fields, Known>, 'name' | 'function' | 'routes' | 'known'> &
  Partial<Pick<Operation<Fields, Known>, 'introduces' | 'recalls' | 'seal' | 'sealedFacts'>> & {
    readonly shape: Omit<{ [Name in keyof Fields]: z.ZodType<Fields[Name]> }, 'ieoId'>;
    /** In which states its key may do this. Protocol §3. */
    readonly while: readonly IeoStatus[];
    change(ieo: Ieo, known: Known, at: Instant): Outcome;
    answer(ieo: Ieo, answered: Answered<Known>): Record<string, unknown>;
  };

/** What the operations have in common that an IEO's current key signs about its own `ieoId`. Protocol §1. */
export function defineIeoKeyOperation<Fields extends { ieoId: string }, Known = Fields>(
  particulars: Particulars<Fields, Known>,
) {
  const { shape, change, answer, while: states, ...given } = particulars;
  const fields = z.strictObject({ ieoId: entityReference, ...shape }) as unknown as Operation<Fields>['fields'];
  return defineOperation<Fields, Known>({
    status: 200,
    hints: {},
    introduces: () => ({ keys: [], domains: [] }),
    seal: () => null,
    sealedFacts: null,
    ...given,
    fields,
    subjects: { institution: { kind: 'IEO', field: 'ieoId' } },
    about: { role: 'institution' },
    signer: { role: 'institution' },
    expectedKey: 'IEO',
    touches: () => [],
    transition: (entities, { entityId, known, acceptedAt }) =>
      change(ieoThatIs(states, entities, entityId), known, acceptedAt),
    answer(answered) {
      const ieo = answered.entities.get('IEO', answered.entityId);
      if (!ieo) throw refusal('INTERNAL');
      return answer(ieo, answered);
    },
  });
}

/** @throws IEO_NOT_FOUND or IEO_DESTROYED */
export function livingIeo(entities: Pick<Entities, 'get'>, id: string | undefined): Ieo {
  const ieo = id === undefined ? undefined : entities.get('IEO', id);
  if (!ieo) throw refusal('IEO_NOT_FOUND');
  if (ieo.status === 'DESTROYED') throw refusal('IEO_DESTROYED');
  return ieo;
}

/** @throws IEO_NOT_FOUND, IEO_DESTROYED; IEO_LOCKED or IEO_NOT_ACTIVE where it is in none of the states */
export function ieoThatIs(states: readonly IeoStatus[], entities: Pick<Entities, 'get'>, id: string | undefined): Ieo {
  const ieo = livingIeo(entities, id);
  if (states.includes(ieo.status)) return ieo;
  throw ieo.status === 'LOCKED' ? refusal('IEO_LOCKED') : refusal('IEO_NOT_ACTIVE', SENTENCES[ieo.status]);
}

const SENTENCES: Partial<Record<IeoStatus, string>> = {
  SUSPENDED: 'The institution is suspended.',
  REVOKED: 'The institution’s admission was revoked.',
};
