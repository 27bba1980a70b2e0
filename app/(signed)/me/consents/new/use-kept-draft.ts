import { useEffect, useLayoutEffect, useState } from 'react';
import { readTabDraft, writeTabDraft } from '../../../../_wizard/tab-draft.ts';
import { type Draft, EMPTY } from './draft.ts';

type Kept = readonly [draft: Draft, set: (change: Draft | ((before: Draft) => Draft)) => void];

/**
 * The answers, kept in this tab: a reload at a later step finds them again, a new beginning does not.
 * @param holderId as stored in this browser; undefined until the browser's storage is read
 * @param step the step in the address
 * @param request the id of the request that is answered, with the answers with which it begins
 */
export function useKeptDraft(
  holderId: string | undefined,
  step: string | null,
  granted: boolean,
  request = '',
  first = EMPTY,
): Kept {
  const [begun] = useState<Draft>(first);
  const [draft, setDraft] = useState<Draft>(begun);
  const name = holderId && `consent:${holderId}${request}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the step at which the page was opened
  useLayoutEffect(() => {
    if (!name) return;
    if (step === null) writeTabDraft(name, null);
    const stored = readTabDraft<Draft>(name);
    if (stored) setDraft((before) => (before === begun ? { ...EMPTY, ...stored } : before));
  }, [name]);

  useEffect(() => {
    if (name && (granted || draft !== begun)) writeTabDraft(name, granted ? null : draft);
  }, [name, granted, draft, begun]);

  return [draft, setDraft];
}
