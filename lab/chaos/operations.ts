import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATIONS } from '../../protocol/operations.ts';
import type { Answer, TestApi } from '../../server/testing/test-service.ts';
import type { Random } from './random.ts';

/** An operation that was sent at least once. */
export interface SentOperation {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The signature of its body; null for operations of the institute. */
  readonly signature: string | null;
  /** The id that the service returned, with its acceptance or with NONCE_REUSED; null without one. */
  transactionId: string | null;
  /** accepted: a response reported the entry. refused: a response reported a rule. unknown: no response, or 5xx. */
  outcome: 'accepted' | 'refused' | 'unknown';
  /** The status and error code of the last response, or the error. */
  last: string;
  /** Different ids that responses reported. More than one is a breach. */
  readonly ids: Set<string>;
}

/** A process refuses signed requests while its clock is wrong. */
export const TIME_CODES: readonly string[] = ['TIMESTAMP_TOO_OLD', 'TIMESTAMP_IN_FUTURE'];

export const isRefusedForTime = ({ last }: SentOperation): boolean => TIME_CODES.some((code) => last.includes(code));

/** A response that no disturbance explains. */
export interface Oddity {
  readonly kind: 'internal error' | 'refused' | 'not read';
  readonly text: string;
}

export interface Client {
  readonly api: TestApi;
  /** Sends an operation again after a 503, which an overloaded machine causes, too: for what must succeed. */
  readonly patientApi: TestApi;
  /** Every operation since the last call of `take`. */
  readonly sent: SentOperation[];
  readonly oddities: Oddity[];
  /** Tokens of links in responses. */
  readonly linkTokens: Set<string>;
  /** Sends a recorded operation again. */
  repeat(operation: SentOperation): Promise<Answer | null>;
}

const TIMEOUT_MS = 12_000;
const PATIENT_ATTEMPTS = 40;
const RETRY_MS = 250;
const ROUTES = OPERATIONS.flatMap(({ routes }) => routes.map(({ method, path }) => ({ method, path })));
const LINK_TOKEN = /\/(?:g|r|accept|confirm-recovery)\/([\w-]{20,})/g;

/** Whether a request is an operation, by the routes of the table. */
const isOperation = (method: string, path: string): boolean =>
  ROUTES.some((route) => route.method === method && matches(route.path, path));

function matches(route: string, path: string): boolean {
  const [expected, given] = [route.split('/'), path.split('/')];
  return (
    expected.length === given.length && expected.every((part, index) => part.startsWith(':') || part === given[index])
  );
}

/** Sends a request from an address of its own, so that the rate limits do not slow the load. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

/** Addresses of a round; the counters of the round before are still in use. */
const ADDRESSES = 8_192;

/** Each request goes to one of the processes, which may change. */
export function toProcesses(
  deployment: { readonly processes: readonly { readonly url: string }[] },
  round: number,
  random: Random,
): Send {
  let address = round * ADDRESSES;
  return (path, init) => {
    address += 1;
    const from = `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`;
    const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': from };
    return fetch(random.pick(deployment.processes).url + path, {
      ...init,
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  };
}

/** A client that remembers every operation that it sends. */
export function createClient(instituteKeys: readonly string[], send: Send): Client {
  const sent: SentOperation[] = [];
  const oddities: Oddity[] = [];
  const linkTokens = new Set<string>();

  async function exchange(path: string, init: RequestInit): Promise<Answer> {
    const response = await send(path, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('application/json') ?? false;
    for (const [, token] of text.matchAll(LINK_TOKEN)) if (token) linkTokens.add(token);
    if (response.status === 500)
      oddities.push({ kind: 'internal error', text: `${init.method ?? 'GET'} ${path}: ${text}` });
    return { status: response.status, headers: response.headers, body: isJson && text ? parse(text, response) : text };
  }

  /** Node's fetch returns what it has of a response with `Connection: close` when the connection is reset. */
  function parse(text: string, { headers }: Response): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw headers.get('connection') === 'close' ? new NoAnswer('incomplete response') : error;
    }
  }

  async function sendOperation(operation: SentOperation): Promise<Answer | null> {
    const { method, path, body, headers } = operation;
    const answer = await exchange(path, { method, body, headers }).catch((error: Error) => {
      operation.last = error.name;
      return null;
    });
    if (answer) note(operation, answer);
    return answer;
  }

  function note(operation: SentOperation, { status, body }: Answer): void {
    const code = typeof body?.code === 'string' ? body.code : '';
    operation.last = `${status} ${code}`.trim();
    const id = status < 300 ? body.transactionId : code === 'NONCE_REUSED' ? body.details?.transactionId : undefined;
    if (typeof id === 'string') {
      operation.ids.add(id);
      operation.transactionId ??= id;
      operation.outcome = 'accepted';
    } else if (status < 500 && operation.outcome === 'unknown') operation.outcome = 'refused';
  }

  async function operate(method: string, path: string, init: RequestInit, attempts: number): Promise<Answer> {
    const given = init.headers as Record<string, string>;
    // A decision of the institute has no nonce: with this key it can be sent again.
    const repeatable = given['x-institute-key'] ? { 'idempotency-key': randomUUID() } : {};
    const body = String(init.body);
    const operation: SentOperation = {
      method,
      path,
      body,
      headers: { ...given, ...repeatable },
      signature: (JSON.parse(body) as { signature?: string }).signature ?? null,
      transactionId: null,
      outcome: 'unknown',
      last: 'not sent',
      ids: new Set(),
    };
    sent.push(operation);
    let answer = await sendOperation(operation);
    for (let attempt = 1; attempt < attempts && answer?.status === 503; attempt++) {
      await sleep(RETRY_MS);
      answer = await sendOperation(operation);
    }
    if (!answer) throw new NoAnswer(operation.last);
    return answer;
  }

  const apiWith = (attempts: number): TestApi => {
    const request = (path: string, init: RequestInit) =>
      isOperation(init.method ?? 'GET', path)
        ? operate(init.method ?? 'GET', path, init, attempts)
        : exchange(path, init);
    const JSON_TYPE = { 'content-type': 'application/json' };
    return {
      instituteKeys,
      request: (path, init) => request(path, { ...init, headers: { ...JSON_TYPE, ...(init.headers as object) } }),
      get: (path, headers = {}) => exchange(path, { headers }),
      post: (path, body, headers = {}) =>
        request(path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) }),
    };
  };
  return {
    sent,
    oddities,
    linkTokens,
    repeat: sendOperation,
    api: apiWith(1),
    patientApi: apiWith(PATIENT_ATTEMPTS),
  };
}

/** The connection broke, or no response arrived in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}
