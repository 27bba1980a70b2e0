'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { signedBody } from '../_keys/secret.ts';
import { clockSkew } from '../_trpc/clock.ts';
import { type Failure, failureOf } from '../_trpc/failure.ts';
import { useTRPC, useTRPCClient } from '../_trpc/provider.tsx';
import type { AnswerTo, OperationFunction } from './operation-types.ts';
import { useSession } from './session.tsx';
import type { Signer } from './signer.ts';

type Fields = Readonly<Record<string, Json>>;

/** The outcome of a write; `failure` is null where the person cancelled. */
export type Written<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly failure: Failure | null };

/** A write on its way to the network. */
export interface Tracked {
  readonly id: string;
  /** The function that was signed. */
  readonly function: string;
}

interface Writes {
  readonly tracked: readonly Tracked[];
  track(write: Tracked): void;
  /** Hides a write; all of them without an id. */
  dismiss(id?: string): void;
}

const WritesContext = createContext<Writes | null>(null);
const MAX_TRACKED = 20;

/** Tracks the writes of this page until they are final. */
export function WritesProvider({ children }: { children: ReactNode }) {
  const [tracked, setTracked] = useState<readonly Tracked[]>([]);
  const track = useCallback((write: Tracked) => setTracked((before) => [write, ...before].slice(0, MAX_TRACKED)), []);
  const dismiss = useCallback(
    (id?: string) => setTracked((before) => (id === undefined ? [] : before.filter((write) => write.id !== id))),
    [],
  );
  const writes = useMemo(() => ({ tracked, track, dismiss }), [tracked, track, dismiss]);
  return <WritesContext value={writes}>{children}</WritesContext>;
}

export function useWrites(): Writes {
  const writes = use(WritesContext);
  if (!writes) throw new Error('useWrites needs a WritesProvider above it.');
  return writes;
}

/** How long a write waits for the refresh of the queries; long lists continue in the background. */
const REFRESH_WAIT_MS = 1_000;

const CLOCK_ERRORS = new Set(['TIMESTAMP_TOO_OLD', 'TIMESTAMP_IN_FUTURE']);

/**
 * Signs an operation with the key of the current identity, or with `as`, and sends it; retries with the server's time where this
 * device's clock is wrong. Refreshes all queries once it is accepted. Never throws.
 */
export function useWrite() {
  const session = useSession();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const { track } = useWrites();

  return useCallback(
    async <Function extends OperationFunction, Given extends Fields>(
      functionName: Function,
      fields: Given,
      as?: Signer,
    ): Promise<Written<AnswerTo<Function, Given>>> => {
      const signer = as ?? (await session.signer(functionName === 'rotateKey' ? 'replaceKey' : 'sign'));
      if (!signer) return { ok: false, failure: null };
      const send = async (skew: number) => {
        const body = await signedBody(signer.sign, functionName, fields, { clockSkew: skew });
        return client.operate.mutate({ function: functionName, body });
      };
      try {
        const answer = await send(0).catch((error: unknown) => {
          if (!CLOCK_ERRORS.has(failureOf(error).code)) throw error;
          return send(clockSkew());
        });
        track({ id: answer.transactionId, function: functionName });
        await Promise.race([
          queries.invalidateQueries(),
          new Promise((resolve) => setTimeout(resolve, REFRESH_WAIT_MS)),
        ]);
        // The only place where a response gets the type of its operation (protocol §4).
        return { ok: true, answer: answer as unknown as AnswerTo<Function, Given> };
      } catch (error) {
        return { ok: false, failure: failureOf(error) };
      }
    },
    [session, client, queries, track],
  );
}

/**
 * Signs a request that is no operation of the ledger (readRecords, listAccess, sovereignExport) with the key of the current
 * identity. Null where the person cancelled the unlock.
 */
export function useSignedBody() {
  const session = useSession();
  return useCallback(
    async (functionName: string, fields: Fields) => {
      const signer = await session.signer();
      return signer && signedBody(signer.sign, functionName, fields, { clockSkew: clockSkew() });
    },
    [session],
  );
}

const POLL_MS = 3_000;

/** The progress of writes, by transaction id. Polled until all are FINAL. */
export function useProgress(ids: readonly string[]) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.progress.queryOptions(
      { ids: [...ids] },
      {
        enabled: ids.length > 0,
        refetchInterval: ({ state }) =>
          state.data?.length === ids.length && state.data.every(({ status }) => status === 'FINAL') ? false : POLL_MS,
      },
    ),
  );
  return new Map(data?.map((progress) => [progress.id, progress]));
}
