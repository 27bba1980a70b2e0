import { Agent as HttpAgent, request as overHttp } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { Readable } from 'node:stream';
import { type AddressRules, checkedConnection, createResolve } from './checked-address.ts';

export interface Sent {
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** A request to a URL with the scheme http or https; it follows no redirect. */
export type Send = (url: string, sent: Sent) => Promise<Response>;

/** The original fetch, before Next replaces it with one that traces and caches. */
const plainFetch = globalThis.fetch;

/** To a URL of the operator, at whatever address. */
export const sendAnywhere: Send = (url, sent) => plainFetch(url, { ...sent, redirect: 'manual' });

const AGENTS = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
/** Statuses of responses that fetch gives no body. */
const EMPTY = new Set([204, 205, 304]);

/** To a URL of another party: connects to public addresses only. @throws {NoPublicAddress} */
export const createPublicSend =
  (rules: AddressRules): Send =>
  async (text, { body, headers, ...sent }) => {
    const url = new URL(text);
    const connection = await checkedConnection(url, rules);
    const isHttps = url.protocol === 'https:';
    const options = {
      ...sent,
      ...connection,
      agent: isHttps ? AGENTS.https : AGENTS.http,
      headers: {
        ...headers,
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
    };
    return new Promise((resolve, reject) => {
      const request = isHttps ? overHttps(url, options) : overHttp(url, options);
      request.once('error', reject);
      request.once('response', (response) => {
        const { statusCode: status = 0, rawHeaders } = response;
        const pairs = rawHeaders.flatMap((name, at): [string, string][] =>
          at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
        );
        // A stream that fails has no listener of its own while no one reads it.
        response.on('error', () => undefined);
        if (EMPTY.has(status)) response.resume();
        const stream = EMPTY.has(status) ? null : (Readable.toWeb(response) as ReadableStream);
        resolve(new Response(stream, { status, headers: pairs }));
      });
      request.end(body);
    });
  };

export const sendPublicly: Send = createPublicSend({ privateAddresses: false, resolve: createResolve() });
