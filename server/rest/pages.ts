import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusal } from '../../protocol/errors.ts';
import type { Context } from '../context.ts';
import { requestLimits } from '../limits/request-limits.ts';
import { errorResponse } from './handle.ts';
import { linkPage } from './link-pages.ts';
import { addressOf, CLIENT_ADDRESS_HEADER, pathOf, send } from './node.ts';
import { withPageStatus } from './page-status.ts';
import { isEncoded } from './routes.ts';

type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const ALLOW = 'GET, HEAD';
/** Next's own address of app/not-found.tsx. */
const NOT_FOUND = '/_not-found';
/** Built files, which cost nothing to send; and the router of the bundled UI, whose procedures count for themselves. */
const UNCOUNTED = /^\/(_next\/static|api\/trpc)\//;

/** Hands a request to Next: pages by GET and HEAD only, and rendered no more often than one address may read. */
export async function servePage(
  context: Context,
  page: PageHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const address = addressOf(request, context.config.TRUST_PROXY);
  request.headers[CLIENT_ADDRESS_HEADER] = address;
  request.url = answerable(request.url ?? '/');
  try {
    if (!UNCOUNTED.test(request.url ?? '/')) await admit(context, request, address, response);
    await withPageStatus(response, () => page(request, response));
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    const answer = errorResponse(context, error, randomUUID());
    send(response, { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } });
  }
}

/** Next fails over a path that cannot be decoded; no page has one. */
function answerable(target: string): string {
  const path = pathOf(target);
  return isEncoded(path) ? target : `${NOT_FOUND}${target.slice(path.length)}`;
}

async function admit(
  context: Context,
  { method = 'GET', url = '/' }: IncomingMessage,
  address: string,
  response: ServerResponse,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') {
    throw refusal('METHOD_NOT_ALLOWED', `This address answers to ${ALLOW}.`, { allow: ALLOW });
  }
  const group = linkPage(method, pathOf(url), undefined) ? 'query' : 'trpc_read';
  const limits = requestLimits(context.limiter);
  const charged = limits.charge(group, { address });
  await charged.finally(() => {
    for (const [name, value] of Object.entries(limits.headers())) response.setHeader(name, value);
  });
}
