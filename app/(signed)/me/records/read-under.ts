import type { BioRecord } from '../../../../protocol/records/record.ts';
import type { Fields, SignedBody } from '../../../_session/send.ts';
import { failureOf } from '../../../_trpc/failure.ts';
import type { useTRPCClient } from '../../../_trpc/query-provider.tsx';
import { type ReadPage, readAll } from './read-all.ts';

const PAUSE_SECONDS = 10;

interface ReadUnder {
  readonly client: ReturnType<typeof useTRPCClient>;
  readonly signedBody: (functionName: string, fields: Fields) => Promise<SignedBody>;
  readonly beoId: string;
  readonly consentTokens: readonly string[];
  readonly signal: AbortSignal;
  /** Receives what is read so far; `waiting`: the server asks for a pause. */
  readonly report: (progress: { count: number; total: number | null; waiting: boolean }) => void;
}

/** Reads all records under these consents of a holder, each once. @throws {TRPCClientError} and what `signedBody` throws */
export async function readUnder(options: ReadUnder): Promise<BioRecord[]> {
  const { client, signedBody, beoId, consentTokens, signal, report } = options;
  let [count, total]: [number, number | null] = [0, null];
  const pagesUnder =
    (consentToken: string): ReadPage =>
    async (query) => {
      for (;;) {
        const body = await signedBody('readRecords', { targetBeo: beoId, consentToken });
        const filters = { categories: null, biomarkers: null, levels: null, from: null, to: null, ...query };
        try {
          return await client.records.mutate({ body, filters }, { signal });
        } catch (error) {
          const { code, details } = failureOf(error);
          if (signal.aborted || code !== 'RATE_LIMITED') throw error;
          report({ count, total, waiting: true });
          await pause(Number(details?.retry_after_seconds ?? PAUSE_SECONDS) * 1_000, signal);
        }
      }
    };
  const byId = new Map<string, BioRecord>();
  for (const consentToken of consentTokens) {
    const records = await readAll(pagesUnder(consentToken), (...progress) => {
      [count, total] = progress;
      report({ count, total, waiting: false });
    });
    for (const record of records) byId.set(record.record_id, record);
  }
  return [...byId.values()];
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
