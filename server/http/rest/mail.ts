import { isLanguage } from '../../../messages/languages.ts';
import type { Context } from '../../context.ts';
import { readSubscription, resubscribe, unsubscribe } from '../../mail/opt-outs.ts';
import { jsonResponse, type RestResponse } from '../http.ts';
import type { Query } from './routes.ts';

export async function subscription(context: Context, { params }: Query): Promise<RestResponse> {
  return jsonResponse(200, { subscribed: await readSubscription(context, params.token ?? '') });
}

export async function unsubscribed(context: Context, query: Query): Promise<RestResponse> {
  await unsubscribe(context, query.params.token ?? '');
  return confirmSubscription(query, false);
}

export async function resubscribed(context: Context, query: Query): Promise<RestResponse> {
  await resubscribe(context, query.params.token ?? '');
  return confirmSubscription(query, true);
}

/**
 * A browser is redirected to the page, which shows the new state; a mail program must not be redirected (RFC 8058
 * §3.1).
 */
function confirmSubscription({ params, search, header }: Query, isSubscribed: boolean): RestResponse {
  if (!header('accept')?.includes('text/html')) return jsonResponse(200, { subscribed: isSubscribed });
  const language = search.get('lang');
  const query = language !== null && isLanguage(language) ? `?lang=${language}` : '';
  return { status: 303, headers: { location: `/mail/unsubscribe/${params.token}${query}` }, body: null };
}
