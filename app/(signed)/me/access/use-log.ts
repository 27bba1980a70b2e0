import { useCallback, useEffect, useRef, useState } from 'react';
import { useSession } from '../../../_session/session.tsx';
import { useSignedBody } from '../../../_session/write.tsx';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/query-provider.tsx';
import type { AccessEvent } from './group-access.ts';

export interface Log {
  /** The newest first. */
  readonly events: readonly AccessEvent[];
  /** The cursor of older events; null where there are none. */
  readonly cursor: string | null;
  readonly isLoadingOlder: boolean;
  /** Why older events could not be read. */
  readonly failure: Failure | null;
}

export type LogState =
  | { readonly at: 'none' | 'loading'; readonly failure: Failure | null }
  | ({ readonly at: 'loaded' } & Log);

const EMPTY: LogState = { at: 'none', failure: null };

/** The access log, page by page; each page needs a signature. Dropped when the key is locked. */
export function useLog(beoId: string) {
  const { isOpen, signer } = useSession();
  const signedBody = useSignedBody();
  const client = useTRPCClient();
  const [state, setState] = useState<LogState>(EMPTY);
  const latestRead = useRef(0);

  useEffect(() => {
    if (isOpen) return;
    latestRead.current++;
    setState(EMPTY);
  }, [isOpen]);

  const read = useCallback(
    async (cursor: string | null, before: readonly AccessEvent[], onFailure: (failure: Failure | null) => LogState) => {
      const id = ++latestRead.current;
      const show = (next: LogState) => {
        if (latestRead.current === id) setState(next);
      };
      try {
        const body = await signedBody('listAccess', { beoId, ...(cursor !== null && { cursor }) });
        if (!body) return show(onFailure(null));
        const { events, next_cursor } = await client.access.mutate({ body });
        show({
          at: 'loaded',
          events: [...before, ...events],
          cursor: next_cursor,
          isLoadingOlder: false,
          failure: null,
        });
      } catch (error) {
        show(onFailure(failureOf(error)));
      }
    },
    [signedBody, client, beoId],
  );

  const load = useCallback(async () => {
    if (!(await signer())) return;
    setState({ at: 'loading', failure: null });
    await read(null, [], (failure) => ({ at: 'none', failure }));
  }, [signer, read]);

  const loadOlder = useCallback(async () => {
    if (state.at !== 'loaded' || state.isLoadingOlder || state.cursor === null) return;
    setState({ ...state, isLoadingOlder: true, failure: null });
    await read(state.cursor, state.events, (failure) => ({ ...state, failure }));
  }, [state, read]);

  return { state, load, loadOlder };
}
