import { openForBrowser, sealForBrowser } from './browser-seal.ts';
import { readIdentityStore, withIdentityStore } from './identity-store.ts';
import { dropReceipts } from './kept-receipts.ts';
import { type Read, readAs, UNREADABLE } from './read.ts';

/** A submission of which something is left to do; in this browser only, encrypted like a copy of a key. */
export interface UnfinishedSubmission {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** Records. */
  readonly all: number;
  /** Fingerprints of the records that were not accepted. */
  readonly failed: readonly string[];
  /** Fingerprints of the records that may have been accepted: no response arrived. */
  readonly unknown: readonly string[];
  /** The file of receipts that were not saved: kept-receipts.ts has its parts; `text` is of an earlier version. Null without any. */
  readonly receipts: {
    readonly name: string;
    /** How many parts there are; absent in those of an earlier version. */
    readonly parts?: number;
    readonly text?: string;
  } | null;
}

/** The oldest are dropped, except those with receipts. */
const MAX_KEPT = 20;

export const isFinished = ({ failed, unknown, receipts }: UnfinishedSubmission): boolean =>
  failed.length === 0 && unknown.length === 0 && receipts === null;

/**
 * A list with a submission as it is now, without what is finished. Its records, with those that were accepted, are no longer
 * left of earlier submissions.
 */
export function withSubmission(
  kept: readonly UnfinishedSubmission[],
  submission: UnfinishedSubmission,
  accepted: readonly string[] = [],
): readonly UnfinishedSubmission[] {
  const records = new Set([...accepted, ...submission.failed, ...submission.unknown]);
  const isLeft = (fingerprint: string) => !records.has(fingerprint);
  const others = kept
    .filter(({ id }) => id !== submission.id)
    .map(
      (one): UnfinishedSubmission => ({
        ...one,
        failed: one.failed.filter(isLeft),
        unknown: one.unknown.filter(isLeft),
      }),
    );
  const left = [...others, submission].filter((one) => !isFinished(one));
  const droppable = others.filter((one) => left.includes(one) && one.receipts === null);
  const dropped = new Set(droppable.slice(0, Math.max(0, left.length - MAX_KEPT)));
  return left.filter((one) => !dropped.has(one));
}

/** An earlier version kept no fingerprints. */
type Stored = Omit<UnfinishedSubmission, 'failed' | 'unknown'> &
  Partial<Pick<UnfinishedSubmission, 'failed' | 'unknown'>>;

/** The oldest first; empty where this browser has lost them. */
export async function unfinishedSubmissions(ieoId: string): Promise<Read<readonly UnfinishedSubmission[]>> {
  const sealed = await readIdentityStore('submissions', ieoId);
  if (sealed.state === 'unreadable') return sealed;
  const bytes = sealed.value && (await openForBrowser(ieoId, sealed.value));
  const kept: Stored[] = bytes ? JSON.parse(new TextDecoder().decode(bytes)) : [];
  return readAs(
    kept.map((one): UnfinishedSubmission => ({ failed: [], unknown: [], ...one })).filter((one) => !isFinished(one)),
  );
}

/** Changes the list, one change at a time in all tabs. Returns it as it is then; unreadable where it cannot be stored. */
export const changeUnfinished = (
  ieoId: string,
  changed: (kept: readonly UnfinishedSubmission[]) => readonly UnfinishedSubmission[],
): Promise<Read<readonly UnfinishedSubmission[]>> =>
  navigator.locks.request('perpetua-submissions', async () => {
    try {
      const before = await unfinishedSubmissions(ieoId);
      if (before.state === 'unreadable') return before;
      const after = changed(before.value);
      if (after.length === 0 && before.value.length === 0) return before;
      const sealed = await sealForBrowser(ieoId, new TextEncoder().encode(JSON.stringify(after)));
      await withIdentityStore('submissions', (store) => store.put(ieoId, sealed));
      await dropSettled(ieoId, before.value, after);
      return readAs(after);
    } catch {
      return UNREADABLE;
    }
  });

/** Deletes the receipts of submissions that have none left to save. */
async function dropSettled(
  ieoId: string,
  before: readonly UnfinishedSubmission[],
  after: readonly UnfinishedSubmission[],
): Promise<void> {
  const unsaved = new Set(after.flatMap(({ id, receipts }) => (receipts ? [id] : [])));
  for (const { id, receipts } of before) if (receipts && !unsaved.has(id)) await dropReceipts({ ieoId, id });
}
