'use client';

import { useEffect, useRef, useState } from 'react';
import type { Progress, Step } from '../../../protocol/ledger/check-proof.ts';
import type { Proof } from '../../../protocol/ledger/proof.ts';
import { type Failure, failureOf } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/provider.tsx';

export interface Check {
  readonly phase: 'idle' | 'fetching' | 'checking' | 'done' | 'failed';
  readonly proof: Proof | null;
  readonly steps: readonly Step[];
  readonly progress: Progress | null;
  readonly failure: Failure | null;
}

const IDLE: Check = { phase: 'idle', proof: null, steps: [], progress: null, failure: null };

/** Reads the proof of a transaction and checks it in this browser, and renders after each step. */
export function useCheck(id: string): { check: Check; start: () => void } {
  const client = useTRPCClient();
  const [check, setCheck] = useState(IDLE);
  const run = useRef(0);
  useEffect(
    () => () => {
      run.current += 1;
    },
    [],
  );

  const go = async (mine: number) => {
    setCheck({ ...IDLE, phase: 'fetching' });
    const [proof, { checkProof }] = await Promise.all([
      client.proof.query({ id }),
      import('../../../protocol/ledger/check-proof.ts'),
    ]);
    setCheck({ ...IDLE, phase: 'checking', proof });
    for (const step of checkProof(proof)) {
      if (run.current !== mine) return;
      setCheck((old) =>
        step.verdict === 'running'
          ? { ...old, progress: step }
          : { ...old, progress: null, steps: [...old.steps, step] },
      );
      await nextTurn();
    }
    setCheck((old) => ({ ...old, phase: 'done' }));
  };

  const start = () => {
    run.current += 1;
    const mine = run.current;
    go(mine).catch((error: unknown) => {
      if (run.current === mine) setCheck({ ...IDLE, phase: 'failed', failure: failureOf(error) });
    });
  };

  return { check, start };
}

/** Lets the browser paint before the next step. */
const nextTurn = () => new Promise((resolve) => setTimeout(resolve));
