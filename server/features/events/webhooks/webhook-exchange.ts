import { Agent, type RequestOptions, request } from 'node:https';
import type { Socket } from 'node:net';
import type { ExchangeProblem } from '../../../../protocol/read-responses.ts';
import { checkedConnection, NoPublicAddress } from '../../../network/checked-address.ts';
import { checkUrl, TargetRefused, type TargetRules } from './webhook-target.ts';

export interface ExchangeRules extends TargetRules {
  /** Certificate authorities in PEM; those of Node if absent. */
  readonly ca?: string;
  /** For the whole exchange, from the name server to the end of the response. */
  readonly timeoutMs: number;
}

/** The result of one request to a receiver. */
export interface Exchange {
  /** The status code; null if there was no complete response. */
  readonly status: number | null;
  /** Why there was none. */
  readonly problem: ExchangeProblem | null;
  /** The beginning of the response's body. */
  readonly body: string;
  /** Seconds that the receiver asks to wait; null if it does not. RFC 9110 §10.2.3 */
  readonly retryAfter: number | null;
  readonly ms: number;
}

export interface Receiver {
  /** Sends one POST; never throws and follows no redirect. */
  post(headers: Readonly<Record<string, string>>, body: Buffer, signal: AbortSignal): Promise<Exchange>;
  close(): void;
}

/** Of the response with its headers; more is not read, and the connection is closed. */
const MAX_RESPONSE_BYTES = 16_384;
/** Of the body; kept for the institution. */
const SHOWN_BYTES = 512;

/**
 * Posts to one URL over one connection, which stays open between requests. It is made to an address that was checked
 * (checkedConnection), so that a name server cannot exchange it in between.
 */
export function openReceiver(url: string, rules: ExchangeRules): Receiver {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    close: () => agent.destroy(),
    async post(headers, body, signal) {
      const begun = performance.now();
      const deadline = begun + rules.timeoutMs;
      let answer: Answer;
      do answer = await attempt(url, { headers, body, signal, agent, rules, timeoutMs: deadline - performance.now() });
      while (answer.isStale && performance.now() < deadline && !signal.aborted);
      const { isStale: _, ...exchange } = answer;
      return { ...exchange, ms: Math.round(performance.now() - begun) };
    },
  };
}

interface Attempt {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
  readonly agent: Agent;
  readonly rules: ExchangeRules;
  readonly timeoutMs: number;
}

interface Answer extends Omit<Exchange, 'ms'> {
  /** Whether an idle connection was closed by the receiver just as it was used again. */
  readonly isStale: boolean;
}

const failed = (problem: ExchangeProblem, isStale = false): Answer => ({
  status: null,
  problem,
  body: '',
  retryAfter: null,
  isStale,
});

async function attempt(text: string, { headers, body, signal, agent, rules, timeoutMs }: Attempt): Promise<Answer> {
  if (signal.aborted) return failed('STOPPED');
  let url: URL;
  let connection: Awaited<ReturnType<typeof checkedConnection>>;
  try {
    url = checkUrl(text, rules);
    connection = await checkedConnection(url, rules);
  } catch (error) {
    return failed(problemOf(error));
  }
  return new Promise((settle) => {
    const options: RequestOptions = {
      agent,
      method: 'POST',
      headers: { ...headers, 'content-length': String(body.byteLength) },
      ...connection,
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
      ...(rules.ca === undefined ? {} : { ca: rules.ca }),
    };
    const sent = request(url, options);
    const timer = setTimeout(() => finish(failed('TIMEOUT')), timeoutMs);
    const stop = () => finish(failed('STOPPED'));
    signal.addEventListener('abort', stop);
    let isFinished = false;
    let answer: () => Answer = () => failed('CONNECTION_FAILED');
    let socket: Socket | undefined;
    let received = 0;

    /** Counts every byte, because the body is not all: interim responses and the extensions of chunks have no end. */
    function count(piece: Buffer): void {
      received += piece.byteLength;
      // Later, when what was received has been parsed.
      if (received > MAX_RESPONSE_BYTES) setImmediate(() => finish(answer()));
    }

    function finish(exchanged: Answer, keepConnection = false): void {
      if (isFinished) return;
      isFinished = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket?.off('data', count);
      if (!keepConnection) sent.destroy();
      settle(exchanged);
    }

    sent.on('socket', (opened) => {
      socket = opened.on('data', count);
    });
    sent.on('error', (error: NodeJS.ErrnoException) =>
      finish(failed(problemOf(error), sent.reusedSocket && error.code === 'ECONNRESET')),
    );
    // Also after a response that switches protocols, which is no error.
    sent.on('close', () => finish(failed('CONNECTION_FAILED')));
    sent.on('response', (response) => {
      const pieces: Buffer[] = [];
      answer = () => ({
        status: response.statusCode ?? 0,
        problem: null,
        body: shownText(Buffer.concat(pieces).subarray(0, SHOWN_BYTES)),
        retryAfter: seconds(response.headers['retry-after']),
        isStale: false,
      });
      // At most MAX_RESPONSE_BYTES and one more piece.
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => finish(answer(), true));
      response.on('error', () => finish(failed('CONNECTION_FAILED')));
    });
    sent.end(body);
  });
}

/** Codes of certificates that are not valid for the host, from OpenSSL and Node. */
const CERTIFICATE = /CERT|UNABLE_TO|ISSUER|HOSTNAME/;

function problemOf(error: unknown): ExchangeProblem {
  if (error instanceof TargetRefused || error instanceof NoPublicAddress) return error.problem;
  const { code = '' } = error as NodeJS.ErrnoException;
  return CERTIFICATE.test(code) ? 'CERTIFICATE_INVALID' : 'CONNECTION_FAILED';
}

/** Without control characters, which neither the database nor a page can show. */
const shownText = (bytes: Buffer): string => bytes.toString().replace(/(?![\n\t])\p{Cc}/gu, '\ufffd');

/** Only the form in seconds; a date is ignored. */
const seconds = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
