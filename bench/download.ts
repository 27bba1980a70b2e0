import { request } from 'node:http';

/** A streamed answer as it arrived; its content is not kept. */
export interface Download {
  /** From the first byte sent to the first byte of the body. */
  readonly firstByteMs: number;
  readonly seconds: number;
  readonly bytes: number;
  /** The first and the last 200 bytes. */
  readonly beginning: string;
  readonly end: string;
}

const SHOWN = 200;

/**
 * Posts JSON on a connection of its own, and takes what comes as fast as it comes.
 * @throws {Error} at an answer that is not 200, one that is cut off, and when it is stopped.
 */
export function download(url: string, body: string, signal: AbortSignal): Promise<Download> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers, agent: false, signal }, (response) => {
      let firstByteMs: number | undefined;
      let bytes = 0;
      let beginning = '';
      let end: Buffer = Buffer.alloc(0);
      response.on('data', (chunk: Buffer) => {
        firstByteMs ??= performance.now() - begun;
        bytes += chunk.length;
        if (beginning.length < SHOWN) beginning = (beginning + chunk).slice(0, SHOWN);
        end = chunk.length >= SHOWN ? chunk.subarray(-SHOWN) : Buffer.concat([end, chunk]).subarray(-SHOWN);
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode !== 200) {
          return reject(new Error(`POST ${url} was answered ${response.statusCode}: ${beginning}`));
        }
        const seconds = (performance.now() - begun) / 1000;
        resolve({ firstByteMs: firstByteMs ?? Number.NaN, seconds, bytes, beginning, end: end.toString() });
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
