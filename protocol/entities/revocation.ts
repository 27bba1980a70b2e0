import type { BeoId } from '../ids.ts';
import type { Intent } from './intents.ts';

/** The tokens of a holder that one operation revokes: all of them, those of one grantee, or those with one intent. */
export interface Revocation {
  readonly beoId: BeoId;
  readonly granteeId?: string;
  readonly intent?: Intent;
}

/** Whether a revocation covers a token. Ignores the status of the token. */
export const revocationCovers = (
  { granteeId, intent }: Omit<Revocation, 'beoId'>,
  token: { readonly granteeId: string; readonly intents: readonly Intent[] },
): boolean =>
  (granteeId === undefined || token.granteeId === granteeId) &&
  (intent === undefined || token.intents.includes(intent));
