import { request } from 'node:http';
import { nextClientAddress } from './load/client-address.ts';

/** A streamed response. Its content is not kept. */
export interface Download {
  /** From the first byte sent to the first byte of the body. */
  readonly firstByteMs: number;
  readonly seconds: number;
  readonly bytes: number;
  /** The first and the last 200 bytes. */
  readonly beginning: string;
  readonly end: string;
}

const KEPT_BYTES = 200;

/**
 * Posts JSON on a new connection and reads the response as fast as it arrives.
 * @throws {Error} at a status other than 200, at an incomplete response, and when it is aborted.
 */
export function download(url: string, body: string, signal: AbortSignal): Promise<Download> {
  const headers = {
    'x-forwarded-for': nextClientAddress(),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers, agent: false, signal }, (response) => {
      let firstByteMs: number | undefined;
      let bytes = 0;
      let beginning = '';
      let end: Buffer = Buffer.alloc(0);
      response.on('data', (chunk: Buffer) => {
        firstByteMs ??= performance.now() - begun;
        bytes += chunk.length;
        if (beginning.length < KEPT_BYTES) beginning = (beginning + chunk).slice(0, KEPT_BYTES);
        end =
          chunk.length >= KEPT_BYTES ? chunk.subarray(-KEPT_BYTES) : Buffer.concat([end, chunk]).subarray(-KEPT_BYTES);
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode !== 200) {
          return reject(new Error(`The response to POST ${url} was ${response.statusCode}: ${beginning}`));
        }
        const seconds = (performance.now() - begun) / 1000;
        resolve({ firstByteMs: firstByteMs ?? Number.NaN, seconds, bytes, beginning, end: end.toString() });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
