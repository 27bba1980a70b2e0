'use client';

import { useEffect, useRef, useState } from 'react';
import type { Progress } from '../../../protocol/ledger/check-proof.ts';
import type { Proof } from '../../../protocol/ledger/proof.ts';
import type { Answers } from '../../../server/http/trpc/router.ts';
import { type Failure, failureOf } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';
import type { AnyStep } from './steps.ts';

export type LogProof = NonNullable<Answers['inclusionProof']>;

/** What was checked: the file of the transparency log, or for an entry that is not there yet the chain around it. */
export type Fetched =
  | { readonly kind: 'log'; readonly proof: LogProof }
  | { readonly kind: 'chain'; readonly proof: Proof };

export interface Check {
  readonly phase: 'idle' | 'fetching' | 'checking' | 'done' | 'failed';
  readonly fetched: Fetched | null;
  readonly steps: readonly AnyStep[];
  readonly progress: Progress | null;
  readonly failure: Failure | null;
}

const IDLE: Check = { phase: 'idle', fetched: null, steps: [], progress: null, failure: null };

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

  const fetchProof = async (): Promise<Fetched> => {
    const proof = await client.inclusionProof.query({ id });
    return proof ? { kind: 'log', proof } : { kind: 'chain', proof: await client.proof.query({ id }) };
  };

  const go = async (mine: number) => {
    setCheck({ ...IDLE, phase: 'fetching' });
    const fetched = await fetchProof();
    const steps = await stepsOf(fetched, id);
    if (run.current !== mine) return;
    setCheck({ ...IDLE, phase: 'checking', fetched });
    for (const step of steps) {
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

/** The checks are loaded only when they are needed. */
async function stepsOf({ kind, proof }: Fetched, id: string): Promise<Iterable<AnyStep | Progress>> {
  if (kind === 'chain') return (await import('../../../protocol/ledger/check-proof.ts')).checkProof(proof);
  return (await import('./check-log-proof.ts')).checkLogProof(proof, id);
}

/** Lets the browser paint before the next step. */
const nextTurn = () => new Promise((resolve) => setTimeout(resolve));
