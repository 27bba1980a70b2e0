import { dropCopy, dropDraft } from '../../_keys/browser-copy.ts';
import type { KeptIdentity } from '../../_keys/identities.ts';

/** Under what the key that is to replace another is drafted. */
export const replacementDraft = (id: string): string => `replace:${id}`;

/** Forgets what was made in this browser for an identity besides the key that it keeps. */
export async function dropLeftovers({ kind, id, publicKey }: KeptIdentity): Promise<void> {
  await dropDraft(replacementDraft(id));
  await dropCopy({ purpose: kind, beoId: id, publicKey });
}
