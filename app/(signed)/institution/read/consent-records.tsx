'use client';

import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { useSession } from '../../../_session/session.tsx';
import { useSignedBody } from '../../../_session/write.tsx';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/query-provider.tsx';
import { deferred } from '../../../_ui/deferred.tsx';
import { TableSkeleton } from '../../../_ui/skeletons.tsx';
import { useHolderObstacle } from '../holder-obstacle.ts';
import { Filters } from './read-filters.tsx';
import type { Found } from './read-records.tsx';
import { ReadRefused } from './read-refused.tsx';
import { filtersOf, type RecordQuery } from './record-query.ts';

/** Loaded after the filters. */
const loadTable = async () => (await import('./read-records.tsx')).ReadRecords;
const ReadRecords = deferred(loadTable, <TableSkeleton />);

type Reading = { readonly found: Found | null; readonly isReading: boolean; readonly failure: Failure | null };

const NOTHING: Reading = { found: null, isReading: false, failure: null };

/** Reads under one consent. */
export function ConsentRecords({ consent }: { consent: TokenView }) {
  const t = useTranslations('institution.read');
  const client = useTRPCClient();
  const { isOpen } = useSession();
  const signedBody = useSignedBody();
  const obstacleOf = useHolderObstacle();
  const latestRead = useRef(0);
  const [{ found, isReading, failure }, setReading] = useState<Reading>(NOTHING);

  useEffect(() => {
    loadTable().catch(() => {});
  }, []);

  // Records are private: they are dropped when the key is locked.
  useEffect(() => {
    if (isOpen) return;
    latestRead.current++;
    setReading(NOTHING);
  }, [isOpen]);

  /** Reads the next page, or all of them, after the records that are there. Each page is a read of its own. */
  const read = async (query: RecordQuery, before: Found | null, toTheEnd: boolean) => {
    const id = ++latestRead.current;
    const isLatest = () => id === latestRead.current;
    let current = before;
    setReading({ found: current, isReading: true, failure: null });
    try {
      const obstacle = await obstacleOf(consent.beo_id);
      if (obstacle) return isLatest() && setReading({ found: null, isReading: false, failure: obstacle });
      do {
        const fields = { targetBeo: consent.beo_id, consentToken: consent.token_id };
        const body = await signedBody('readRecords', fields);
        if (!body || !isLatest()) break;
        const filters = filtersOf(query, current?.offset ?? 0);
        const { records, total } = await client.records.mutate({ body, filters });
        if (!isLatest()) return;
        current = withPage(query, current, records, total);
        setReading({ found: current, isReading: true, failure: null });
      } while (toTheEnd && current.offset < current.total);
      if (isLatest()) setReading({ found: current, isReading: false, failure: null });
    } catch (error) {
      if (isLatest())
        setReading({ found: current === before ? null : current, isReading: false, failure: failureOf(error) });
    }
  };

  return (
    <div className="space-y-6">
      <Filters consent={consent} isReading={isReading} onRead={(query) => void read(query, null, false)} />
      <p role="status" className="sr-only">
        {isReading && t('reading')}
      </p>
      {isReading && !found && <TableSkeleton rows={6} />}
      <ReadRefused failure={failure} consent={consent} />
      {found && (
        <ReadRecords
          found={found}
          domain={consent.beo_domain}
          isReading={isReading}
          onMore={(toTheEnd) => void read(found.query, found, toTheEnd)}
        />
      )}
    </div>
  );
}

/** Records that were added between two reads can move one into the next page, so that it is read twice. */
function withPage(query: RecordQuery, before: Found | null, page: Found['records'], total: number): Found {
  const records = new Map([...(before?.records ?? []), ...page].map((record) => [record.record_id, record]));
  const offset = page.length === 0 ? total : (before?.offset ?? 0) + page.length;
  return { query, offset, records: [...records.values()], total };
}
