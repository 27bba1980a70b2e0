import { ERRORS, type ErrorCode } from '../../protocol/errors.ts';
import { checkAnswer } from '../../server/http/openapi/test-document.ts';
import { readTarget } from '../../server/http/request-target.ts';
import { belongsToApi } from '../../server/http/rest/routes.ts';
import { isTrpc } from '../../server/http/trpc/serve-trpc.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { WireResponse } from './response-reader.ts';

/** What is wrong with a response; null if nothing is. */
export function problemOf(request: FuzzRequest, response: WireResponse): string | null {
  const { status } = response;
  if (status >= 500 && !isExplained(response)) return `status ${status}: ${beginningOf(response)}`;
  try {
    const isOfTransport = TRANSPORT.includes(status);
    if (request.isWellFormed && !isOfTransport) checkDocumented(request, response);
    else if (status >= 400 && isJson(response)) checkError(request, response);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Statuses that every route can have, before there is a request: too slow, or a head beyond 16 KiB. */
const TRANSPORT: readonly number[] = [408, 431];

/** Lists may take a second of the database, and a new connection three, which a busy machine can use up. */
export const isDatabaseLate = (response: WireResponse): boolean =>
  response.status === 503 && /The database (took too long to respond|is not reachable)/.test(beginningOf(response));

/** The only other 503 of a service with all it needs: for a second after an institution set a webhook. */
const EXPLAINED = 'The webhook was only just set; try again shortly.';
const isExplained = (response: WireResponse): boolean =>
  response.status === 503 && response.headers.has('retry-after') && beginningOf(response).includes(EXPLAINED);

export const beginningOf = ({ body }: WireResponse): string => body.toString('utf8', 0, 300);

const isJson = ({ headers }: WireResponse): boolean =>
  headers.get('content-type')?.startsWith('application/json') ?? false;

/** @throws {Error} unless the response is one that the route documents */
function checkDocumented(request: FuzzRequest, response: WireResponse): void {
  const { path } = readTarget(request.target);
  const { status, headers, body } = response;
  if (isTrpc(path)) checkTrpc(request, response);
  else if (path === '/mcp') checkMcp(request, response);
  else if (belongsToApi(path))
    checkAnswer(request.method, request.target, { status, header: (name) => headers.get(name), text: body.toString() });
  else if (isJson(response)) checkError(request, response);
}

type Parsed = Record<string, unknown> | null | undefined;

/** The envelope of every error, with a code of the table and its status, or a status of the transport. */
function checkError({ method }: FuzzRequest, { status, body }: WireResponse): void {
  if (method === 'HEAD' && body.length === 0) return;
  const error = JSON.parse(body.toString()) as Parsed;
  if (error && 'jsonrpc' in error) return;
  // tRPC has its own envelope, and a changed header does not change that.
  if (error && !('code' in error) && ('error' in error || Array.isArray(error))) {
    checkResults(error);
    return;
  }
  const { code, error: sentence, request_id: id } = error ?? {};
  if (typeof code !== 'string' || !Object.hasOwn(ERRORS, code))
    throw new Error(`${status} without a known code: ${body}`);
  if (typeof sentence !== 'string' || typeof id !== 'string') throw new Error(`${status} without its members: ${body}`);
  const [documented] = ERRORS[code as ErrorCode];
  if (documented !== status && !(code === 'VALIDATION_FAILED' && TRANSPORT.includes(status)))
    throw new Error(`${code} with the status ${status} instead of ${documented}`);
}

function checkTrpc(request: FuzzRequest, response: WireResponse): void {
  if (request.method === 'HEAD') return;
  const parsed = JSON.parse(response.body.toString()) as object;
  if ('code' in parsed) checkError(request, response);
  else checkResults(parsed);
}

function checkResults(parsed: object): void {
  for (const result of Array.isArray(parsed) ? parsed : [parsed]) {
    const { result: value, error } = result as { result?: unknown; error?: { data?: { refused?: { code?: string } } } };
    if (value !== undefined) continue;
    const code = error?.data?.refused?.code;
    if (code === undefined || !Object.hasOwn(ERRORS, code) || code === 'INTERNAL')
      throw new Error(`tRPC returned no known code: ${JSON.stringify(result).slice(0, 300)}`);
  }
}

/** The JSON of a response of the MCP server, which may be the only event of a stream. */
export const readMcp = (text: string): unknown => JSON.parse(/^data: ([^\r\n]*)$/m.exec(text)?.[1] ?? text);

const JSON_RPC_INTERNAL = -32603;

function checkMcp(request: FuzzRequest, response: WireResponse): void {
  if (response.body.length === 0) return;
  const parsed = readMcp(response.body.toString()) as Parsed;
  if (parsed && 'code' in parsed) checkError(request, response);
  else for (const one of Array.isArray(parsed) ? parsed : [parsed]) checkRpc(one);
}

function checkRpc(one: object): void {
  const { error } = one as { error?: { code?: number; message?: string } };
  // The library uses this code for parameters that its own schemas refuse, too, with their issues as a list.
  if (error?.code === JSON_RPC_INTERNAL && !error.message?.startsWith('['))
    throw new Error(`MCP failed: ${JSON.stringify(one).slice(0, 300)}`);
}
