import type { ExportFormatName } from '../../../protocol/signing/exchange-requests.ts';
import type { SignedBody } from '../../_keys/secret.ts';
import type { Failure } from '../../_trpc/failure.ts';
import { BrokenExport, type ExportHead, exportDecoder } from './export-decoder.ts';

export const FORMATS = ['CSV', 'FHIR_R4', 'JSON'] as const satisfies readonly ExportFormatName[];

const KINDS: Readonly<Record<ExportFormatName, { type: string; ending: string }>> = {
  JSON: { type: 'application/json', ending: 'json' },
  CSV: { type: 'text/csv;charset=utf-8', ending: 'csv' },
  FHIR_R4: { type: 'application/fhir+json', ending: 'fhir.json' },
};

export interface Progress {
  /** The size of the document so far, in UTF-8. */
  readonly bytes: number;
  /** Null until the response begins. */
  readonly recordCount: number | null;
}

export type Taken =
  | { readonly ok: true; readonly file: Blob; readonly recordCount: number }
  | { readonly ok: false; readonly failure: Failure };

/** The characters after which the text becomes a Blob, which the browser can hold outside of memory. */
const HAND_OVER = 4 * 1024 * 1024;

const BROKEN: Failure = { code: 'EXPORT_BROKEN', message: '' };

/** “fernhill.bsp-records-2026-11-21.csv” */
export const fileName = (domain: string, format: ExportFormatName, day: Date): string =>
  `${domain}-records-${day.toISOString().slice(0, 10)}.${KINDS[format].ending}`;

/**
 * Requests an export and assembles its document as it arrives, without holding its whole text. Returns only a complete one.
 * @throws {DOMException} AbortError where `signal` is aborted
 */
export async function takeExport(
  body: SignedBody,
  format: ExportFormatName,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
): Promise<Taken> {
  try {
    const response = await fetch('/api/exchange/export', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-store',
      signal,
    });
    if (!response.ok || !response.body) return { ok: false, failure: await refusalIn(response) };
    return await put(response.body, KINDS[format].type, onProgress);
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof BrokenExport) return { ok: false, failure: BROKEN };
    return { ok: false, failure: { code: 'UNREACHABLE', message: '' } };
  }
}

async function put(
  stream: ReadableStream<Uint8Array>,
  type: string,
  onProgress: (progress: Progress) => void,
): Promise<Taken> {
  let head: ExportHead | null = null;
  const decoder = exportDecoder((found) => {
    head = found;
  });
  const recordCount = (): number | null => head?.record_count ?? null;
  const blobs: Blob[] = [];
  let [pieces, length, handed]: [string[], number, number] = [[], 0, 0];
  const handOver = () => {
    const blob = new Blob(pieces);
    blobs.push(blob);
    handed += blob.size;
    [pieces, length] = [[], 0];
  };
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const add = (text: string) => {
    const data = decoder.add(text);
    if (data === '') return;
    pieces.push(data);
    length += data.length;
    if (length >= HAND_OVER) handOver();
    onProgress({ bytes: handed + length, recordCount: recordCount() });
  };
  const reader = stream.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
      add(utf8.decode(chunk.value, { stream: true }));
    add(utf8.decode());
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    // An interrupted connection leaves half a document, which is dropped.
    throw error instanceof TypeError && head ? new BrokenExport('the connection broke') : error;
  }
  decoder.end();
  handOver();
  const file = new Blob(blobs, { type });
  onProgress({ bytes: file.size, recordCount: recordCount() });
  return { ok: true, file, recordCount: recordCount() ?? 0 };
}

async function refusalIn(response: Response): Promise<Failure> {
  const told: unknown = await response.json().catch(() => null);
  const { code, error } = (told ?? {}) as { readonly code?: unknown; readonly error?: unknown };
  return {
    code: typeof code === 'string' ? code : 'INTERNAL',
    message: typeof error === 'string' ? error : '',
  };
}
