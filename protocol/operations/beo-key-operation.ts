import { z } from 'zod';
import type { Beo } from '../beo.ts';
import type { Entities } from '../entities.ts';
import { refusal } from '../errors.ts';
import { type Accepted, type Answered, defineOperation, type Operation, type Outcome } from '../operation.ts';
import { entityReference } from '../shapes.ts';

type Particulars<Fields, Known> = Pick<Operation<Fields, Known>, 'name' | 'function' | 'routes' | 'known'> &
  Partial<
    Pick<
      Operation<Fields, Known>,
      'status' | 'hints' | 'introduces' | 'subjects' | 'recalls' | 'seal' | 'sealedFacts' | 'touches'
    >
  > & {
    readonly shape: Omit<{ [Name in keyof Fields]: z.ZodType<Fields[Name]> }, 'beoId'>;
    /** Only while it is not locked (protocol §3). */
    readonly unlocked?: boolean;
    change(beo: Beo, accepted: Accepted<Known>, entities: Entities): Outcome;
    answer(beo: Beo, answered: Answered<Known>): Record<string, unknown>;
  };

/** What the operations have in common that a BEO's current key signs about its own `beoId`. Protocol §1. */
export function defineBeoKeyOperation<Fields extends { beoId: string }, Known = Fields>(
  particulars: Particulars<Fields, Known>,
) {
  const { shape, change, answer, subjects, unlocked = false, ...given } = particulars;
  const fields = z.strictObject({ beoId: entityReference, ...shape }) as unknown as Operation<Fields>['fields'];
  return defineOperation<Fields, Known>({
    status: 200,
    hints: {},
    introduces: () => ({ keys: [], domains: [] }),
    seal: () => null,
    sealedFacts: null,
    touches: () => [],
    ...given,
    fields,
    subjects: { holder: { kind: 'BEO', field: 'beoId' }, ...subjects },
    about: { role: 'holder' },
    signer: { role: 'holder' },
    expectedKey: 'BEO',
    transition(entities, accepted) {
      const beo = livingBeo(entities, accepted.entityId);
      if (unlocked) refuseLocked(beo);
      return change(beo, accepted, entities);
    },
    answer(answered) {
      const beo = answered.entities.get('BEO', answered.entityId);
      if (!beo) throw refusal('INTERNAL');
      return answer(beo, answered);
    },
  });
}

/** @throws BEO_LOCKED */
export function refuseLocked({ status, lockedAt }: Beo): void {
  if (status === 'LOCKED') throw refusal('BEO_LOCKED', undefined, { locked_at: lockedAt });
}

/** @throws BEO_NOT_FOUND or BEO_DESTROYED */
export function livingBeo(entities: Pick<Entities, 'get'>, id: string | undefined): Beo {
  const beo = id === undefined ? undefined : entities.get('BEO', id);
  if (!beo) throw refusal('BEO_NOT_FOUND');
  if (beo.status === 'DESTROYED') throw refusal('BEO_DESTROYED');
  return beo;
}
