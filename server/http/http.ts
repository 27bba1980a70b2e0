import { randomUUID } from 'node:crypto';

/** A request, from Node's server or from Next's route handlers. */
export interface RestRequest {
  readonly method: string;
  /** The path, still percent-encoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  header(name: string): string | undefined;
  /** The client's address, with TRUST_PROXY applied. */
  readonly address: string;
  /** Whether it comes from this machine, without a proxy. */
  isLocal(): boolean;
  /** The body, or null if it is larger than `maxBytes`. */
  body(maxBytes: number): Promise<Uint8Array | null>;
}

export interface RestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | AsyncIterable<string> | LiveBody | null;
}

/** A body that goes on as long as its reader stays. */
export interface LiveBody extends AsyncIterable<string> {
  /** Ends the iteration and frees what it holds. Called once the reader has gone, or if the body is not sent. */
  leave(): void;
  /** A reader that takes nothing for `afterMs` gets `lastLine`, and is disconnected `lastLineMs` later. */
  readonly slow: { readonly afterMs: number; readonly lastLine: string; readonly lastLineMs: number };
}

export const isLive = (body: RestResponse['body']): body is LiveBody =>
  typeof body === 'object' && body !== null && 'leave' in body;

export const JSON_TYPE = 'application/json; charset=utf-8';

export const jsonResponse = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): RestResponse => ({ status, headers: { 'content-type': JSON_TYPE, ...headers }, body: JSON.stringify(body) });

const REQUEST_ID = /^[\w.-]{8,64}$/;

/** The request's own id if it is well-formed, else a new one. */
export const requestIdOf = (given: string | undefined): string =>
  given && REQUEST_ID.test(given) ? given : randomUUID();
