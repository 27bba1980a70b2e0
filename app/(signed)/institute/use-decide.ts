import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { useWrites } from '../../_session/write.tsx';
import { type Failure, failureOf } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';

/** The operations that an institute key authorizes. */
export type DecisionName = 'openProposal' | 'approveProposal' | 'updateCertification';

/** Null if it was accepted. */
export type Decided = Failure | null;

/** Sends a decision with an institute key, then refreshes the pages, also after a failure. Never throws. */
export function useDecide() {
  const client = useTRPCClient();
  const queries = useQueryClient();
  const { track } = useWrites();
  return useCallback(
    async (
      functionName: DecisionName,
      body: Readonly<Record<string, Json>>,
      instituteKey: string,
    ): Promise<Decided> => {
      try {
        const { transactionId } = await client.operate.mutate(
          { function: functionName, body },
          { context: { instituteKey } },
        );
        track({ id: transactionId, function: functionName });
        return null;
      } catch (error) {
        return failureOf(error);
      } finally {
        await queries.invalidateQueries();
      }
    },
    [client, queries, track],
  );
}
