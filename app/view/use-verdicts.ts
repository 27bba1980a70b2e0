import { useEffect, useState } from 'react';
import type { ViewedRecord } from './contents.ts';
import { firstVerdict, type Verdict } from './verdict.ts';

/**
 * What the ledger says about each record, by its index. The checks begin at once, and each record waits for its own. The function
 * checks those that are left unchecked.
 */
export function useVerdicts(records: readonly ViewedRecord[]): readonly [readonly Verdict[], () => void] {
  const [verdicts, setVerdicts] = useState(() => records.map(firstVerdict));
  // The verdicts that a round of checks begins with.
  const [before, setBefore] = useState(verdicts);
  useEffect(() => {
    const stop = new AbortController();
    const ledger = { url: '', ledgerId: document.documentElement.dataset.ledger ?? '' };
    const found = new Map<number, Verdict>();
    let frame = 0;
    // At most once a frame: each answer would write the whole page anew.
    const show = () => {
      frame = 0;
      setVerdicts(before.map((verdict, index) => found.get(index) ?? verdict));
    };
    const settle = (index: number, verdict: Verdict) => {
      found.set(index, verdict);
      if (frame === 0) frame = requestAnimationFrame(show);
    };
    import('./check-proofs.ts').then(
      ({ checkProofs }) => checkProofs(records, before, { ledger, signal: stop.signal, onVerdict: settle }),
      () => stop.signal.aborted || setVerdicts(before.map(unchecked)),
    );
    return () => {
      stop.abort();
      cancelAnimationFrame(frame);
    };
  }, [records, before]);
  const checkRest = () => {
    const again = verdicts.map((verdict): Verdict => (verdict.state === 'unchecked' ? { state: 'checking' } : verdict));
    setVerdicts(again);
    setBefore(again);
  };
  return [verdicts, checkRest];
}

const unchecked = (verdict: Verdict): Verdict => (verdict.state === 'checking' ? { state: 'unchecked' } : verdict);
