import { expect, test } from 'vitest';
import { draftFor, dropCopy, dropDraft, keepCopy, keptCopies, markDraftSaved, openCopy } from './browser-copy.ts';
import { newSecret } from './secret.ts';

test('without storage nothing is kept, and nothing throws', async () => {
  expect('indexedDB' in globalThis).toBe(false);
  const id = { purpose: 'guardian', beoId: 'a', publicKey: 'b' } as const;
  expect(await keepCopy(id, { holds: 'entropy', bytes: newSecret() })).toBe(false);
  expect(await openCopy(id)).toBeNull();
  expect(await keptCopies()).toEqual([]);
  await dropCopy(id);
  const draft = await draftFor('invitation');
  expect(draft).toEqual({ entropy: draft.entropy, kept: false, saved: false });
  expect(draft.entropy).toHaveLength(32);
  await markDraftSaved('invitation');
  await dropDraft('invitation');
});
