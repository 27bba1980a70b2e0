import type { z } from 'zod';
import { parseUrl } from '../../protocol/parse-url.ts';
import { isPrivateHost, NoPublicAddress } from './checked-address.ts';
import { type Send, sendAnywhere, sendPublicly } from './public-fetch.ts';

/**
 * The failure of a gateway.
 * - `missing`: 404 or 410; the gateway states that it does not have it.
 * - `rejected`: 400 to a posted transaction, which the gateway did not take.
 * - `unavailable`: no response, a timeout, a malformed response or any other status, such as 402, 403 or 503. It says nothing
 *   about what was asked for. Whether a POST took effect is unknown.
 * - `too_large`: the response exceeds the requested limit.
 * - `misbehaving`: a response that violates the protocol; a retry does not help.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly kind: 'missing' | 'rejected' | 'unavailable' | 'too_large' | 'misbehaving';
  readonly status: number | undefined;
  /** How long the gateway asks to wait, in ms; 0 if it does not. */
  readonly retryAfterMs: number;

  constructor(kind: GatewayError['kind'], message: string, status?: number, retryAfterMs = 0) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

export type GatewayAnswer = { status: number; body: Buffer; retryAfterMs: number };

export type GatewayRequest = {
  method?: 'GET' | 'POST';
  /** JSON, already encoded. */
  body?: string;
  /** The largest response that is read, in bytes. */
  limit?: number;
  /** Ends the request early. */
  signal?: AbortSignal;
};

const DEFAULT_LIMIT = 64 * 1024;
/** A gateway that asks to wait for hours would otherwise stop the relay. */
const MAX_RETRY_AFTER_MS = 300_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;

export type GatewayHttp = {
  /** One request with its own timeout, whatever the status. Until a time that the gateway named, nothing is sent. */
  request(path: string, options?: GatewayRequest): Promise<GatewayAnswer>;
  /** The body of a 200. @throws {GatewayError} */
  ok(path: string, options?: GatewayRequest): Promise<Buffer>;
};

/**
 * Requests to one gateway. A GET follows redirects within the gateway's host and its subdomains, where gateways serve data. A
 * POST follows none: it would send the transaction to another host.
 * @param publicOnly whether the URL is of another party, so that no private address may be reached
 */
export function createGatewayHttp(gatewayUrl: string, timeoutMs: number, publicOnly = false): GatewayHttp {
  const base = gatewayUrl.replace(/\/+$/, '');
  /** Until when the gateway asked not to be asked for a kind of path; in ms of performance.now(). */
  const pauses = new Map<string, number>();
  const hostname = parseUrl(base)?.hostname ?? '';

  async function request(path: string, options: GatewayRequest = {}): Promise<GatewayAnswer> {
    const { method = 'GET', body, limit = DEFAULT_LIMIT } = options;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    const what = `${method} ${path}`;
    const group = `${method} /${path.split('/')[1]}`;
    const waitMs = (pauses.get(group) ?? 0) - performance.now();
    if (waitMs > 0) {
      const sentence = `The gateway asked to wait ${Math.ceil(waitMs / 1000)} more seconds before ${what}.`;
      throw new GatewayError('unavailable', sentence, 429, waitMs);
    }
    let answer: GatewayAnswer;
    try {
      const response = await redirected(base + path, method === 'GET' ? MAX_REDIRECTS : 0, what, async (url) =>
        (await senderTo(url, hostname, publicOnly))(url, {
          method,
          signal,
          ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
        }),
      );
      const { status, headers } = response;
      const retryAfterMs = asksToWait(status) ? readRetryAfter(headers.get('retry-after'), Date.now()) : 0;
      if (retryAfterMs > 0) pauses.set(group, performance.now() + retryAfterMs);
      answer = { status, body: await readLimited(response, limit, what), retryAfterMs };
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      if (error instanceof NoPublicAddress) {
        const remedy = 'If you trust it, name it with --gateway, or give --allow-private.';
        throw new GatewayError('misbehaving', `The gateway is not asked, because ${error.message}. ${remedy}`);
      }
      const reason = timeout.aborted
        ? `did not answer within ${timeoutMs} ms`
        : `cannot be reached (${causeOf(error)})`;
      throw new GatewayError('unavailable', `The gateway ${reason}: ${what}.`);
    }
    return answer;
  }

  return {
    request,
    async ok(path, options) {
      const answer = await request(path, options);
      if (answer.status !== 200) throw refusal(answer, `${options?.method ?? 'GET'} ${path}`);
      return answer.body;
    },
  };
}

/**
 * How a URL of a gateway is requested. The operator chose the gateway's host, and the gateway the subdomain to which it redirects,
 * which may then be private only if the gateway is.
 */
export async function senderTo(url: string, gatewayHost: string, publicOnly: boolean): Promise<Send> {
  if (publicOnly) return sendPublicly;
  const isOther = new URL(url).hostname !== gatewayHost;
  return isOther && !(await isPrivateHost(gatewayHost)) ? sendPublicly : sendAnywhere;
}

/** Follows a limited number of redirects. @throws {GatewayError} if they leave the gateway. */
async function redirected(
  from: string,
  most: number,
  what: string,
  send: (url: string) => Promise<Response>,
): Promise<Response> {
  let url = from;
  for (let hops = 0; ; hops += 1) {
    const response = await send(url);
    const location = response.headers.get('location');
    if (!REDIRECTS.has(response.status) || location === null) return response;
    await response.body?.cancel();
    const target = parseUrl(location, url);
    if (most === 0) throw new GatewayError('unavailable', `The gateway redirects ${what}, which is not followed.`);
    if (hops === most) throw new GatewayError('misbehaving', `The gateway redirects ${what} more than ${most} times.`);
    if (!target || !isWithin(new URL(from), target)) {
      const where = target?.host ? `to another host (${target.host.slice(0, 100)})` : 'to an invalid address';
      throw new GatewayError('misbehaving', `The gateway redirects ${what} ${where}, which is not followed.`);
    }
    url = target.href;
  }
}

/** Whether a URL has the same host or a subdomain, the same port, and no downgrade to http. */
function isWithin(base: URL, target: URL): boolean {
  const protects = target.protocol === base.protocol || (base.protocol === 'http:' && target.protocol === 'https:');
  if (!protects || target.port !== base.port || target.username || target.password) return false;
  const isAddress = /^[\d.]+$|^\[/.test(base.hostname);
  return target.hostname === base.hostname || (!isAddress && target.hostname.endsWith(`.${base.hostname}`));
}

/** Whether a status says that the gateway does not have what was asked for. */
export const isMissing = ({ status }: { readonly status: number }): boolean => status === 404 || status === 410;

/** The error for an unexpected response. */
export function refusal(answer: GatewayAnswer, what: string): GatewayError {
  const kind = isMissing(answer) ? 'missing' : 'unavailable';
  return failureOf(kind, answer, what);
}

export const failureOf = (kind: GatewayError['kind'], answer: GatewayAnswer, what: string): GatewayError =>
  new GatewayError(kind, `The gateway answered ${quoted(answer)} to ${what}.`, answer.status, answer.retryAfterMs);

/** Whether the Retry-After of a status concerns every request of its kind: that of a 202 concerns only what was asked for. */
const asksToWait = (status: number): boolean => status === 402 || status === 429 || status >= 500;

/** A Retry-After header (RFC 9110, section 10.2.3: seconds or a date) in ms, at most five minutes; 0 without a valid one. */
export function readRetryAfter(header: string | null, now: number): number {
  const text = header?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS);
}

/** JSON of the expected shape. @throws {GatewayError} `unavailable` for anything else. */
export function parseJson<Shape extends z.ZodType>(body: Buffer, shape: Shape, what: string): z.infer<Shape> {
  let json: unknown;
  try {
    json = JSON.parse(body.toString());
  } catch {
    throw new GatewayError('unavailable', `The gateway's answer to ${what} is not JSON.`);
  }
  const parsed = shape.safeParse(json);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.') || 'the whole';
    throw new GatewayError('unavailable', `The gateway's answer to ${what} is not as expected (${path}).`);
  }
  return parsed.data;
}

async function readLimited(response: Response, limit: number, what: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > limit) {
      throw new GatewayError('too_large', `The gateway's answer to ${what} is larger than ${limit} bytes.`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}

function quoted({ status, body }: GatewayAnswer): string {
  const text = body.toString('utf8', 0, 200).replaceAll(/\s+/g, ' ').trim();
  return text ? `${status} (${text})` : String(status);
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error) return (cause as { code?: string }).code ?? cause.message;
  return String(cause);
}
