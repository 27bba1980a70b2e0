import { openForBrowser, sealForBrowser } from './browser-seal.ts';
import { readIdentityStore, withIdentityStore } from './identity-store.ts';
import { type Read, readAs, UNREADABLE } from './read.ts';

/** A submission of which something is left to do; in this browser only, encrypted like a copy of a key. */
export interface UnfinishedSubmission {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** Records. */
  readonly accepted: number;
  readonly all: number;
  /** What came once and was not saved, without what the records say; null where nothing is left to save. */
  readonly receipts: { readonly name: string; readonly text: string } | null;
}

/** The oldest are dropped. */
const MAX_KEPT = 20;

export const isFinished = ({ accepted, all, receipts }: UnfinishedSubmission): boolean =>
  accepted === all && receipts === null;

/** A list with a submission as it is now; without it once it is finished. */
export const withSubmission = (
  kept: readonly UnfinishedSubmission[],
  submission: UnfinishedSubmission,
): readonly UnfinishedSubmission[] =>
  [...kept.filter(({ id }) => id !== submission.id), ...(isFinished(submission) ? [] : [submission])].slice(-MAX_KEPT);

/** The oldest first; empty where this browser has lost them. */
export async function unfinishedSubmissions(ieoId: string): Promise<Read<readonly UnfinishedSubmission[]>> {
  const sealed = await readIdentityStore('submissions', ieoId);
  if (sealed.state === 'unreadable') return sealed;
  const bytes = sealed.value && (await openForBrowser(ieoId, sealed.value));
  return readAs(bytes ? JSON.parse(new TextDecoder().decode(bytes)) : []);
}

/** Changes the list, one change at a time in all tabs. */
export const changeUnfinished = (
  ieoId: string,
  changed: (kept: readonly UnfinishedSubmission[]) => readonly UnfinishedSubmission[],
): Promise<Read<undefined>> =>
  navigator.locks.request('perpetua-submissions', async () => {
    const before = await unfinishedSubmissions(ieoId);
    if (before.state === 'unreadable') return before;
    const after = changed(before.value);
    if (after.length === 0 && before.value.length === 0) return readAs(undefined);
    const sealed = await sealForBrowser(ieoId, new TextEncoder().encode(JSON.stringify(after)));
    try {
      await withIdentityStore('submissions', (store) => store.put(ieoId, sealed));
    } catch {
      return UNREADABLE;
    }
    return readAs(undefined);
  });
