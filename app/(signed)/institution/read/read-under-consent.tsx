'use client';

import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { useSession } from '../../../_session/session.tsx';
import { useSignedBody } from '../../../_session/write.tsx';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/provider.tsx';
import { UnderConsent } from '../choose-consent.tsx';
import { Filters } from './filters.tsx';
import { type Page, ReadRecords } from './read-records.tsx';
import { ReadRefused } from './read-refused.tsx';
import { filtersOf, type RecordQuery } from './record-query.ts';

/** Reads the records of a person under a consent. */
export function ReadUnderConsent() {
  const t = useTranslations('institution.read');
  return (
    <div className="space-y-6">
      <h1>{t('title')}</h1>
      <UnderConsent intent="READ_RECORDS">{(consent) => <ConsentRecords consent={consent} />}</UnderConsent>
    </div>
  );
}

function ConsentRecords({ consent }: { consent: TokenView }) {
  const t = useTranslations('institution.read');
  const client = useTRPCClient();
  const { isOpen } = useSession();
  const signedBody = useSignedBody();
  const latestRead = useRef(0);
  const [isReading, setReading] = useState(false);
  const [page, setPage] = useState<Page | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  // Records are private: they are dropped when the key is locked.
  useEffect(() => {
    if (isOpen) return;
    latestRead.current++;
    setPage(null);
    setReading(false);
  }, [isOpen]);

  const read = async (query: RecordQuery, offset: number) => {
    const id = ++latestRead.current;
    setReading(true);
    setFailure(null);
    try {
      const fields = { targetBeo: consent.beo_id, consentToken: consent.token_id };
      const body = await signedBody('readRecords', fields);
      if (!body) return;
      const { records, total } = await client.records.mutate({ body, filters: filtersOf(query, offset) });
      if (id === latestRead.current) setPage({ query, offset, records, total });
    } catch (error) {
      if (id !== latestRead.current) return;
      setPage(null);
      setFailure(failureOf(error));
    } finally {
      if (id === latestRead.current) setReading(false);
    }
  };

  return (
    <div className="space-y-6">
      <Filters consent={consent} isReading={isReading} onRead={(query) => void read(query, 0)} />
      <p role="status" className="empty:hidden">
        {isReading && t('reading')}
      </p>
      <ReadRefused failure={failure} consent={consent} />
      {page && (
        <ReadRecords page={page} domain={consent.beo_domain} onOffset={(offset) => void read(page.query, offset)} />
      )}
    </div>
  );
}
