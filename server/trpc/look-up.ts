import type { BeoView } from '../../protocol/beo.ts';
import type { Context } from '../context.ts';
import { readBeoByReference } from '../registry/read-beo.ts';
import { told } from './errors.ts';

/** What somebody finds who looks an identity up: that nobody is there is an answer, not a failure. */
export interface LookUp {
  readonly outcome: 'found' | 'nobody' | 'malformed';
  readonly identity: BeoView | null;
}

/** Looks an identity up by domain, id or the id of its transaction. @throws UNAVAILABLE */
export async function lookUp(context: Context, reference: string): Promise<LookUp> {
  try {
    return { outcome: 'found', identity: await readBeoByReference(context, reference) };
  } catch (failure) {
    const { code } = told(failure);
    if (code === 'BEO_NOT_FOUND') return { outcome: 'nobody', identity: null };
    if (code === 'DOMAIN_INVALID' || code === 'VALIDATION_FAILED') return { outcome: 'malformed', identity: null };
    throw failure;
  }
}
