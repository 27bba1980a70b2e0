import { expect, test } from 'vitest';
import { draftFor, dropCopy, dropDraft, keepCopy, keptCopies, markDraftSaved, openCopy } from './browser-copy.ts';
import { newSecret } from './secret.ts';

test('where the browser has no storage, nothing is kept and nothing fails', async () => {
  expect('indexedDB' in globalThis).toBe(false);
  const of = { purpose: 'guardian', beoId: 'a', publicKey: 'b' } as const;
  expect(await keepCopy(of, { holds: 'entropy', bytes: newSecret() })).toBe(false);
  expect(await openCopy(of)).toBeNull();
  expect(await keptCopies()).toEqual([]);
  await dropCopy(of);
  const draft = await draftFor('invitation');
  expect(draft).toEqual({ entropy: draft.entropy, kept: false, saved: false });
  expect(draft.entropy).toHaveLength(32);
  await markDraftSaved('invitation');
  await dropDraft('invitation');
});
