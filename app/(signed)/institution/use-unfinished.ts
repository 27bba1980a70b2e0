import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { keepReceipt } from '../../_keys/kept-receipts.ts';
import { UNREADABLE } from '../../_keys/read.ts';
import { changeUnfinished, type UnfinishedSubmission, withSubmission } from '../../_keys/unfinished-submissions.ts';
import { unfinishedKey, useUnfinishedList } from './use-unfinished-list.ts';

/** The submissions of which something is left to do, and how to change them. Empty until they are read. */
export function useUnfinished(ieoId: string) {
  const queries = useQueryClient();
  const [isRefused, setRefused] = useState(false);
  /** Whether the last receipts could not be stored. */
  const [isLost, setLost] = useState(false);
  const unfinished = useUnfinishedList(ieoId);
  const change = useCallback(
    async (changed: Parameters<typeof changeUnfinished>[1]) => {
      const after = await changeUnfinished(ieoId, changed).catch(() => UNREADABLE);
      setRefused(after.state === 'unreadable');
      if (after.state === 'read') queries.setQueryData(unfinishedKey(ieoId), after.value);
    },
    [ieoId, queries],
  );
  const keep = useCallback(
    (submission: UnfinishedSubmission, accepted: readonly string[] = []) =>
      change((kept) => withSubmission(kept, submission, accepted)),
    [change],
  );
  /** Keeps the receipts of parts of a submission, each by its number. Returns whether this browser stored them. */
  const keepReceipts = useCallback(
    async (id: string, parts: readonly (readonly [part: number, receipt: Json])[]): Promise<boolean> => {
      const writes = parts.map(([part, receipt]) => keepReceipt({ ieoId, id }, part, receipt));
      const isStored = await Promise.all(writes).then(
        () => true,
        () => false,
      );
      setLost(!isStored);
      return isStored;
    },
    [ieoId],
  );
  const dismiss = useCallback((id: string) => change((kept) => kept.filter((one) => one.id !== id)), [change]);
  /** `isRefused`: whether this browser could not store the last change, or a receipt. */
  return { unfinished, isRefused: isRefused || isLost, keep, keepReceipts, dismiss };
}
