import type { z } from 'zod';
import { parseUrl } from '../../protocol/parse-url.ts';

/**
 * The failure of a gateway.
 * - `rejected`: a 4xx; a retry will fail too.
 * - `unavailable`: no response, a timeout, a 5xx, a 429, or a malformed response. Whether a POST took effect is unknown.
 * - `too_large`: the response exceeds the requested limit.
 * - `misbehaving`: a response that violates the protocol; a retry does not help.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly kind: 'rejected' | 'unavailable' | 'too_large' | 'misbehaving';
  readonly status: number | undefined;

  constructor(kind: GatewayError['kind'], message: string, status?: number) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}

export type GatewayAnswer = { status: number; body: Buffer };

export type GatewayRequest = {
  method?: 'GET' | 'POST';
  /** JSON, already encoded. */
  body?: string;
  /** The largest response that is read, in bytes. */
  limit?: number;
  /** Ends the request early. */
  signal?: AbortSignal;
};

/** The original fetch, before Next replaces it with one that traces and caches. */
const plainFetch = globalThis.fetch;

const DEFAULT_LIMIT = 64 * 1024;
const RETRYABLE = new Set([408, 425, 429]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;

export type GatewayHttp = {
  /** One request with its own timeout; returns responses below 500 and throws otherwise. */
  request(path: string, options?: GatewayRequest): Promise<GatewayAnswer>;
  /** The body of a 200. @throws {GatewayError} `rejected` for 4xx. */
  ok(path: string, options?: GatewayRequest): Promise<Buffer>;
};

/**
 * Requests to one gateway. A GET follows redirects within the gateway's host and its subdomains, where gateways serve data. A
 * POST follows none: it would send the transaction to another host.
 */
export function createGatewayHttp(gatewayUrl: string, timeoutMs: number): GatewayHttp {
  const base = gatewayUrl.replace(/\/+$/, '');

  async function request(path: string, options: GatewayRequest = {}): Promise<GatewayAnswer> {
    const { method = 'GET', body, limit = DEFAULT_LIMIT } = options;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    const what = `${method} ${path}`;
    let answer: GatewayAnswer;
    try {
      const response = await redirected(base + path, method === 'GET' ? MAX_REDIRECTS : 0, what, (url) =>
        plainFetch(url, {
          method,
          signal,
          redirect: 'manual',
          ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
        }),
      );
      answer = { status: response.status, body: await readLimited(response, limit, what) };
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      const reason = timeout.aborted
        ? `did not answer within ${timeoutMs} ms`
        : `cannot be reached (${causeOf(error)})`;
      throw new GatewayError('unavailable', `The gateway ${reason}: ${what}.`);
    }
    if (answer.status >= 500 || RETRYABLE.has(answer.status)) {
      throw new GatewayError('unavailable', `The gateway answered ${quoted(answer)} to ${what}.`, answer.status);
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

/** The error for an unexpected response below 500: 2xx and 3xx may succeed later, 4xx will not. */
export function refusal(answer: GatewayAnswer, what: string): GatewayError {
  const kind = answer.status >= 400 ? 'rejected' : 'unavailable';
  return new GatewayError(kind, `The gateway answered ${quoted(answer)} to ${what}.`, answer.status);
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
