'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import type { Operations } from '../../client/types.ts';
import type { Failure } from '../_trpc/failure.ts';
import { useTRPC } from '../_trpc/query-provider.tsx';
import { type Answer, type Fields, type Name, send, sign } from './send.ts';
import { useSession } from './session.tsx';
import type { Signer } from './signer.ts';

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

/**
 * Signs an operation with the key of the current identity, or with `as`, and sends it (send.ts). Refreshes all queries once it is
 * accepted. Never throws.
 * `quiet`: a part of another operation, whose progress is not shown.
 */
export function useWrite() {
  const session = useSession();
  const queries = useQueryClient();
  const { track } = useWrites();

  return useCallback(
    async <Given extends Name>(
      name: Given,
      fields: Operations[Given]['fields'],
      { as, quiet = false }: { readonly as?: Signer; readonly quiet?: boolean } = {},
    ): Promise<Written<Answer<Given>>> => {
      const key = as ?? (await session.signer(ROTATIONS.has(name) ? 'replaceKey' : 'sign'));
      if (!key) return { ok: false, failure: null };
      const sent = await send(name, fields, { key });
      if (!sent.ok) return sent;
      if (!quiet && sent.transactionId !== null) track({ id: sent.transactionId, function: sent.function });
      await Promise.race([queries.invalidateQueries(), new Promise((resolve) => setTimeout(resolve, REFRESH_WAIT_MS))]);
      return sent;
    },
    [session, queries, track],
  );
}

const ROTATIONS: ReadonlySet<Name> = new Set<Name>(['rotateBEOKey', 'rotateIEOKey']);

/**
 * Signs a request that is no operation of the ledger (readRecords, listAccess, sovereignExport) with the key of the current
 * identity. Null where the person cancelled the unlock.
 */
export function useSignedBody() {
  const session = useSession();
  return useCallback(
    async (functionName: string, fields: Fields) => {
      const signer = await session.signer();
      return signer && sign(signer, functionName, fields);
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
