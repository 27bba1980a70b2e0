import { expect } from 'vitest';
import type { Event } from '../../../protocol/events.ts';
import type { Answer, TestApi } from '../../testing/test-service.ts';
import { type Party, partiesOf } from '../../write/test-parties.ts';
import { type Exchange, exchangeOf } from '../records/test-exchange.ts';

export const EVENTS = '/api/events';

export interface PageOptions {
  readonly after?: string | null;
  readonly limit?: number;
}

export type EventClients = ReturnType<typeof eventsOf>;

/** Clients of institutions that read their events over HTTP. `now` is their clock, in ms since 1970. */
export function eventsOf(service: TestApi, now: () => number = Date.now) {
  const parties = partiesOf(service, now);
  const exchange: Exchange = exchangeOf(service, now);

  const read = (
    { person, id }: Pick<Party, 'person' | 'id'>,
    { after = null, limit }: PageOptions = {},
    ieoId: string = id,
  ): Promise<Answer> => {
    const { nonce, timestamp, signature } = parties.sign(person, 'readEvents', { ieoId });
    const query = new URLSearchParams({ ieoId });
    if (after !== null) query.set('after', after);
    if (limit !== undefined) query.set('limit', String(limit));
    const headers = { 'x-signature': signature, 'x-nonce': nonce, 'x-timestamp': timestamp };
    return service.get(`${EVENTS}?${query}`, headers);
  };

  /** Reads a page that must succeed. @returns its body */
  async function page(institution: Pick<Party, 'person' | 'id'>, options: PageOptions = {}) {
    const { status, body } = await read(institution, options);
    expect(status, JSON.stringify(body)).toBe(200);
    return body as { events: Event[]; next_cursor: string; has_more: boolean };
  }

  /** Every event, in pages. */
  async function all(institution: Pick<Party, 'person' | 'id'>, { after = null, limit = 1000 }: PageOptions = {}) {
    const events: Event[] = [];
    for (let cursor = after, more = true; more; ) {
      const found = await page(institution, { after: cursor, limit });
      expect(found.events.length).toBeLessThanOrEqual(limit);
      events.push(...found.events);
      cursor = found.next_cursor;
      more = found.has_more;
    }
    return events;
  }

  return { ...parties, exchange, read, page, all };
}

/** The type of an event and its subject: a consent, a holder, an institution or a record. */
export const summaryOf = ({ type, data }: Event): string => {
  const { token_id, record_id, beo_id, ieo_id } = { ...data } as Readonly<Record<string, string>>;
  return `${type} ${token_id ?? record_id ?? beo_id ?? ieo_id}`;
};
