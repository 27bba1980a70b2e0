import { useCallback, useEffect, useState } from 'react';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import type { WebhookAction } from '../../../../protocol/signing/webhook-requests.ts';
import type { Answers } from '../../../../server/http/trpc/router.ts';
import { useSession } from '../../../_session/session.tsx';
import { useSignedBody } from '../../../_session/write.tsx';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/query-provider.tsx';

export type Webhook = Answers['webhook'];
export type WebhookResponse = Webhook['responses'][number];

/** The functions that are signed. */
const FUNCTIONS = {
  pause: 'pauseWebhook',
  resume: 'resumeWebhook',
  test: 'testWebhook',
  resend: 'resendEvent',
  replay: 'replayEvents',
} as const satisfies Record<WebhookAction, string>;

interface WebhookState {
  /** Null until it is read. */
  readonly webhook: Webhook | null;
  /** What is being done. */
  readonly busy: WebhookAction | 'read' | null;
  readonly failure: Failure | null;
  /** What was done last. */
  readonly done: WebhookAction | null;
}

const EMPTY: WebhookState = { webhook: null, busy: null, failure: null, done: null };

/** The delivery to an institution's webhook; each request needs a signature. Dropped when the key is locked. */
export function useWebhook(ieoId: string) {
  const { isOpen } = useSession();
  const signedBody = useSignedBody();
  const client = useTRPCClient();
  const [state, setState] = useState<WebhookState>(EMPTY);

  useEffect(() => {
    if (!isOpen) setState(EMPTY);
  }, [isOpen]);

  const run = useCallback(async (busy: WebhookAction | 'read', send: () => Promise<Webhook | null>) => {
    setState((before) => ({ ...before, busy, failure: null, done: null }));
    try {
      const webhook = await send();
      const done = webhook && busy !== 'read' ? busy : null;
      setState((before) => ({ webhook: webhook ?? before.webhook, busy: null, failure: null, done }));
    } catch (error) {
      setState((before) => ({ ...before, busy: null, failure: failureOf(error), done: null }));
    }
  }, []);

  const read = useCallback(
    () =>
      run('read', async () => {
        const body = await signedBody('readWebhook', { ieoId });
        return body && client.webhook.mutate({ body });
      }),
    [run, signedBody, client, ieoId],
  );

  const act = useCallback(
    (action: WebhookAction, fields: Readonly<Record<string, Json>> = {}) =>
      run(action, async () => {
        const body = await signedBody(FUNCTIONS[action], { ieoId, ...fields });
        return body && client.webhookAction.mutate({ action, body });
      }),
    [run, signedBody, client, ieoId],
  );

  return { ...state, read, act };
}
