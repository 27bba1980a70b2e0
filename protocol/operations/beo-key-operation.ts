import { z } from 'zod';
import type { Beo } from '../entities/beo.ts';
import type { Entities } from '../entities/entities.ts';
import { refusal } from '../errors.ts';
import type {
  Accepted,
  Answered,
  Defined,
  Hinted,
  Named,
  NoHints,
  Operation,
  OperationTraits,
  Outcome,
} from '../operation.ts';
import { entityReference } from '../shapes.ts';

type Definition<Fields, PublicFacts, Response extends z.ZodObject> = Pick<
  Operation<Fields, PublicFacts, Response>,
  'title' | 'routes' | 'publicFacts' | 'response'
> &
  Partial<OperationTraits<Fields, PublicFacts> & Pick<Operation, 'status' | 'subjects' | 'errors'>> & {
    readonly shape: Omit<{ [Name in keyof Fields]: z.ZodType<Fields[Name]> }, 'beoId'>;
    /** Whether the operation is rejected while the identity is locked (protocol §3). */
    readonly mustBeUnlocked?: boolean;
    change(beo: Beo, accepted: Accepted<PublicFacts>, entities: Entities): Outcome;
    answer(beo: Beo, answered: Answered<PublicFacts>): z.output<Response>;
  };

/** An operation that a person's current key signs about its own `beoId`. Protocol §1. */
export const defineBeoKeyOperation =
  <Fields extends { beoId: string }, PublicFacts = Fields>() =>
  <const Name extends string, const Function extends string, Response extends z.ZodObject, Hints = NoHints>(
    row: Definition<Fields, PublicFacts, Response> & Named<Name, Function> & Hinted<Hints>,
  ): Defined<Fields, PublicFacts, Name, Function, Response, Hints> => {
    const { shape, change, answer, subjects, mustBeUnlocked = false, errors = [], ...rest } = row;
    return {
      status: 200,
      ...rest,
      errors: mustBeUnlocked ? ['BEO_LOCKED', ...errors] : errors,
      fields: z.strictObject({ beoId: entityReference, ...shape }) as unknown as Operation<Fields>['fields'],
      subjects: { holder: { kind: 'BEO', field: 'beoId' }, ...subjects },
      about: { role: 'holder' },
      signer: { role: 'holder' },
      expectedKey: 'BEO',
      transition(entities, accepted) {
        const beo = requireBeo(entities, accepted.entityId);
        if (mustBeUnlocked) requireUnlocked(beo);
        return change(beo, accepted, entities);
      },
      answer(answered) {
        const beo = answered.entities.get('BEO', answered.entityId);
        if (!beo) throw refusal('INTERNAL');
        return answer(beo, answered);
      },
    };
  };

/** @throws BEO_LOCKED */
export function requireUnlocked({ status, lockedAt }: Beo): void {
  if (status === 'LOCKED') throw refusal('BEO_LOCKED', undefined, { locked_at: lockedAt });
}

/** @throws BEO_NOT_FOUND or BEO_DESTROYED */
export function requireBeo(entities: Pick<Entities, 'get'>, id: string | undefined): Beo {
  const beo = id === undefined ? undefined : entities.get('BEO', id);
  if (!beo) throw refusal('BEO_NOT_FOUND');
  if (beo.status === 'DESTROYED') throw refusal('BEO_DESTROYED');
  return beo;
}
