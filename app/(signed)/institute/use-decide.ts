import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Operations } from '../../../client/types.ts';
import { send } from '../../_session/send.ts';
import { useWrites } from '../../_session/write.tsx';
import type { Failure } from '../../_trpc/failure.ts';

/** The operations that an institute key authorizes. */
export type DecisionName = 'openProposal' | 'approveProposal' | 'updateCertification';

/** Null if it was accepted. */
export type Decided = Failure | null;

/** Sends a decision with an institute key (send.ts), then refreshes the pages, also after a failure. Never throws. */
export function useDecide() {
  const queries = useQueryClient();
  const { track } = useWrites();
  return useCallback(
    async <Given extends DecisionName>(
      name: Given,
      fields: Operations[Given]['fields'],
      instituteKey: string,
    ): Promise<Decided> => {
      const sent = await send(name, fields, { instituteKey });
      if (sent.ok) track({ id: String(sent.transactionId), function: sent.function });
      await queries.invalidateQueries();
      return sent.ok ? null : sent.failure;
    },
    [queries, track],
  );
}
