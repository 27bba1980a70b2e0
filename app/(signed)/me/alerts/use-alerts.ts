import { useCallback, useEffect, useState } from 'react';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import type { Answers } from '../../../../server/http/trpc/router.ts';
import { useSession } from '../../../_session/session.tsx';
import { useSignedBody } from '../../../_session/write.tsx';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/query-provider.tsx';

/** As the service has them; `version` changes with each answer, so that a form begins anew. */
export type Alerts = Answers['alerts'] & { readonly version: number };

interface AlertsState {
  readonly alerts: Alerts | null;
  readonly busy: 'read' | 'save' | null;
  readonly saved: boolean;
  readonly failure: Failure | null;
}

const EMPTY: AlertsState = { alerts: null, busy: null, saved: false, failure: null };

/** The alerts of a holder, which only the holder can read: read once the key is open, unless the service sends no mail. */
export function useAlerts(beoId: string, mails: boolean) {
  const { isOpen, signer } = useSession();
  const signedBody = useSignedBody();
  const client = useTRPCClient();
  const [state, setState] = useState<AlertsState>(EMPTY);

  const run = useCallback(
    async (busy: 'read' | 'save', name: string, fields: Readonly<Record<string, Json>> = {}) => {
      setState((before) => ({ ...before, busy, saved: false, failure: null }));
      try {
        const body = await signedBody(name, { beoId, ...fields });
        if (!body) return setState((before) => ({ ...before, busy: null }));
        const found = await (busy === 'read' ? client.alerts.mutate({ body }) : client.setAlerts.mutate({ body }));
        setState(({ alerts }) => ({
          alerts: { ...found, version: (alerts?.version ?? 0) + 1 },
          busy: null,
          saved: busy === 'save',
          failure: null,
        }));
      } catch (error) {
        setState((before) => ({ ...before, busy: null, failure: failureOf(error) }));
      }
    },
    [signedBody, client, beoId],
  );

  const read = useCallback(() => run('read', 'listAlerts'), [run]);
  useEffect(() => {
    if (isOpen && mails) void read();
    else setState(EMPTY);
  }, [isOpen, mails, read]);

  return {
    ...state,
    /** Opens the key, after which they are read once: a second answer would undo what was typed meanwhile. */
    show: () => void (isOpen ? read() : signer()),
    save: (fields: Readonly<Record<string, Json>>) => run('save', 'setAlerts', fields),
  };
}
