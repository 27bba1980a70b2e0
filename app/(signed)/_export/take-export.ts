import type { ExportFormatName } from '../../../protocol/signing/exchange-requests.ts';
import type { SignedBody } from '../../_session/send.ts';
import type { Failure } from '../../_trpc/failure.ts';
import { BrokenExport, type ExportHead, exportDecoder } from './export-decoder.ts';

const FILE_TYPES: Readonly<Record<ExportFormatName, { type: string; extension: string }>> = {
  JSON: { type: 'application/json', extension: 'json' },
  CSV: { type: 'text/csv;charset=utf-8', extension: 'csv' },
  FHIR_R4: { type: 'application/fhir+json', extension: 'fhir.json' },
};

export interface Progress {
  /** The size of the document so far, in UTF-8. */
  readonly bytes: number;
  /** Null until the response begins. */
  readonly recordCount: number | null;
}

export type ExportResult =
  | { readonly ok: true; readonly file: Blob; readonly recordCount: number }
  | { readonly ok: false; readonly failure: Failure };

interface TakeOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** The number of characters after which the text becomes a Blob, which the browser can keep outside of memory. */
const BLOB_LENGTH = 4 * 1024 * 1024;

/** What arrived is no complete export. */
export const BROKEN: Failure = { code: 'EXPORT_BROKEN', message: '' };

/** “fernhill.bsp-records-2026-11-21.csv” */
export const fileName = (domain: string, format: ExportFormatName, day: Date): string =>
  `${domain}-records-${day.toISOString().slice(0, 10)}.${FILE_TYPES[format].extension}`;

/**
 * Requests an export and assembles its document as it arrives, without holding its whole text. Returns only a complete one.
 * @throws {DOMException} AbortError where `signal` is aborted
 */
export async function takeExport(
  body: SignedBody,
  format: ExportFormatName,
  { signal, onProgress = () => {} }: TakeOptions = {},
): Promise<ExportResult> {
  try {
    const response = await fetch('/api/exchange/export', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-store',
      signal: signal ?? null,
    });
    if (!response.ok || !response.body) return { ok: false, failure: await refusalIn(response) };
    return await readDocument(response.body, FILE_TYPES[format].type, onProgress);
  } catch (error) {
    if (signal?.aborted) throw error;
    if (error instanceof BrokenExport) return { ok: false, failure: BROKEN };
    return { ok: false, failure: { code: 'UNREACHABLE', message: '' } };
  }
}

async function readDocument(
  stream: ReadableStream<Uint8Array>,
  type: string,
  onProgress: (progress: Progress) => void,
): Promise<ExportResult> {
  let head: ExportHead | null = null;
  const decoder = exportDecoder((found) => {
    head = found;
  });
  const recordCount = (): number | null => head?.record_count ?? null;
  const blobs: Blob[] = [];
  let [pieces, length, flushedBytes]: [string[], number, number] = [[], 0, 0];
  const flush = () => {
    const blob = new Blob(pieces);
    blobs.push(blob);
    flushedBytes += blob.size;
    [pieces, length] = [[], 0];
  };
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const add = (text: string) => {
    const data = decoder.add(text);
    if (data === '') return;
    pieces.push(data);
    length += data.length;
    if (length >= BLOB_LENGTH) flush();
    onProgress({ bytes: flushedBytes + length, recordCount: recordCount() });
  };
  const reader = stream.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
      add(utf8.decode(chunk.value, { stream: true }));
    add(utf8.decode());
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    // An interrupted document is dropped.
    throw error instanceof TypeError && head ? new BrokenExport('the connection broke') : error;
  }
  decoder.end();
  flush();
  const file = new Blob(blobs, { type });
  onProgress({ bytes: file.size, recordCount: recordCount() });
  return { ok: true, file, recordCount: recordCount() ?? 0 };
}

async function refusalIn(response: Response): Promise<Failure> {
  const body: unknown = await response.json().catch(() => null);
  const { code, error } = (body ?? {}) as { readonly code?: unknown; readonly error?: unknown };
  return {
    code: typeof code === 'string' ? code : 'INTERNAL',
    message: typeof error === 'string' ? error : '',
  };
}
