import { useCallback, useEffect, useState } from 'react';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import type { Answers } from '../../../../server/http/trpc/router.ts';
import { useSession } from '../../../_session/session.tsx';
import { useSignedBody } from '../../../_session/write.tsx';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/query-provider.tsx';

type Own = Answers['certificationRequest'];
export type OwnRequest = NonNullable<Own['request']>;

interface RequestState {
  /** Undefined until it is read; null if there is none. */
  readonly request: OwnRequest | null | undefined;
  readonly busy: 'read' | 'request' | 'withdraw' | null;
  /** What was done last. */
  readonly done: 'request' | 'withdraw' | null;
  readonly failure: Failure | null;
}

const EMPTY: RequestState = { request: undefined, busy: null, done: null, failure: null };

/** What an institution asks the institute for, and told only to it. Read once its key is open. */
export function useCertificationRequest(ieoId: string) {
  const { isOpen } = useSession();
  const signedBody = useSignedBody();
  const client = useTRPCClient();
  const [state, setState] = useState<RequestState>(EMPTY);

  const run = useCallback(
    async (busy: NonNullable<RequestState['busy']>, name: string, fields: Readonly<Record<string, Json>> = {}) => {
      setState((before) => ({ ...before, busy, done: null, failure: null }));
      try {
        const body = await signedBody(name, { ieoId, ...fields });
        if (!body) {
          setState((before) => ({ ...before, busy: null }));
          return false;
        }
        const { request } = await (busy === 'read'
          ? client.certificationRequest.mutate({ body })
          : client.changeCertificationRequest.mutate({ action: busy, body }));
        setState({ request, busy: null, done: busy === 'read' ? null : busy, failure: null });
        return true;
      } catch (error) {
        setState((before) => ({ ...before, busy: null, failure: failureOf(error) }));
        return false;
      }
    },
    [signedBody, client, ieoId],
  );

  const read = useCallback(() => run('read', 'readCertificationRequest'), [run]);
  useEffect(() => {
    if (isOpen) void read();
  }, [isOpen, read]);

  return {
    ...state,
    read,
    ask: (fields: Readonly<Record<string, Json>>) => run('request', 'requestCertification', fields),
    withdraw: () => run('withdraw', 'withdrawCertificationRequest'),
  };
}
