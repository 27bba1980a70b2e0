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

/** What became of a write: accepted, refused with a code, or not wanted after all. */
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
  /** Shows it no more; without an id, none of them. */
  dismiss(id?: string): void;
}

const WritesContext = createContext<Writes | null>(null);
const MOST_TRACKED = 20;

/** Remembers what was written while the page is open, so that its way to FINAL can be shown. */
export function WritesProvider({ children }: { children: ReactNode }) {
  const [tracked, setTracked] = useState<readonly Tracked[]>([]);
  const track = useCallback((write: Tracked) => setTracked((before) => [write, ...before].slice(0, MOST_TRACKED)), []);
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

/** Long lists go on being read behind the answer. */
const READ_AGAIN_MS = 1_000;

const CLOCK_IS_WRONG = new Set(['TIMESTAMP_TOO_OLD', 'TIMESTAMP_IN_FUTURE']);

/**
 * Signs an operation with the key of the current identity, or with `as`, and sends it; once more by the server's clock where
 * this device's is wrong. Whatever the pages show is read again when it was accepted. Never throws.
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
          if (!CLOCK_IS_WRONG.has(failureOf(error).code)) throw error;
          return send(clockSkew());
        });
        track({ id: answer.transactionId, function: functionName });
        await Promise.race([queries.invalidateQueries(), new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS))]);
        // The one place where an answer gets the type of its operation (protocol §4).
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
 * identity. Null where the person did not want to open it.
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

const MOVING_MS = 3_000;

/** How far the tracked writes have got, by transaction id. Asked again until all are FINAL. */
export function useProgress(ids: readonly string[]) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.progress.queryOptions(
      { ids: [...ids] },
      {
        enabled: ids.length > 0,
        refetchInterval: ({ state }) =>
          state.data?.length === ids.length && state.data.every(({ status }) => status === 'FINAL') ? false : MOVING_MS,
      },
    ),
  );
  return new Map(data?.map((progress) => [progress.id, progress]));
}
