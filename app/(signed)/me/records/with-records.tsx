'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { useFormats } from '../../../_i18n/use-formats.ts';
import { useHolder } from '../../../_session/current.tsx';
import { Line, Locked } from '../../../_session/locked-page.tsx';
import { useSession } from '../../../_session/session.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { RowsSkeleton } from '../../../_ui/skeletons.tsx';
import { useSelfConsent } from '../consents/self-consent.ts';
import { SelfConsentOffer } from '../consents/self-consent-offer.tsx';
import { type LoadedRecords, useRecords } from './records-provider.tsx';

type WithRecordsProps = { children: (loaded: LoadedRecords & { readAgain: () => void }) => ReactNode };

/** Renders `children` with the records; until they are read, shows what is needed for that. */
export function WithRecords({ children }: WithRecordsProps) {
  const t = useTranslations('records');
  const { view } = useHolder();
  const { isOpen } = useSession();
  const consent = useSelfConsent('READ_RECORDS');
  const { reading, read } = useRecords();
  const hasStarted = useRef(false);
  const tokens = consent.loading ? [] : consent.tokens.map(({ token_id }) => token_id as string);
  const canRead = tokens.length > 0;
  const isActive = view.status === 'ACTIVE';
  const canStart = isOpen && isActive && reading.at === 'none' && reading.failure === null;

  // Reads at once if the key is open, but not again after a stop or a failure.
  useEffect(() => {
    if (reading.at !== 'none') hasStarted.current = true;
    if (hasStarted.current || !canStart || !canRead) return;
    hasStarted.current = true;
    void read(tokens);
  });

  if (reading.at === 'loaded')
    return (
      <>
        {!consent.loading && !consent.failure && !consent.coverEverything && (
          <SelfConsentOffer
            consent={consent}
            why={{ title: t('some.title'), body: t('some.body') }}
            onGiven={(token) => void read([token])}
          />
        )}
        {children({ ...reading, readAgain: () => canRead && void read(tokens) })}
      </>
    );
  if (reading.at === 'reading') return <ReadingProgress {...reading} />;
  if (!isActive)
    return (
      <Alert tone="caution" title={t('notNow.title')}>
        <p>{t(view.status === 'LOCKED' ? 'notNow.locked' : 'notNow.destroyed')}</p>
      </Alert>
    );
  if (consent.loading) return <RowsSkeleton />;
  if (!canRead && !consent.failure) return <SelfConsentOffer consent={consent} />;
  const failure = reading.failure ?? consent.failure;
  return (
    <Locked
      title={t('open.title')}
      what={t('open.body')}
      action={t(failure ? 'open.again' : 'open.action')}
      failure={failure}
      onOpen={() => (canRead ? void read(tokens) : consent.retry())}
      row={<BiomarkerOutline />}
    />
  );
}

/** A biomarker: its name and value, and its course. */
const BiomarkerOutline = () => (
  <div className="flex items-center justify-between gap-6">
    <div className="grow space-y-2">
      <Line className="h-4 w-2/5" />
      <Line className="h-3 w-3/5" />
    </div>
    <Line className="h-8 w-24" />
  </div>
);

function ReadingProgress({ count, total, waiting }: { count: number; total: number | null; waiting: boolean }) {
  const t = useTranslations('records.reading');
  const format = useFormats();
  const { stop } = useRecords();
  return (
    <div className="max-w-prose space-y-4">
      <p role="status">{waiting ? t('waiting') : t('title')}</p>
      <progress
        aria-label={t('title')}
        {...(total !== null && { value: count, max: Math.max(total, 1) })}
        className="block h-3 w-full appearance-none overflow-hidden rounded-sm border border-edge bg-sunken text-accent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
      />
      <p className="text-muted tabular-nums">
        {total === null ? '\u00a0' : t('soFar', { count: format.number(count), of: format.number(total) })}
      </p>
      <Button look="secondary" onClick={stop}>
        {t('stop')}
      </Button>
    </div>
  );
}
