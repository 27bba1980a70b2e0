import { useState } from 'react';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import { useSignedBody } from '../../../_session/write.tsx';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/query-provider.tsx';
import type { WebhookResponse } from './use-webhook.ts';

interface Reading {
  /** Null before it is read; `gone` where the event was erased with its records. */
  readonly payload: Json | 'gone' | null;
  readonly isReading: boolean;
  readonly failure: Failure | null;
}

/** The message of a request to the webhook. The log has its id; the message is the event, which only the key can read. */
export function usePayload(ieoId: string, { sent, event_id: id, event_at: at }: WebhookResponse) {
  const signedBody = useSignedBody();
  const client = useTRPCClient();
  const [{ payload, isReading, failure }, setState] = useState<Reading>({
    payload: null,
    isReading: false,
    failure: null,
  });

  const find = async (): Promise<Json | 'gone' | null> => {
    // A test follows from nothing, so that no event is stored.
    if (sent === 'test') return { id, type: 'webhook.test', at, seq: null, data: { ieo_id: ieoId }, timestamp: at };
    const body = await signedBody('readEvents', { ieoId });
    if (!body) return null;
    const { event } = await client.event.mutate({ body, id, at });
    return event ? { ...event, data: { ...event.data }, timestamp: event.at } : 'gone';
  };

  const read = async () => {
    setState({ payload: null, isReading: true, failure: null });
    try {
      setState({ payload: await find(), isReading: false, failure: null });
    } catch (error) {
      setState({ payload: null, isReading: false, failure: failureOf(error) });
    }
  };
  return { payload, isReading, failure, read };
}
