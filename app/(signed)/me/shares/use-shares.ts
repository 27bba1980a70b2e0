import { useCallback, useEffect, useState } from 'react';
import type { OwnShares } from '../../../../client/types.ts';
import { type Answered, read } from '../../../_session/send.ts';
import { useSession } from '../../../_session/session.tsx';
import type { Failure } from '../../../_trpc/failure.ts';

export type Share = OwnShares['shares'][number];

interface SharesState {
  /** The newest first; null until they are read. */
  readonly shares: readonly Share[] | null;
  readonly reading: boolean;
  readonly failure: Failure | null;
}

const EMPTY: SharesState = { shares: null, reading: false, failure: null };

/** The links of a holder, which only the holder can read: read once the key is open, forgotten when it is locked. */
export function useShares(beoId: string) {
  const { isOpen, signer } = useSession();
  const [state, setState] = useState(EMPTY);

  const load = useCallback(async () => {
    const key = await signer();
    if (!key) return;
    setState((before) => ({ ...before, reading: true, failure: null }));
    const answer = await read((client) => client.listShares({ beoId }, { key }));
    setState(({ shares }) =>
      answer.ok
        ? { shares: answer.body.shares, reading: false, failure: null }
        : { shares, reading: false, failure: answer.failure },
    );
  }, [signer, beoId]);

  useEffect(() => {
    if (isOpen) void load();
    else setState(EMPTY);
  }, [isOpen, load]);

  const stop = async (shareId: string): Promise<Answered<unknown> | null> => {
    const key = await signer();
    if (!key) return null;
    const answer = await read((client) => client.stopShare({ beoId, shareId }, { key }));
    if (answer.ok) {
      const { share } = answer.body;
      setState((before) => ({
        ...before,
        shares: before.shares?.map((other) => (other.share_id === shareId ? share : other)) ?? null,
      }));
    }
    return answer;
  };

  return {
    ...state,
    /** Reads them again; opens the key first, after which they are read once. */
    show: () => void (isOpen ? load() : signer()),
    stop,
  };
}
