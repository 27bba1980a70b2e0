import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Json } from '../../../protocol/signing/canonical-json.ts';

/** An export of which only the first chunk has been read. */
export interface SlowExport {
  /** The first chunk. */
  readonly first: string;
  readonly status: number;
  /** Reads the rest. @returns the whole body @throws if the connection breaks before the end. */
  rest(): Promise<string>;
  /** Reads the rest without keeping it. @returns the length of the body and its last characters. */
  drain(onChunk?: () => void): Promise<{ bytes: number; end: string }>;
}

/** Requests an export and reads only its first chunk. */
export async function startExport(url: string, body: Json): Promise<SlowExport> {
  const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const { value } = await chunks.next();
  const first = value as Buffer;

  async function* remaining(): AsyncGenerator<Buffer> {
    for (let chunk = await chunks.next(); !chunk.done; chunk = await chunks.next()) yield chunk.value;
  }

  return {
    first: first.toString(),
    status: response.statusCode ?? 0,
    async rest() {
      const all = [first];
      for await (const chunk of remaining()) all.push(chunk);
      return Buffer.concat(all).toString();
    },
    async drain(onChunk = () => undefined) {
      let bytes = first.length;
      let end = '';
      for await (const chunk of remaining()) {
        bytes += chunk.length;
        end = chunk.toString().slice(-100);
        onChunk();
      }
      return { bytes, end };
    },
  };
}

/** The rows of a CSV document by column name, parsed strictly by RFC 4180. */
export function csvRows(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, quoted, plain = '', end] = cell.exec(text) ?? [];
    if (!end) throw new Error(`Not CSV at ${at}: ${text.slice(at, at + 40)}`);
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  const [header = [], ...records] = rows.slice(0, -1);
  return records.map((row) => {
    if (row.length !== header.length) throw new Error(`A row has ${row.length} cells, the header ${header.length}.`);
    return Object.fromEntries(header.map((name, index) => [name.replace('\ufeff', ''), row[index] ?? '']));
  });
}
