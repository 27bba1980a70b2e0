import { z } from 'zod';
import { ID_PATTERNS } from './ids.ts';
import { list, seq, time, tokenId, transactionId, uuid } from './response-shapes.ts';

const fromEntry = z.object({
  transaction_id: transactionId.describe(
    'The entry that the event follows from; of `consent.expired`, the entry that granted the consent.',
  ),
});
const aboutHolder = fromEntry.extend({ beo_id: uuid });
const aboutConsent = aboutHolder.extend({ token_id: tokenId });
const aboutInstitution = fromEntry.extend({ ieo_id: uuid });

/** The types of events, and the data of each: ids and times, and the reference of the institution's own request. Protocol §9. */
const DATA = {
  'consent.granted': aboutConsent.extend({
    expires_at: time.nullable(),
    reference: z
      .string()
      .optional()
      .describe('What the institution calls its request, if the consent was granted on one: its own text.'),
  }),
  'consent.revoked': aboutConsent,
  'consent.expired': aboutConsent,
  'beo.locked': aboutHolder,
  'beo.unlocked': aboutHolder,
  'beo.destroyed': aboutHolder,
  'beo.key_rotated': aboutHolder,
  'ieo.status_changed': aboutInstitution,
  'ieo.certification_changed': aboutInstitution,
  'records.superseded': aboutHolder.extend({ record_id: uuid }),
};

export type EventType = keyof typeof DATA;
export type EventData = { readonly [Type in EventType]: Readonly<z.output<(typeof DATA)[Type]>> };

const eventOf = <Type extends EventType>(type: Type) =>
  z.object({
    id: z.string().regex(new RegExp(`^evt_${ID_PATTERNS.uuid}$`)),
    type: z.literal(type),
    at: time.describe('When it happened: when the entry was accepted, or when the consent expired.'),
    seq: seq.describe('Of the entry; of `consent.expired`, of the last entry before it.'),
    data: DATA[type],
  });

export const event = z
  .discriminatedUnion('type', [
    eventOf('consent.granted'),
    eventOf('consent.revoked'),
    eventOf('consent.expired'),
    eventOf('beo.locked'),
    eventOf('beo.unlocked'),
    eventOf('beo.destroyed'),
    eventOf('beo.key_rotated'),
    eventOf('ieo.status_changed'),
    eventOf('ieo.certification_changed'),
    eventOf('records.superseded'),
  ])
  .meta({ id: 'Event', description: 'An event of an institution: ids and times only.' });

export const eventPage = z.object({
  events: list(event),
  next_cursor: z.string().describe('Never null: the next page, or later events, continue from it.'),
  has_more: z.boolean().describe('Whether to continue at once.'),
});
