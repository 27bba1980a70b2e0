import { z } from 'zod';
import { consentRequestText, MAX_PURPOSE, readConsentRequest } from '../protocol/consent-request.ts';
import { DAY_MS, MAX_CONSENT_DAYS } from '../protocol/days.ts';
import { INTENT_NAMES, intentOf } from '../protocol/entities/intents.ts';
import { CATEGORIES } from '../protocol/records/taxonomy.ts';
import { ApiError, defineTool, type Service, type Tool } from './tool.ts';

const WHAT_TO_DO = 'Give this link to the person. Nothing has changed yet: the person signs or refuses on that page.';
/** How long a link that asks for a consent works. */
const VALID_MS = 7 * DAY_MS;

const beo = z.string().min(1).max(300).describe('The domain of the person who must sign, such as alice.bsp');

/**
 * Tools that ask a person to sign. They change nothing and hold no key: each returns a link to a page that explains the
 * request; the person signs there, or refuses.
 */
export const REQUEST_TOOLS: readonly Tool[] = [
  defineTool({
    name: 'bsp_lock_beo',
    title: 'Ask a person to freeze an identity',
    description: 'While an identity is frozen, no one can read or submit its records. Only its holder can unfreeze it.',
    input: z.strictObject({ beo }),
    run: (service, { beo }) => request(service, { ask: 'lockBEO', beo }),
  }),
  defineTool({
    name: 'bsp_unlock_beo',
    title: 'Ask a person to unfreeze an identity',
    description: 'Consents work again after that.',
    input: z.strictObject({ beo }),
    run: (service, { beo }) => request(service, { ask: 'unlockBEO', beo }),
  }),
  defineTool({
    name: 'bsp_revoke_all_tokens',
    title: 'Ask a person to withdraw all consents',
    description: 'No institution can use the records of this person after that.',
    input: z.strictObject({ beo }),
    run: (service, { beo }) => request(service, { ask: 'revokeAllTokens', beo }),
  }),
  defineTool({
    name: 'bsp_revoke_token',
    title: 'Ask a person to withdraw one consent',
    description: 'The institution cannot use the records of this person under this consent after that.',
    input: z.strictObject({ beo, token_id: z.string().min(1).max(100) }),
    run: (service, { beo, token_id: token }) => request(service, { ask: 'revokeToken', beo, token }),
  }),
  defineTool({
    name: 'bsp_cancel_recovery',
    title: 'Ask a person to cancel a recovery',
    description:
      'Closes an open recovery request that a guardian has confirmed: active_recovery of the identity has its id. Only for a person who did not ask for it; two in seven days.',
    input: z.strictObject({ beo, request_id: z.uuid() }),
    run: (service, { beo, request_id }) => request(service, { ask: 'cancelRecovery', beo, request: request_id }),
  }),
  defineTool({
    name: 'bsp_grant_consent',
    title: 'Ask a person for a consent',
    description: 'The person sees who asks for what and for how long, can change it, and signs or refuses.',
    input: z.strictObject({
      beo,
      ieo: z.string().min(1).max(300).describe('The domain of the institution'),
      intents: z.array(z.enum(INTENT_NAMES)).min(1).describe('What the institution may do'),
      categories: z
        .array(z.enum(['*', ...CATEGORIES]))
        .min(1)
        .describe('Which records; * for all'),
      expires_in_days: z.int().min(1).max(MAX_CONSENT_DAYS).optional().describe('Without it, the person chooses'),
      purpose: z
        .string()
        .max(MAX_PURPOSE)
        .optional()
        .describe('What the consent is for, in one sentence for the person'),
    }),
    run: ({ pagesUrl }, { beo, ieo, intents, categories, expires_in_days: days, purpose }) => {
      const message = {
        function: 'askConsent',
        ieoId: ieo,
        scope: {
          intents: [...new Set(intents.map(intentOf))],
          categories: categories.includes('*') ? ['*'] : [...new Set(categories)],
        },
        expiresInDays: days ?? null,
        purpose: purpose ?? '',
        validUntil: new Date(Date.now() + VALID_MS).toISOString(),
        once: beo,
      };
      const text = consentRequestText(message, null);
      // Otherwise the page could only say that the link cannot be read.
      if (readConsentRequest(text) === null)
        throw new ApiError('VALIDATION_FAILED', 'A domain or the purpose is not of valid form.');
      return { url: `${new URL('/ask', pagesUrl)}#${text}`, what_to_do: WHAT_TO_DO };
    },
  }),
  defineTool({
    name: 'bsp_destroy_beo',
    title: 'Ask a person to destroy an identity',
    description:
      'Irreversible: deletes the key, the consents and the stored records. The page explains each consequence.',
    input: z.strictObject({ beo }),
    run: (service, { beo }) => request(service, { ask: 'destroyBEO', beo }),
  }),
];

/** The page of any other request; its members are query parameters. See app/(signed)/me/asked. */
const request = ({ pagesUrl }: Service, members: Readonly<Record<string, string>>) => ({
  url: `${new URL('/me/asked', pagesUrl)}?${new URLSearchParams(members)}`,
  what_to_do: WHAT_TO_DO,
});
