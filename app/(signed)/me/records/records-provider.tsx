'use client';

import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { useHolderOnceRead } from '../../../_session/current.tsx';
import { useSession } from '../../../_session/session.tsx';
import { useSignedBody } from '../../../_session/write.tsx';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/query-provider.tsx';
import { EVERY_RECORD, type RecordFilter } from './every-record.ts';

export interface LoadedRecords {
  readonly records: readonly BioRecord[];
  /** ISO 8601, by this device's clock. */
  readonly readAt: string;
}

export type Reading =
  | { readonly at: 'none'; readonly failure: Failure | null }
  /** `waiting`: the server asks for a pause. */
  | { readonly at: 'reading'; readonly count: number; readonly total: number | null; readonly waiting: boolean }
  | ({ readonly at: 'loaded' } & LoadedRecords);

interface Records {
  readonly reading: Reading;
  /** Reads all records under these consents of the holder, and replaces those in memory. */
  read(consentTokens: readonly string[]): Promise<void>;
  /** Stops a running read. */
  stop(): void;
  /** The filter, kept between pages. */
  readonly filter: RecordFilter;
  setFilter(filter: RecordFilter): void;
  /** How the overview groups the records, kept like the filter. */
  readonly view: RecordView;
  setView(view: RecordView): void;
}

export type RecordView = 'kinds' | 'visits';

const RecordsContext = createContext<Records | null>(null);
const NOT_READ: Reading = { at: 'none', failure: null };

/**
 * Keeps a person's records in memory while their key is open, so that navigation neither reads them again nor adds to the access
 * log. Only below the layout of /me.
 */
export function RecordsProvider({ children }: { children: ReactNode }) {
  const beoId = useHolderOnceRead()?.view.beo_id;
  const { isOpen, signer } = useSession();
  const client = useTRPCClient();
  const signedBody = useSignedBody();
  const [reading, setReading] = useState<Reading>(NOT_READ);
  const [filter, setFilter] = useState(EVERY_RECORD);
  const [view, setView] = useState<RecordView>('kinds');
  const running = useRef<AbortController | null>(null);

  const stop = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setReading(NOT_READ);
  }, []);

  useEffect(() => {
    if (!isOpen) stop();
  }, [isOpen, stop]);

  useEffect(() => () => running.current?.abort(), []);

  const read = useCallback(
    async (consentTokens: readonly string[]) => {
      if (running.current || beoId === undefined) return;
      const controller = new AbortController();
      const { signal } = controller;
      running.current = controller;
      try {
        if (!(await signer())) return;
        setReading({ at: 'reading', count: 0, total: null, waiting: false });
        const { readUnder } = await import('./read-under.ts');
        const records = await readUnder({
          client,
          async signedBody(functionName, fields) {
            const body = await signedBody(functionName, fields);
            if (!body) throw new NotUnlocked();
            return body;
          },
          beoId,
          consentTokens,
          signal,
          report(progress) {
            if (!signal.aborted) setReading({ at: 'reading', ...progress });
          },
        });
        if (!signal.aborted) setReading({ at: 'loaded', records, readAt: new Date().toISOString() });
      } catch (error) {
        if (!signal.aborted)
          setReading({ at: 'none', failure: error instanceof NotUnlocked ? null : failureOf(error) });
      } finally {
        if (running.current === controller) running.current = null;
      }
    },
    [client, signer, signedBody, beoId],
  );

  const records = useMemo(
    () => ({ reading, read, stop, filter, setFilter, view, setView }),
    [reading, read, stop, filter, view],
  );
  return <RecordsContext value={records}>{children}</RecordsContext>;
}

/** The person cancelled unlocking the key. */
class NotUnlocked extends Error {}

/** Only below a RecordsProvider. */
export function useRecords(): Records {
  const records = use(RecordsContext);
  if (!records) throw new Error('useRecords needs a RecordsProvider above it.');
  return records;
}
