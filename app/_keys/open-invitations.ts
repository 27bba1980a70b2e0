import type { Invitation } from '../../protocol/operation.ts';
import { openForBrowser, sealForBrowser } from './browser-seal.ts';
import { readIdentityStore, withIdentityStore } from './identity-store.ts';
import { type Read, readAs } from './read.ts';

/** The links of invitations that no guardian has accepted yet; in this browser only, encrypted like a copy of a key. */
export async function openInvitations(beoId: string): Promise<Read<readonly Invitation[]>> {
  const sealed = await readIdentityStore('invitations', beoId);
  if (sealed.state === 'unreadable') return sealed;
  const bytes = sealed.value && (await openForBrowser(beoId, sealed.value));
  return readAs(bytes ? JSON.parse(new TextDecoder().decode(bytes)) : []);
}

/** Adds the links of new invitations, which replace those with their roles, and drops those of the guardians in `ended`. Does nothing where the browser refuses. */
export const keepInvitations = (
  beoId: string,
  added: readonly Invitation[],
  ended: ReadonlySet<string>,
): Promise<void> =>
  // One change at a time, in all tabs.
  navigator.locks.request('perpetua-invitations', async () => {
    const before = await openInvitations(beoId);
    if (before.state === 'unreadable') return;
    const roles = new Set(added.map(({ role }) => role));
    const kept = before.value.filter(({ guardian_id, role }) => !ended.has(guardian_id) && !roles.has(role));
    const bytes = new TextEncoder().encode(JSON.stringify([...kept, ...added]));
    const sealed = await sealForBrowser(beoId, bytes);
    await withIdentityStore('invitations', (store) => store.put(beoId, sealed)).catch(() => {});
  });
