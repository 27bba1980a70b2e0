'use client';

import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/token.ts';
import { useSession } from '../../../_session/session.tsx';
import { useSignedBody } from '../../../_session/write.tsx';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/provider.tsx';
import { UnderConsent } from '../choose-consent.tsx';
import { type Asked, filtersOf } from './asked.ts';
import { Filters } from './filters.tsx';
import { type Page, ReadRecords } from './read-records.tsx';
import { ReadRefused } from './read-refused.tsx';

/** Records of a person, read under a consent. */
export function Reading() {
  const t = useTranslations('institution.read');
  return (
    <div className="space-y-6">
      <h1 className="text-2xl">{t('title')}</h1>
      <UnderConsent intent="READ_RECORDS">{(consent) => <ReadingUnder consent={consent} />}</UnderConsent>
    </div>
  );
}

function ReadingUnder({ consent }: { consent: TokenView }) {
  const t = useTranslations('institution.read');
  const client = useTRPCClient();
  const { isOpen } = useSession();
  const signedBody = useSignedBody();
  const asking = useRef(0);
  const [isReading, setReading] = useState(false);
  const [page, setPage] = useState<Page | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  // What was read is private: it goes with the key.
  useEffect(() => {
    if (isOpen) return;
    asking.current++;
    setPage(null);
    setReading(false);
  }, [isOpen]);

  const read = async (asked: Asked, offset: number) => {
    const turn = ++asking.current;
    setReading(true);
    setFailure(null);
    try {
      const fields = { targetBeo: consent.beo_id, consentToken: consent.token_id };
      const body = await signedBody('readRecords', fields);
      if (!body) return;
      const { records, total } = await client.records.mutate({ body, filters: filtersOf(asked, offset) });
      if (turn === asking.current) setPage({ asked, offset, records, total });
    } catch (error) {
      if (turn !== asking.current) return;
      setPage(null);
      setFailure(failureOf(error));
    } finally {
      if (turn === asking.current) setReading(false);
    }
  };

  return (
    <div className="space-y-6">
      <Filters consent={consent} isReading={isReading} onRead={(asked) => void read(asked, 0)} />
      <p role="status" className="empty:hidden">
        {isReading && t('reading')}
      </p>
      <ReadRefused failure={failure} consent={consent} />
      {page && (
        <ReadRecords page={page} domain={consent.beo_domain} onOffset={(offset) => void read(page.asked, offset)} />
      )}
    </div>
  );
}
