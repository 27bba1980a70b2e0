import { useCallback, useEffect, useRef, useState } from 'react';
import { useSession } from '../../../_session/session.tsx';
import { useSignedBody } from '../../../_session/write.tsx';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/provider.tsx';
import type { AccessEvent } from './group-access.ts';

export interface Log {
  /** The newest first. */
  readonly events: readonly AccessEvent[];
  /** Of what is older; null where nothing is. */
  readonly cursor: string | null;
  readonly asksOlder: boolean;
  /** Why older ones could not be read. */
  readonly failure: Failure | null;
}

export type LogState =
  | { readonly at: 'none' | 'asking'; readonly failure: Failure | null }
  | ({ readonly at: 'there' } & Log);

const NOTHING: LogState = { at: 'none', failure: null };

/** The access log, page by page; each page needs a signature. Dropped when the key is locked. */
export function useLog(beoId: string) {
  const { isOpen, signer } = useSession();
  const signedBody = useSignedBody();
  const client = useTRPCClient();
  const [state, setState] = useState<LogState>(NOTHING);
  const round = useRef(0);

  useEffect(() => {
    if (isOpen) return;
    round.current++;
    setState(NOTHING);
  }, [isOpen]);

  const read = useCallback(
    async (cursor: string | null, before: readonly AccessEvent[], otherwise: (failure: Failure | null) => LogState) => {
      const own = ++round.current;
      const show = (next: LogState) => {
        if (round.current === own) setState(next);
      };
      try {
        const body = await signedBody('listAccess', { beoId, ...(cursor !== null && { cursor }) });
        if (!body) return show(otherwise(null));
        const { events, next_cursor } = await client.access.mutate({ body });
        show({ at: 'there', events: [...before, ...events], cursor: next_cursor, asksOlder: false, failure: null });
      } catch (error) {
        show(otherwise(failureOf(error)));
      }
    },
    [signedBody, client, beoId],
  );

  const ask = useCallback(async () => {
    if (!(await signer())) return;
    setState({ at: 'asking', failure: null });
    await read(null, [], (failure) => ({ at: 'none', failure }));
  }, [signer, read]);

  const askOlder = useCallback(async () => {
    if (state.at !== 'there' || state.asksOlder || state.cursor === null) return;
    setState({ ...state, asksOlder: true, failure: null });
    await read(state.cursor, state.events, (failure) => ({ ...state, failure }));
  }, [state, read]);

  return { state, ask, askOlder };
}
