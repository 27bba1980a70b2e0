import { requireUrl } from './arguments.ts';
import type { Details } from './errors.ts';
import { PerpetuaError } from './errors.ts';
import type { ErrorCode } from './types.ts';

export interface HttpOptions {
  /** The address of the service, like https://perpetua.example; empty in a page of the service itself. */
  readonly url: string;
  /** For a proxy, a log or an old runtime; by default the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds since 1970, for a device whose clock is wrong; by default Date.now. */
  readonly now?: () => number;
  /** How long one attempt may take, in ms; by default 30 s. */
  readonly timeout?: number;
  /** How often a request is repeated after the first attempt; by default 4. */
  readonly retries?: number;
  /** The longest wait between two attempts, in ms; by default 30 s. A longer Retry-After ends the attempts. */
  readonly maxWait?: number;
  /** The largest response, in bytes; by default 32 MiB. A larger one is not read to its end: UNEXPECTED_RESPONSE. */
  readonly maxBytes?: number;
  /** Whether a failed attempt is worth another one; by default after no response, and after the statuses 429, 502, 503 and 504. */
  readonly repeats?: (error: PerpetuaError) => boolean;
  /** Called before each pause between two attempts. */
  readonly onWait?: (ms: number, error: PerpetuaError) => void;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
  /** A status besides 2xx whose body is a regular answer. */
  readonly accepts?: number;
  /** The response must be of a state that has this entry. */
  readonly minSeq?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Http {
  now(): number;
  readonly retries: number;
  /** One attempt. @throws {PerpetuaError} with the server's code, NO_RESPONSE or UNEXPECTED_RESPONSE; the reason of the signal */
  send(request: HttpRequest): Promise<string>;
  /** Repeats a request that changes nothing. `make` is called for each attempt. */
  read(make: () => HttpRequest | Promise<HttpRequest>): Promise<string>;
  /** Waits before the next attempt, which is signed anew if the time was refused. @throws the error if it is not worth another attempt */
  wait(error: unknown, attempt: number, signal: AbortSignal | undefined): Promise<void>;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 4;
const MAX_WAIT_MS = 30_000;
const MAX_BYTES = 2 ** 25;
const FIRST_WAIT_MS = 500;
const TOO_MANY_REQUESTS = 429;
/** The server, or a gateway before it, may answer later. */
const TEMPORARY = [TOO_MANY_REQUESTS, 502, 503, 504];

export function createHttp(options: HttpOptions): Http {
  const base = requireUrl(options?.url);
  const { now = Date.now, timeout = TIMEOUT_MS, retries = RETRIES, maxWait = MAX_WAIT_MS, maxBytes } = options;
  const { repeats = isTemporary, onWait } = options;
  let written = 0;
  const send = async (request: HttpRequest): Promise<string> => {
    const minSeq = request.method === 'GET' ? Math.max(written, request.minSeq ?? 0) : 0;
    const sent = minSeq > 0 ? { ...request, headers: { ...request.headers, [SEQ_HEADER]: String(minSeq) } } : request;
    const { status, headers, text } = await exchange(options.fetch ?? globalThis.fetch, base, sent, timeout, maxBytes);
    written = Math.max(written, seqIn(headers));
    if ((status >= 200 && status < 300) || status === request.accepts) return text;
    throw errorOf(status, headers, text, now());
  };
  const wait: Http['wait'] = async (error, attempt, signal) => {
    if (!(error instanceof PerpetuaError)) throw error;
    if (attempt <= Math.max(retries, 1) && isClockCorrected(error)) return;
    if (attempt > retries || !repeats(error)) throw error;
    const asked = error.retryAfter === null ? 0 : error.retryAfter * 1_000;
    if (asked > maxWait) throw error;
    // Jitter, so that clients that were refused together do not return together.
    const pause = asked + Math.random() * Math.min(maxWait - asked, FIRST_WAIT_MS * 2 ** attempt);
    onWait?.(pause, error);
    await sleep(pause, signal);
  };
  return {
    now,
    retries,
    send,
    wait,
    async read(make) {
      for (let attempt = 1; ; attempt++) {
        const request = await make();
        try {
          return await send(request);
        } catch (error) {
          await wait(error, attempt, request.signal);
        }
      }
    },
  };
}

/** The server names in it the entry that a write created, and a read asks in it for a state that contains that entry. */
const SEQ_HEADER = 'x-perpetua-seq';

const seqIn = (headers: Headers): number => {
  const text = headers.get(SEQ_HEADER) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
};

export interface Exchanged {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The path and the query of a request; members of the query that are null or undefined are left out. */
export function targetOf({ path, query = {} }: HttpRequest): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/**
 * Sends a request once, whatever the response.
 * @throws {PerpetuaError} NO_RESPONSE, or UNEXPECTED_RESPONSE for a response of more than `maxBytes`; the reason of the signal
 */
export async function exchange(
  send: typeof globalThis.fetch,
  base: string,
  request: HttpRequest,
  timeout: number,
  maxBytes = MAX_BYTES,
): Promise<Exchanged> {
  const { method, headers = {}, body, signal } = request;
  const deadline = AbortSignal.timeout(timeout);
  try {
    const response = await send(`${base}${targetOf(request)}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      // A redirect would carry the signed request, or the institute's key, to another address.
      redirect: 'error',
      signal: signal ? firstOf(signal, deadline) : deadline,
    });
    return { status: response.status, headers: response.headers, text: await textOf(response, maxBytes) };
  } catch (cause) {
    if (cause instanceof PerpetuaError) throw cause;
    signal?.throwIfAborted();
    throw new PerpetuaError('NO_RESPONSE', `${base || 'The service'} did not answer: ${messageOf(cause)}`, { cause });
  }
}

/** Is aborted with the first of both. Browsers of 2023 have no AbortSignal.any. */
function firstOf(one: AbortSignal, other: AbortSignal): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any([one, other]);
  const first = new AbortController();
  for (const signal of [one, other]) {
    if (signal.aborted) first.abort(signal.reason);
    signal.addEventListener('abort', () => first.abort(signal.reason), { signal: first.signal });
  }
  return first.signal;
}

async function textOf(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  // Without a body, or in a runtime without streams.
  if (!reader) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  for (let left = maxBytes; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    left -= value.length;
    if (left < 0) {
      await reader.cancel();
      throw new PerpetuaError('UNEXPECTED_RESPONSE', 'The response is too large.', { details: { tooLarge: true } });
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** fetch hides the reason of a failure in its cause. */
const messageOf = (error: unknown): string => {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return cause?.message || message || String(error);
};

interface ErrorBody {
  readonly error: string;
  readonly code: ErrorCode;
  readonly details?: Details;
  readonly request_id: string;
}

function errorOf(status: number, headers: Headers, text: string, now: number): PerpetuaError {
  const retryAfter = retryAfterIn(headers, now);
  const body = parsed(text) as Partial<ErrorBody> | null;
  if (typeof body?.code !== 'string' || typeof body.error !== 'string') {
    const sentence = `The response with status ${status} is not from this API.`;
    return new PerpetuaError('UNEXPECTED_RESPONSE', sentence, {
      status,
      retryAfter,
      details: { text: text.slice(0, 500) },
    });
  }
  const { code, error, details, request_id: requestId = null } = body;
  const facts = { status, retryAfter, details, requestId };
  const skew = CLOCK_ERRORS.has(code) ? skewOf(body, headers, now) : null;
  if (skew === null) return new PerpetuaError(code, error, facts);
  const seconds = Math.round(Math.abs(skew) / 1_000);
  const sentence = `This device's clock is ${seconds} s ${skew < 0 ? 'behind' : 'ahead of'} the server's.`;
  return new PerpetuaError(code, `${error} ${sentence}`, { ...facts, details: { ...details, clock_skew_ms: skew } });
}

const CLOCK_ERRORS: ReadonlySet<string> = new Set(['TIMESTAMP_TOO_OLD', 'TIMESTAMP_IN_FUTURE']);
/** Less than the 30 s by which the server lets a time be ahead of its own. Protocol §1. */
const MAX_SKEW_MS = 20_000;

/** Whether `now` is right since a time was refused: it follows the server's time, which arrived with the refusal. */
const isClockCorrected = ({ code, details: { clock_skew_ms: skew } }: PerpetuaError): boolean =>
  CLOCK_ERRORS.has(code) && typeof skew === 'number' && Math.abs(skew) < MAX_SKEW_MS;

/** By how much the local clock is ahead, in ms, to about a second; null if the server does not say its time. */
function skewOf({ details }: Partial<ErrorBody>, headers: Headers, now: number): number | null {
  const stated = details?.server_time ?? headers.get('date');
  const server = typeof stated === 'string' ? Date.parse(stated) : Number.NaN;
  return Number.isNaN(server) ? null : now - server;
}

/** Seconds, from a number or a date (RFC 9110 §10.2.3). */
function retryAfterIn(headers: Headers, now: number): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000));
}

/** The JSON of a text, or null. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The JSON of a response of this API. @throws {PerpetuaError} UNEXPECTED_RESPONSE */
export function jsonOf<Body>(text: string): Body {
  const body = parsed(text);
  if (typeof body === 'object' && body !== null) return body as Body;
  throw new PerpetuaError('UNEXPECTED_RESPONSE', 'The response is not JSON, or not complete.', {
    details: { text: text.slice(0, 500) },
  });
}

/** Whether the request may succeed later. */
export const isTemporary = (error: unknown): error is PerpetuaError =>
  error instanceof PerpetuaError && (error.code === 'NO_RESPONSE' || TEMPORARY.includes(error.status ?? 0));

/** Whether the server certainly did nothing: it counted the request and refused it before anything else. */
export const isOverLimit = (error: PerpetuaError): boolean => error.status === TOO_MANY_REQUESTS;

/** @throws the reason of the signal */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(done, ms);
    function done() {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }
    function aborted() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener('abort', aborted, { once: true });
  });
}
