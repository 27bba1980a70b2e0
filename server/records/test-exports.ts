import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Json } from '../../protocol/signing/canonical-json.ts';

/** An export whose reader says when it goes on. */
export interface SlowExport {
  /** What has arrived before it was told to wait. */
  readonly first: string;
  readonly status: number;
  /** Takes the rest. @returns all of it @throws where the connection breaks before the end. */
  rest(): Promise<string>;
  /** The same, but forgets it piece by piece. @returns its length and its end. */
  drain(seen?: () => void): Promise<{ bytes: number; end: string }>;
}

/** Asks for an export and reads no more of it than its first piece. */
export async function slowly(url: string, body: Json): Promise<SlowExport> {
  const asked = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
  asked.end(JSON.stringify(body));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const pieces = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const { value } = await pieces.next();
  const first = value as Buffer;

  async function* others(): AsyncGenerator<Buffer> {
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) yield piece.value;
  }

  return {
    first: first.toString(),
    status: response.statusCode ?? 0,
    async rest() {
      const all = [first];
      for await (const piece of others()) all.push(piece);
      return Buffer.concat(all).toString();
    },
    async drain(seen = () => undefined) {
      let bytes = first.length;
      let end = '';
      for await (const piece of others()) {
        bytes += piece.length;
        end = piece.toString().slice(-100);
        seen();
      }
      return { bytes, end };
    },
  };
}

/** The rows of a CSV document by the names of its columns. RFC 4180, strictly. */
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
  const [header = [], ...others] = rows.slice(0, -1);
  return others.map((row) => {
    if (row.length !== header.length) throw new Error(`A row has ${row.length} cells, the header ${header.length}.`);
    return Object.fromEntries(header.map((name, index) => [name.replace('\ufeff', ''), row[index] ?? '']));
  });
}
