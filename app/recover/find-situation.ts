import type { Context } from '../../server/context.ts';
import { told } from '../../server/http/trpc/errors.ts';
import { type Situation, situationOf } from './situation.ts';

/** Looks up by domain, id or the id of the creating transaction. */
export async function findSituation({ readers, now }: Context, reference: string): Promise<Situation> {
  try {
    const beo = await readers.BEO.entity(reference, 'domain');
    return beo ? situationOf(beo, now()) : { kind: 'nobody' };
  } catch (failure) {
    const { code } = told(failure);
    if (code === 'DOMAIN_INVALID' || code === 'VALIDATION_FAILED') return { kind: 'malformed' };
    if (code === 'UNAVAILABLE') return { kind: 'unavailable' };
    throw failure;
  }
}
