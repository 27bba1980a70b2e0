import { useEffect, useLayoutEffect, useState } from 'react';
import { readTabDraft, writeTabDraft } from '../../../../_wizard/tab-draft.ts';
import { type Draft, EMPTY } from './draft.ts';

type Kept = readonly [draft: Draft, set: (change: Draft | ((before: Draft) => Draft)) => void];

/**
 * The answers, kept in this tab: a reload at a later step finds them again, a new beginning does not.
 * @param holderId as stored in this browser; undefined until the browser's storage is read
 * @param step the step in the address
 */
export function useKeptDraft(holderId: string | undefined, step: string | null, granted: boolean): Kept {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const name = holderId && `consent:${holderId}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the step at which the page was opened
  useLayoutEffect(() => {
    if (!name) return;
    if (step === null) writeTabDraft(name, null);
    const stored = readTabDraft<Draft>(name);
    if (stored) setDraft((before) => (before === EMPTY ? { ...EMPTY, ...stored } : before));
  }, [name]);

  useEffect(() => {
    if (name && (granted || draft !== EMPTY)) writeTabDraft(name, granted ? null : draft);
  }, [name, granted, draft]);

  return [draft, setDraft];
}
