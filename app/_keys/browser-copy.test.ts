import { expect, test } from 'vitest';
import {
  draftFor,
  dropCopy,
  dropDraft,
  keepCopy,
  keptCopies,
  markDraftSaved,
  openCopy,
  protectDraft,
} from './browser-copy.ts';
import { newSecret } from './secret.ts';

test('without storage nothing is kept, and nothing throws', async () => {
  expect('indexedDB' in globalThis).toBe(false);
  const id = { purpose: 'guardian', beoId: 'a', publicKey: 'b' } as const;
  expect(await keepCopy(id, { holds: 'entropy', bytes: newSecret() })).toBe(false);
  expect(await openCopy(id)).toEqual({ state: 'read', value: null });
  expect(await keptCopies()).toEqual({ state: 'read', value: [] });
  await dropCopy(id);
  expect(await draftFor('invitation')).toEqual({
    state: 'read',
    value: { entropy: expect.any(Uint8Array), kept: false, saved: false, protection: null },
  });
  await markDraftSaved('invitation');
  await protectDraft('invitation', null);
  await dropDraft('invitation');
});
