import { z } from 'zod';
import type { Entities } from '../entities/entities.ts';
import type { Ieo, IeoStatus } from '../entities/ieo.ts';
import type { Instant } from '../entities/recorded.ts';
import { refusal } from '../errors.ts';
import type { Answered, Defined, Named, Operation, OperationTraits, Outcome } from '../operation.ts';
import { entityReference } from '../shapes.ts';

type Definition<Fields, PublicFacts, Response extends z.ZodObject> = Pick<
  Operation<Fields, PublicFacts, Response>,
  'title' | 'routes' | 'publicFacts' | 'response'
> &
  Partial<Omit<OperationTraits<Fields, PublicFacts>, 'hints'> & Pick<Operation, 'errors'>> & {
    readonly shape: Omit<{ [Name in keyof Fields]: z.ZodType<Fields[Name]> }, 'ieoId'>;
    /** The statuses in which the operation is allowed. Protocol §3. */
    readonly statuses: readonly IeoStatus[];
    change(ieo: Ieo, publicFacts: PublicFacts, at: Instant): Outcome;
    answer(ieo: Ieo, answered: Answered<PublicFacts>): z.output<Response>;
  };

/** An operation that an institution's current key signs about its own `ieoId`. Protocol §1. */
export const defineIeoKeyOperation =
  <Fields extends { ieoId: string }, PublicFacts = Fields>() =>
  <const Name extends string, const Function extends string, Response extends z.ZodObject>(
    row: Definition<Fields, PublicFacts, Response> & Named<Name, Function>,
  ): Defined<Fields, PublicFacts, Name, Function, Response> => {
    const { shape, change, answer, statuses, errors = [], ...rest } = row;
    return {
      status: 200,
      ...rest,
      errors: [...(statuses.includes('LOCKED') ? [] : (['IEO_LOCKED'] as const)), 'IEO_NOT_ACTIVE', ...errors],
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
