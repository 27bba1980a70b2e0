import { z } from 'zod';
import type { Entities } from '../entities/entities.ts';
import type { Ieo, IeoStatus } from '../entities/ieo.ts';
import type { Instant } from '../entities/recorded.ts';
import { refusal } from '../errors.ts';
import type { Answered, Defined, Operation, Outcome } from '../operation.ts';
import { entityReference } from '../shapes.ts';

type Definition<Fields, PublicFacts> = Pick<
  Operation<Fields, PublicFacts>,
  'name' | 'function' | 'routes' | 'publicFacts'
> &
  Partial<Pick<Operation<Fields, PublicFacts>, 'introduces' | 'recalls' | 'sealed'>> & {
    readonly shape: Omit<{ [Name in keyof Fields]: z.ZodType<Fields[Name]> }, 'ieoId'>;
    /** The statuses in which the operation is allowed. Protocol §3. */
    readonly statuses: readonly IeoStatus[];
    change(ieo: Ieo, publicFacts: PublicFacts, at: Instant): Outcome;
    answer(ieo: Ieo, answered: Answered<PublicFacts>): Record<string, unknown>;
  };

/** An operation that an institution's current key signs about its own `ieoId`. Protocol §1. */
export const defineIeoKeyOperation =
  <Fields extends { ieoId: string }, PublicFacts = Fields>() =>
  <const Row extends Definition<Fields, PublicFacts>>(row: Row): Defined<Fields, PublicFacts, Row> => {
    const { shape, change, answer, statuses, ...rest } = row as Definition<Fields, PublicFacts>;
    const operation: Operation<Fields, PublicFacts> = {
      status: 200,
      ...rest,
      fields: z.strictObject({ ieoId: entityReference, ...shape }) as unknown as Operation<Fields>['fields'],
      subjects: { institution: { kind: 'IEO', field: 'ieoId' } },
      about: { role: 'institution' },
      signer: { role: 'institution' },
      expectedKey: 'IEO',
      transition: (entities, { entityId, publicFacts, acceptedAt }) =>
        change(requireIeoIn(statuses, entities, entityId), publicFacts, acceptedAt),
      answer(answered) {
        const ieo = answered.entities.get('IEO', answered.entityId);
        if (!ieo) throw refusal('INTERNAL');
        return answer(ieo, answered);
      },
    };
    return operation as Defined<Fields, PublicFacts, Row>;
  };

/** @throws IEO_NOT_FOUND or IEO_DESTROYED */
export function requireIeo(entities: Pick<Entities, 'get'>, id: string | undefined): Ieo {
  const ieo = id === undefined ? undefined : entities.get('IEO', id);
  if (!ieo) throw refusal('IEO_NOT_FOUND');
  if (ieo.status === 'DESTROYED') throw refusal('IEO_DESTROYED');
  return ieo;
}

/** @throws IEO_NOT_FOUND, IEO_DESTROYED; IEO_LOCKED or IEO_NOT_ACTIVE if it has none of the statuses */
export function requireIeoIn(
  statuses: readonly IeoStatus[],
  entities: Pick<Entities, 'get'>,
  id: string | undefined,
): Ieo {
  const ieo = requireIeo(entities, id);
  if (statuses.includes(ieo.status)) return ieo;
  throw ieo.status === 'LOCKED' ? refusal('IEO_LOCKED') : refusal('IEO_NOT_ACTIVE', SENTENCES[ieo.status]);
}

const SENTENCES: Partial<Record<IeoStatus, string>> = {
  SUSPENDED: 'The institution is suspended.',
  REVOKED: 'The institution was revoked.',
};
