import { useEffect, useLayoutEffect, useState } from 'react';
import { readTabDraft, writeTabDraft } from '../_keys/tab-draft.ts';

type Kept<Draft> = readonly [draft: Draft, set: (change: Draft | ((before: Draft) => Draft)) => void];

interface Keeping<Draft> {
  /** The step in the address. */
  readonly step: string | null;
  /** What the answers were for is done. */
  readonly done: boolean;
  /** The answers with which it begins. */
  readonly first: Draft;
}

/**
 * The answers of a flow, kept in this tab: a reload at a later step finds them again, a new beginning does not.
 * @param name undefined until it is known whose answers they are
 */
export function useKeptDraft<Draft extends object>(
  name: string | undefined,
  { step, done, first }: Keeping<Draft>,
): Kept<Draft> {
  const [begun] = useState<Draft>(first);
  const [draft, setDraft] = useState<Draft>(begun);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the step at which the page was opened
  useLayoutEffect(() => {
    if (!name) return;
    if (step === null) writeTabDraft(name, null);
    const stored = readTabDraft<Draft>(name);
    if (stored) setDraft((before) => (before === begun ? { ...begun, ...stored } : before));
  }, [name]);

  useEffect(() => {
    if (name && (done || draft !== begun)) writeTabDraft(name, done ? null : draft);
  }, [name, done, draft, begun]);

  return [draft, setDraft];
}
