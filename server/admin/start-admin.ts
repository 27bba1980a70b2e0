import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from '../http/answer.ts';
import type { Context } from '../http/context.ts';
import { jsonResponse, type RestResponse } from '../http/http.ts';
import { fromNode, send } from '../http/node.ts';
import { readTarget } from '../http/request-target.ts';
import { prefersJson } from '../http/rest/link-pages.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { pausePosting, readPause, resumePosting } from '../ledger/pause.ts';
import { listen } from '../platform/listening/listen-address.ts';
import { adminPage, PAGE_POLICY } from './admin-page.ts';
import { readAdminState } from './admin-state.ts';
import type { ProcessReports } from './process-state.ts';
import { refusalReason } from './same-site.ts';

const LOOPBACK = '127.0.0.1';

export interface Admin {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Serves the admin page on ADMIN_PORT, only to this machine.
 * @param everyProcess what the processes of this service report
 * @throws {ConfigError} if it cannot listen
 */
export async function startAdmin(
  context: Context,
  port: number,
  everyProcess: () => Promise<ProcessReports>,
): Promise<Admin> {
  // The same origin needs a Referrer-Policy that keeps the Origin header of forms.
  const defaults = {
    ...securityHeaders({ PUBLIC_URL: undefined, HSTS: 'off' }),
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, requireHostHeader: false });
  server.maxConnections = 100;
  server.on('request', async (request, response) => {
    request.resume();
    send(response, await respond(context, everyProcess, request), { defaults });
  });
  await listen(server, port, LOOPBACK, 'ADMIN_PORT');
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 1_000).unref();
      }),
  };
}

async function respond(
  context: Context,
  everyProcess: () => Promise<ProcessReports>,
  request: IncomingMessage,
): Promise<RestResponse> {
  const reason = refusalReason(request);
  if (reason !== null) return jsonResponse(403, { error: reason });
  const { path } = readTarget(request.url ?? '/');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const wantsJson = path === '/state.json' || prefersJson(request.headers.accept);
  try {
    if (isRead && (path === '/ready' || path === '/metrics')) {
      return await answer(context, fromNode(request, { path, query: '' }, request.socket.remoteAddress ?? ''));
    }
    if (isRead && (path === '/' || path === '/state.json')) {
      const state = await readAdminState(context, everyProcess);
      if (wantsJson) return jsonResponse(200, state);
      const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY };
      return { status: 200, headers, body: adminPage(state) };
    }
    if (request.method === 'POST' && (path === '/pause' || path === '/resume')) {
      const since = await change(context, path);
      return wantsJson
        ? jsonResponse(200, { paused_since: since })
        : { status: 303, headers: { location: '/' }, body: null };
    }
  } catch (error) {
    context.log.error({ err: error }, 'the admin page failed');
    return jsonResponse(503, {
      error: 'The database does not answer. Try again later.',
    });
  }
  return jsonResponse(404, {
    error: 'Not found. This port serves GET /, /state.json, /ready and /metrics, and POST /pause and /resume.',
  });
}

/** Returns since when posting is paused, or null. */
async function change({ pool, log }: Context, path: '/pause' | '/resume'): Promise<string | null> {
  const isChanged = path === '/pause' ? await pausePosting(pool) : await resumePosting(pool);
  const since = await readPause(pool);
  if (isChanged)
    log.warn({ since }, since === null ? 'posting was resumed by an operator' : 'posting was paused by an operator');
  return since;
}
