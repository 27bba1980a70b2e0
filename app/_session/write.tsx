'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useMemo, useRef, useState } from 'react';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { signedBody } from '../_keys/secret.ts';
import { clockSkew } from '../_trpc/clock.ts';
import { type Failure, failureOf } from '../_trpc/failure.ts';
import { useTRPC, useTRPCClient } from '../_trpc/query-provider.tsx';
import type { AnswerTo, OperationFunction } from './operation-types.ts';
import { useSession } from './session.tsx';
import type { Signer } from './signer.ts';
import { sendOnce, type Unanswered } from './unanswered.ts';

type Fields = Readonly<Record<string, Json>>;

/**
 * The outcome of a write. `answer` is null where an earlier, identical request arrived and its response was lost; `failure` is null
 * where the person cancelled.
 */
export type Written<Answer> =
  | { readonly ok: true; readonly answer: Answer | null }
  | { readonly ok: false; readonly failure: Failure | null };

/** A write on its way to the network. */
export interface Tracked {
  readonly id: string;
  /** The function that was signed. */
  readonly function: string;
}

interface Writes {
  readonly tracked: readonly Tracked[];
  readonly unanswered: Unanswered;
  track(write: Tracked): void;
  /** Hides a write; all of them without an id. */
  dismiss(id?: string): void;
}

const WritesContext = createContext<Writes | null>(null);
const MAX_TRACKED = 20;

/** What ends a right: whether it was done before matters less than that it is done. */
const HARMLESS_TWICE: ReadonlySet<OperationFunction> = new Set([
  'lockBEO',
  'lockIEO',
  'revokeToken',
  'revokeAllTokens',
  'revokeAllFromIEO',
  'revokeByIntent',
  'destroyBEO',
  'destroyIEO',
]);

/** Tracks the writes of this page until they are final. */
export function WritesProvider({ children }: { children: ReactNode }) {
  const [tracked, setTracked] = useState<readonly Tracked[]>([]);
  const track = useCallback((write: Tracked) => setTracked((before) => [write, ...before].slice(0, MAX_TRACKED)), []);
  const dismiss = useCallback(
    (id?: string) => setTracked((before) => (id === undefined ? [] : before.filter((write) => write.id !== id))),
    [],
  );
  const { current: unanswered } = useRef<Unanswered>(new Map());
  const writes = useMemo(() => ({ tracked, unanswered, track, dismiss }), [tracked, unanswered, track, dismiss]);
  return <WritesContext value={writes}>{children}</WritesContext>;
}

export function useWrites(): Writes {
  const writes = use(WritesContext);
  if (!writes) throw new Error('useWrites needs a WritesProvider above it.');
  return writes;
}

/** How long a write waits for the refresh of the queries; long lists continue in the background. */
const REFRESH_WAIT_MS = 1_000;

/**
 * Signs an operation with the key of the current identity, or with `as`, and sends it (`sendOnce`). Refreshes all queries once it
 * is accepted. Never throws.
 * `quiet`: a part of another operation, whose progress is not shown.
 */
export function useWrite() {
  const session = useSession();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const { track, unanswered } = useWrites();

  return useCallback(
    async <Function extends OperationFunction, Given extends Fields>(
      functionName: Function,
      fields: Given,
      { as, quiet = false }: { readonly as?: Signer; readonly quiet?: boolean } = {},
    ): Promise<Written<AnswerTo<Function, Given>>> => {
      const signer = as ?? (await session.signer(functionName === 'rotateKey' ? 'replaceKey' : 'sign'));
      if (!signer) return { ok: false, failure: null };
      const sent = await sendOnce(unanswered, {
        what: JSON.stringify([signer.publicKey, functionName, fields]),
        isHarmlessTwice: HARMLESS_TWICE.has(functionName),
        sign: () => signedBody(signer.sign, functionName, fields, { clockSkew: clockSkew() }),
        post: (body) =>
          client.operate.mutate({ function: functionName, body }).then(
            (answer) => ({ ok: true, answer }) as const,
            (error: unknown) => ({ ok: false, failure: failureOf(error) }) as const,
          ),
      });
      if (!sent.ok) return sent;
      const id = sent.answer === null ? sent.transactionId : sent.answer.transactionId;
      if (!quiet) track({ id, function: functionName });
      await Promise.race([queries.invalidateQueries(), new Promise((resolve) => setTimeout(resolve, REFRESH_WAIT_MS))]);
      // The only place where a response gets the type of its operation (protocol §4).
      return { ok: true, answer: sent.answer as unknown as AnswerTo<Function, Given> | null };
    },
    [session, client, queries, unanswered, track],
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
