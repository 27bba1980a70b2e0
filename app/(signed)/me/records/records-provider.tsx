'use client';

import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { useHolder } from '../../../_session/current.tsx';
import { useSession } from '../../../_session/session.tsx';
import { useSignedBody } from '../../../_session/write.tsx';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/provider.tsx';
import { type ReadPage, readAll } from './read-all.ts';
import { EVERY_RECORD, type RecordFilter } from './record-filter.ts';

export interface HeldRecords {
  readonly records: readonly BioRecord[];
  /** ISO 8601, by this device's clock. */
  readonly readAt: string;
}

export type Reading =
  | { readonly at: 'none'; readonly failure: Failure | null }
  /** `waiting`: the server asks for a pause. */
  | { readonly at: 'reading'; readonly count: number; readonly of: number | null; readonly waiting: boolean }
  | ({ readonly at: 'held' } & HeldRecords);

interface Records {
  readonly reading: Reading;
  /** Reads everything under a consent of one's own, in place of what is held. */
  read(consentToken: string): Promise<void>;
  /** Ends a reading that is under way. */
  stop(): void;
  /** What is looked at; it stays while one goes from page to page. */
  readonly filter: RecordFilter;
  setFilter(filter: RecordFilter): void;
}

const RecordsContext = createContext<Records | null>(null);
const NOTHING: Reading = { at: 'none', failure: null };
const PAUSE_SECONDS = 10;

/**
 * Holds a person's records in memory while their key is open, so that going from page to page does not read, and write down in
 * the access log, the same thing again. Only below the layout of /me.
 */
export function RecordsProvider({ children }: { children: ReactNode }) {
  const { view } = useHolder();
  const { isOpen, signer } = useSession();
  const client = useTRPCClient();
  const signedBody = useSignedBody();
  const [reading, setReading] = useState<Reading>(NOTHING);
  const [filter, setFilter] = useState(EVERY_RECORD);
  const underWay = useRef<AbortController | null>(null);

  const stop = useCallback(() => {
    underWay.current?.abort();
    underWay.current = null;
    setReading(NOTHING);
  }, []);

  useEffect(() => {
    if (!isOpen) stop();
  }, [isOpen, stop]);

  useEffect(() => () => underWay.current?.abort(), []);

  const read = useCallback(
    async (consentToken: string) => {
      if (underWay.current) return;
      const controller = new AbortController();
      const { signal } = controller;
      underWay.current = controller;
      let [count, of]: [number, number | null] = [0, null];
      const say = (waiting: boolean) => {
        if (!signal.aborted) setReading({ at: 'reading', count, of, waiting });
      };
      const readPage: ReadPage = async (asked) => {
        for (;;) {
          const body = await signedBody('readRecords', { targetBeo: view.beo_id, consentToken });
          if (!body) throw new NotOpened();
          const filters = { categories: null, biomarkers: null, levels: null, from: null, to: null, ...asked };
          try {
            return await client.records.mutate({ body, filters }, { signal });
          } catch (error) {
            const { code, details } = failureOf(error);
            if (signal.aborted || code !== 'RATE_LIMITED') throw error;
            say(true);
            await pause(Number(details?.retry_after_seconds ?? PAUSE_SECONDS) * 1_000, signal);
          }
        }
      };
      try {
        if (!(await signer())) return;
        say(false);
        const records = await readAll(readPage, (...how) => {
          [count, of] = how;
          say(false);
        });
        if (!signal.aborted) setReading({ at: 'held', records, readAt: new Date().toISOString() });
      } catch (error) {
        if (!signal.aborted) setReading({ at: 'none', failure: error instanceof NotOpened ? null : failureOf(error) });
      } finally {
        if (underWay.current === controller) underWay.current = null;
      }
    },
    [client, signer, signedBody, view.beo_id],
  );

  const records = useMemo(() => ({ reading, read, stop, filter, setFilter }), [reading, read, stop, filter]);
  return <RecordsContext value={records}>{children}</RecordsContext>;
}

/** The person did not want to open the key. */
class NotOpened extends Error {}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** Only below a RecordsProvider. */
export function useRecords(): Records {
  const records = use(RecordsContext);
  if (!records) throw new Error('useRecords needs a RecordsProvider above it.');
  return records;
}
