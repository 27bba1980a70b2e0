import { dropCopy, dropDraft } from '../../_keys/browser-copy.ts';
import type { KeptIdentity } from '../../_keys/identities.ts';

/** The name of the draft of a replacement key in browser-copy.ts. */
export const replacementDraft = (id: string): string => `replace:${id}`;

/** Deletes drafts and copies of an identity in this browser, but not its stored key. */
export async function dropLeftovers({
  kind,
  id,
  publicKey,
}: Pick<KeptIdentity, 'kind' | 'id' | 'publicKey'>): Promise<void> {
  await dropDraft(replacementDraft(id));
  await dropCopy({ purpose: kind, beoId: id, publicKey });
}
