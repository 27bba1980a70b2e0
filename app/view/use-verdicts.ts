import { useEffect, useState } from 'react';
import type { ViewedRecord } from './contents.ts';
import { firstVerdict, type Verdict } from './verdict.ts';

/** What the ledger says about each record, by its index. The checks begin at once, and each record waits for its own. */
export function useVerdicts(records: readonly ViewedRecord[]): readonly Verdict[] {
  const [verdicts, setVerdicts] = useState(() => records.map(firstVerdict));
  useEffect(() => {
    let isCurrent = true;
    const ledgerId = document.documentElement.dataset.ledger ?? '';
    const settle = (index: number, verdict: Verdict) =>
      isCurrent && setVerdicts((before) => before.map((one, at) => (at === index ? verdict : one)));
    import('./check-proofs.ts').then(
      ({ checkProofs }) => checkProofs(records, ledgerId, settle),
      () => isCurrent && setVerdicts((before) => before.map(unreachable)),
    );
    return () => {
      isCurrent = false;
    };
  }, [records]);
  return verdicts;
}

const unreachable = (verdict: Verdict): Verdict => (verdict.state === 'checking' ? { state: 'unreachable' } : verdict);
