import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusal } from '../../protocol/errors.ts';
import type { Context } from '../context.ts';
import { errorResponse } from './handle.ts';
import { addressOf, CLIENT_ADDRESS_HEADER, send } from './node.ts';

type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const ALLOW = 'GET, HEAD';
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
  try {
    if (!UNCOUNTED.test(request.url ?? '/')) await admit(context, request.method ?? 'GET', address, response);
    await page(request, response);
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    const answer = errorResponse(context, error, randomUUID());
    send(response, { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } });
  }
}

async function admit(context: Context, method: string, address: string, response: ServerResponse): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') {
    throw refusal('METHOD_NOT_ALLOWED', `This address answers to ${ALLOW}.`, { allow: ALLOW });
  }
  const allowance = await context.limiter.charge('trpc_read', { address });
  if (allowance.allowed) return;
  for (const [name, value] of Object.entries(context.limiter.headers(allowance, 'trpc_read'))) {
    response.setHeader(name, value);
  }
  throw refusal('RATE_LIMITED', `Too many requests; try again in ${allowance.resetSeconds} seconds.`);
}
