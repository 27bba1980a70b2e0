import { z } from 'zod';
import { isLanguage, LANGUAGES } from '../../../messages/languages.ts';
import { readSubscription, resubscribe, unsubscribe } from '../../features/mail/opt-outs.ts';
import { jsonResponse, type RestResponse } from '../http.ts';
import { linkPages, linkToken } from './guardian-routes.ts';
import { json, jsonQuery, type Query, rawQuery } from './rest-endpoint.ts';

const state = z.object({ subscribed: z.boolean() });
const errors = ['LINK_NOT_FOUND'] as const;
const path = { token: linkToken };

export const subscription = jsonQuery({
  title: 'Read whether an address receives mail',
  path,
  response: state,
  otherAnswers: linkPages.filter(({ status }) => status !== 410),
  errors,
  answer: async (context, { params }) => ({ subscribed: await readSubscription(context, params.token ?? '') }),
});

const parameters = z.strictObject({
  lang: z
    .string()
    .optional()
    .meta({ description: `The language of the page: ${LANGUAGES.join(', ')}.` }),
});

const changed = {
  path,
  parameters,
  errors,
  description: 'The body is ignored.',
  changes: true,
  answers: [
    json(state),
    {
      status: 303,
      description: 'For a browser: to the page that shows the new state.',
      type: null,
      schema: null,
      headers: ['Location'],
    },
  ],
} as const;

export const unsubscribed = rawQuery({
  ...changed,
  title: 'Stop all mail to an address',
  async answer(context, query) {
    await unsubscribe(context, query.params.token ?? '');
    return confirmSubscription(query, false);
  },
});

export const resubscribed = rawQuery({
  ...changed,
  title: 'Allow mail to an address again',
  async answer(context, query) {
    await resubscribe(context, query.params.token ?? '');
    return confirmSubscription(query, true);
  },
});

/**
 * A browser is redirected to the page, which shows the new state; a mail program must not be redirected (RFC 8058
 * §3.1).
 */
function confirmSubscription(
  { params, parameters: { lang = '' }, header }: Query<z.output<typeof parameters>>,
  isSubscribed: boolean,
): RestResponse {
  if (!header('accept')?.includes('text/html')) return jsonResponse(200, { subscribed: isSubscribed });
  const query = isLanguage(lang) ? `?lang=${lang}` : '';
  return { status: 303, headers: { location: `/mail/unsubscribe/${params.token}${query}` }, body: null };
}
