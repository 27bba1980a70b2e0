import type { BeoView } from '../../../protocol/entities/beo.ts';
import { readBeoByReference } from '../../features/read/read-beo.ts';
import { readIeoByReference } from '../../features/read/read-ieo.ts';
import type { Context } from '../context.ts';
import { publicError } from './trpc-errors.ts';

/** The result of an identity lookup. An unknown identity is a result, not an error. */
export interface LookUp {
  readonly outcome: 'found' | 'institution' | 'unknown' | 'malformed';
  readonly identity: BeoView | null;
}

/** Looks up an identity by domain, id, or the id of its transaction. @throws UNAVAILABLE */
export async function lookUp(context: Context, reference: string): Promise<LookUp> {
  try {
    return { outcome: 'found', identity: await readBeoByReference(context, reference) };
  } catch (failure) {
    const { code } = publicError(failure);
    if (code === 'BEO_NOT_FOUND') return { outcome: await institutionOrUnknown(context, reference), identity: null };
    if (code === 'DOMAIN_INVALID' || code === 'VALIDATION_FAILED') return { outcome: 'malformed', identity: null };
    throw failure;
  }
}

async function institutionOrUnknown(context: Context, reference: string): Promise<'institution' | 'unknown'> {
  try {
    await readIeoByReference(context, reference);
    return 'institution';
  } catch (failure) {
    if (publicError(failure).code === 'IEO_NOT_FOUND') return 'unknown';
    throw failure;
  }
}
