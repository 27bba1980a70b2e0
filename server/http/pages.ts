import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusal } from '../../protocol/errors.ts';
import type { EventOrigin } from '../platform/observe/security-events.ts';
import type { Context } from './context.ts';
import { type RestResponse, requestIdOf } from './http.ts';
import type { LimitGroup } from './limits/groups.ts';
import { createRequestLimits } from './limits/request-limits.ts';
import { CLIENT_ADDRESS_HEADER, send } from './node.ts';
import { noticePage } from './notice-page.ts';
import type { Target } from './request-target.ts';
import { prefersJson } from './rest/accept-header.ts';
import { recordRefusal, refusalResponse } from './rest/handle.ts';
import { linkPage } from './rest/link-pages.ts';
import { withPageStatus } from './rest/page-status.ts';
import { BUILT_FILE_POLICY, type Headers, NO_FEATURES } from './security-headers.ts';
import { asksForHtml, replaceNotFound } from './unknown-pages.ts';
import { isViewer, isViewerFile, viewer } from './viewer.ts';

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface PageRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  /** The client's address. */
  readonly address: string;
  /** Default headers; the page may override them. */
  readonly headers: Headers;
}

const ALLOW = 'GET, HEAD';
/** Next's route of app/not-found.tsx. */
const NOT_FOUND = '/_not-found';
/** Built files, the only internal Next routes that a browser needs. Sending them is cheap. */
const BUILT_FILE = /^\/_next\/static\//;
const NEXT = /^\/_next(\/|$)/;
/** Routes of files with a limit of their own, whose headers must not report that of the pages. */
const CHARGES_ITSELF: ReadonlySet<string> = new Set(['/explore/entries.csv']);
/** Used by Next's error overlay, in development only. */
const ERROR_OVERLAY = /^\/__nextjs_/;
const DEVELOPMENT = process.env.NODE_ENV === 'development';

/** Passes a page request to Next: GET and HEAD only, and limited per address. */
export async function servePage(context: Context, page: PageHandler, visit: PageRequest): Promise<void> {
  const { request, response, target, address, headers } = visit;
  const requestId = requestIdOf(request.headers['x-request-id']?.toString());
  const link = linkPage('GET', target.path, undefined);
  const origin: EventOrigin = { requestId, address, route: link ? 'guardian link' : 'page' };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('permissions-policy', NO_FEATURES);
  response.setHeader('x-request-id', requestId);
  try {
    const isBuiltFile = target.isAcceptable && BUILT_FILE.test(target.path);
    refuseNonPages(request, target, isBuiltFile);
    // A program gets its answer at once, as from the API: an unknown path is no redirect.
    if (target.isAcceptable && target.hadExtraSlashes && asksForHtml(request.headers.accept))
      return redirect(response, target);
    if (isBuiltFile || isViewerFile(target.path)) response.setHeader('content-security-policy', BUILT_FILE_POLICY);
    else if (!CHARGES_ITSELF.has(target.path))
      await chargePage(context, link ? 'guardian_read' : 'trpc_read', address, response);
    if (target.isAcceptable && isViewer(target.path)) return send(response, viewer(context, target, request.headers));
    request.headers[CLIENT_ADDRESS_HEADER] = address;
    if (!link && !asksForHtml(request.headers.accept) && request.headers.rsc === undefined) {
      const unknown = refusal('NOT_FOUND');
      replaceNotFound(response, () => send(response, refusalFor(context, unknown, visit, origin)));
    }
    request.url = withQuery(target.isAcceptable ? target.path : NOT_FOUND, target.query);
    await withPageStatus(response, () => page(request, response));
    if (link) recordUnusableLink(context, response.statusCode, origin);
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    send(response, refusalFor(context, error, visit, origin));
  }
}

/** @throws METHOD_NOT_ALLOWED; NOT_FOUND for internal routes and for clients that ask for JSON. */
function refuseNonPages({ method, headers }: IncomingMessage, { path }: Target, isBuiltFile: boolean): void {
  if (DEVELOPMENT && ERROR_OVERLAY.test(path)) return;
  if (method !== 'GET' && method !== 'HEAD') {
    throw refusal('METHOD_NOT_ALLOWED', `This address accepts ${ALLOW}.`, { allow: ALLOW });
  }
  if (isBuiltFile) return;
  if (NEXT.test(path) && !DEVELOPMENT) throw refusal('NOT_FOUND');
  if (prefersJson(headers.accept)) throw refusal('NOT_FOUND', 'This address serves pages only.');
}

/** Redirects to the canonical path without asking Next. */
function redirect(response: ServerResponse, { path, query }: Target): void {
  response.writeHead(308, { location: withQuery(path, query), 'cache-control': 'no-store' }).end();
}

const withQuery = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`);

async function chargePage(
  context: Context,
  group: LimitGroup,
  address: string,
  response: ServerResponse,
): Promise<void> {
  const limits = createRequestLimits(context.limiter);
  const charged = limits.charge(group, { address });
  await charged.finally(() => {
    for (const [name, value] of Object.entries(limits.headers())) response.setHeader(name, value);
  });
}

/** Refusals that people see only after typing a path by hand. */
const WITHOUT_PAGE: ReadonlySet<string> = new Set(['METHOD_NOT_ALLOWED', 'NOT_FOUND']);

/** HTML for a browser, the error JSON for a program. */
function refusalFor(
  context: Context,
  thrown: unknown,
  { request, target }: PageRequest,
  origin: EventOrigin,
): RestResponse {
  const error = recordRefusal(context, thrown, origin);
  const { requestId } = origin;
  if (WITHOUT_PAGE.has(error.code) || prefersJson(request.headers.accept)) {
    const { status, headers, body } = refusalResponse(error, requestId);
    return { status, headers: { ...headers, 'cache-control': 'no-store' }, body };
  }
  return noticePage(error, { requestId, query: target.query, acceptLanguage: request.headers['accept-language'] });
}

/** Logs that a page showed an unknown or ended link. */
function recordUnusableLink({ securityEvents }: Context, status: number, origin: EventOrigin): void {
  if (status === 404) securityEvents.refused('LINK_NOT_FOUND', origin);
  if (status === 410) securityEvents.refused('LINK_GONE', origin);
}
