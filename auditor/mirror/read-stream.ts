import { z } from 'zod';
import { streamLine } from '../../server/ledger/stream.ts';

/** The service does not send a stream, or not as docs/api.md describes it. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

export type StreamLine = z.output<typeof streamLine>;

/** A line has one entry: at most 100 records with their ciphertexts, in base64. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** Within this time the next line must be complete. The service sends a head every 15 seconds. */
const LINE_MS = 120_000;

/**
 * The lines of a stream of entries. Each group has what has arrived, so that its entries can be checked together; the next part is read
 * once the group has been handled.
 * @throws {SourceError}
 */
export async function* readStream(url: string, after: number, stop: AbortSignal): AsyncGenerator<StreamLine[]> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), LINE_MS);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), LINE_MS);
  };
  const signal = AbortSignal.any([stop, silent.signal]);
  try {
    const response = await fetch(`${url}/api/ledger/stream?after=${after}`, { signal, redirect: 'error' });
    if (response.status !== 200)
      throw new SourceError(`The service at ${url} responds ${response.status} to a stream.`);
    let pieces: string[] = [];
    let length = 0;
    const decoder = new TextDecoder();
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      const text = decoder.decode(part, { stream: true });
      pieces.push(text);
      length += text.length;
      if (length > MAX_LINE_BYTES) throw new SourceError(`The service at ${url} sends a line that does not end.`);
      if (!text.includes('\n')) continue;
      clearTimeout(timer);
      const lines = pieces.join('').split('\n');
      const rest = lines.pop() ?? '';
      [pieces, length] = [[rest], rest.length];
      yield lines.map((line) => parsed(url, line));
      heard();
    }
  } catch (error) {
    if (stop.aborted) return;
    if (silent.signal.aborted) throw new SourceError(`The service at ${url} sends nothing any more.`);
    throw error instanceof SourceError
      ? error
      : new SourceError(`The stream of ${url} was cut off: ${reasonOf(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

function parsed(url: string, line: string): StreamLine {
  try {
    return streamLine.parse(JSON.parse(line));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new SourceError(`The service at ${url} sends a line that is not one of a stream.`);
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return cause?.message || message || String(error);
}
