import { z } from 'zod';
import { instant } from '../shapes.ts';
import { institutionForm } from './institution-form.ts';
import type { RequestForm } from './message.ts';

/** What an institution may ask about the delivery to its webhook. No ledger entries. Protocol §9. */
export const WEBHOOK_ACTIONS = ['pause', 'resume', 'test', 'resend', 'replay'] as const;
export type WebhookAction = (typeof WEBHOOK_ACTIONS)[number];

const eventId = z
  .string({ error: 'must be the id of an event' })
  .regex(/^evt_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be evt_ and a UUID');

/** A cursor of GET /api/events, or a time. */
const place = z
  .string({ error: 'must be a cursor or a time' })
  .max(512, 'must have at most 512 characters')
  .refine(
    (text) => isCursor(text) || instant.safeParse(text).success,
    'must be a cursor, or a time in ISO 8601 with a zone',
  );

/** Cursors are base64url; a time with a zone has a colon. */
export const isCursor = (text: string): boolean => /^[\w-]+$/.test(text);

export const READ_WEBHOOK = institutionForm('readWebhook');

/** The signed form of each action. `from` and `until` of a replay include the events at that time. */
export const WEBHOOK_FORMS: Readonly<Record<WebhookAction, RequestForm>> = {
  pause: institutionForm('pauseWebhook'),
  resume: institutionForm('resumeWebhook'),
  test: institutionForm('testWebhook'),
  resend: institutionForm('resendEvent', { eventId, at: instant }),
  replay: institutionForm('replayEvents', { from: place, until: place.nullable() }),
};
