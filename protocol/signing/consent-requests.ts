import { z } from 'zod';
import { MAX_PURPOSE, MAX_REQUEST_REFERENCE } from '../consent-request.ts';
import { expiresInDays, scope } from '../records/scope.ts';
import { entityReference, instant, text } from '../shapes.ts';
import { institutionForm } from './institution-form.ts';

/**
 * An institution asks people for a consent. No ledger entry: the signed message travels in a link, and only a long one is sent to the
 * service, which keeps it. consent-request.ts reads it without zod. Protocol §11.
 */
export const ASK_CONSENT = institutionForm('askConsent', {
  scope,
  expiresInDays,
  purpose: text('what the consent is for', { max: MAX_PURPOSE, visible: true }),
  reference: text('what the institution calls it', { max: MAX_REQUEST_REFERENCE, visible: true }).nullish(),
  validUntil: instant,
  once: z
    .union([z.boolean(), entityReference])
    .describe(
      'true: for the first person who accepts. A domain or an id: for that person. false: for any number of people.',
    ),
});
