import { useState } from 'react';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import { useSignedBody } from '../../../_session/write.tsx';
import { useTRPCClient } from '../../../_trpc/query-provider.tsx';
import type { WebhookResponse } from './use-webhook.ts';

const PAGE = 1_000;
/** At most this many pages are read; each is a signed read. */
const MAX_PAGES = 10;

/** The message of a request to the webhook. The log has its id; the message is the event, which only the key can read. */
export function usePayload(ieoId: string, { sent, event_id: id, event_at: at }: WebhookResponse) {
  const signedBody = useSignedBody();
  const client = useTRPCClient();
  const [isReading, setReading] = useState(false);
  /** Null before it is read; `gone` where it could not be. */
  const [payload, setPayload] = useState<Json | 'gone' | null>(null);

  const find = async (): Promise<Json | 'gone' | null> => {
    // A test follows from nothing, so that no event is stored.
    if (sent === 'test') return { id, type: 'webhook.test', at, seq: null, data: { ieo_id: ieoId }, timestamp: at };
    let after: string | null = null;
    for (let page = 0; page < MAX_PAGES; page++) {
      const body = await signedBody('readEvents', { ieoId });
      if (!body) return null;
      const { events, next_cursor, has_more }: EventPage = await client.events.mutate({ body, after, limit: PAGE });
      const found = events.find((event) => event.id === id);
      if (found) return { ...found, data: { ...found.data }, timestamp: found.at };
      if (!has_more) break;
      after = next_cursor;
    }
    return 'gone';
  };

  const read = async () => {
    setReading(true);
    setPayload(await find().catch(() => 'gone' as const));
    setReading(false);
  };
  return { payload, isReading, read };
}

type EventPage = Awaited<ReturnType<ReturnType<typeof useTRPCClient>['events']['mutate']>>;
