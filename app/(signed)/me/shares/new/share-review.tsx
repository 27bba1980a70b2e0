'use client';

import { ChevronRight } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { collectedTime } from '../../../../../protocol/clinical/collected.ts';
import type { BioRecord } from '../../../../../protocol/records/record.ts';
import { MAX_HELD_CHARACTERS } from '../../../../../protocol/share-files.ts';
import { useBiomarkerName } from '../../../../_i18n/biomarker-names.tsx';
import { useFormats } from '../../../../_i18n/use-formats.ts';
import { useHolder } from '../../../../_session/current.tsx';
import type { Failure } from '../../../../_trpc/failure.ts';
import { Refused } from '../../../../_trpc/refused.tsx';
import { Alert } from '../../../../_ui/alert.tsx';
import { Button } from '../../../../_ui/button.tsx';
import { LocalLink } from '../../../../_ui/local-link.tsx';
import { Question } from '../../../../_ui/question.tsx';
import { RowsSkeleton } from '../../../../_ui/skeletons.tsx';
import { textLink } from '../../../../_ui/text-link.ts';
import { useDates } from '../../../../_ui/use-dates.ts';
import { useLoadMeanwhile } from '../../../../_ui/use-load-ahead.ts';
import { ReviewLine } from '../../../../_wizard/review-line.tsx';
import { SendStep } from '../../../../_wizard/send-step.tsx';
import { useSelfConsent } from '../../consents/self-consent.ts';
import { SelfConsentOffer } from '../../consents/self-consent-offer.tsx';
import { chosenRecords } from './chosen-records.ts';
import { kindsOf } from './kinds-of.ts';
import { openingsOf, type ShareDraft, type ShareStep } from './share-draft.ts';
import { useDuration } from './use-duration.ts';
import { loadShareFile, type MadeShare, type Making } from './use-making.ts';

export type ReviewProps = {
  draft: ShareDraft;
  passcode: string;
  records: readonly BioRecord[];
  making: Making;
  onChange: (step: ShareStep) => void;
  onReadAgain: () => void;
  onMade: (made: MadeShare) => void;
};

/** The whole share, and who can read it then, before it is signed. */
export function Review({ draft, passcode, records, making, onChange, onReadAgain, onMade }: ReviewProps) {
  const t = useTranslations('shares.review');
  const { kept } = useHolder();
  const consent = useSelfConsent('EXPORT_DATA');
  const ofReading = useSelfConsent('READ_RECORDS');
  const duration = useDuration();
  const format = useFormats();
  const chosen = useMemo(() => chosenRecords(draft, records), [draft, records]);
  // It must not depend on the connection when the link is made.
  useLoadMeanwhile(loadShareFile);
  const { sending, failure } = making;
  const token = consent.coverEverything ? consent.tokens[0]?.token_id : undefined;

  if (consent.loading) return <RowsSkeleton />;
  if (!token) {
    return (
      <Question title={t('title')}>
        <Refused failure={consent.failure} />
        {consent.failure && <Button onClick={consent.retry}>{t('again')}</Button>}
        {/* Otherwise the offer is above the screen already, because not all records could be read. */}
        {!consent.failure && ofReading.coverEverything && <SelfConsentOffer consent={consent} />}
      </Question>
    );
  }

  const send = async () => {
    const made = await making.make({ draft, passcode, records: chosen, consentToken: token });
    if (made) onMade(made);
  };
  const line = (step: ShareStep, name: string, value: ReactNode) => (
    <ReviewLine name={name} value={value} onChange={() => onChange(step)} disabled={sending} />
  );

  return (
    <SendStep
      title={t('title')}
      refused={<Failed failure={failure} onReadAgain={onReadAgain} />}
      sending={sending}
      yes={t('make')}
      busy={t('making')}
      onSend={() => void send()}
      other={
        <Button asChild size="large" look="secondary">
          <LocalLink href="/me/shares">{t('cancel')}</LocalLink>
        </Button>
      }
    >
      <dl className="border-t border-line">
        {line('what', t('what'), <Given draft={draft} chosen={chosen} />)}
        {line('who', t('who'), draft.note.trim())}
        {line('how', t('lasting'), duration(draft.lasting))}
        {line('how', t('openings'), format.number(openingsOf(draft) ?? 0))}
        {line('how', t('passcode'), draft.hasPasscode ? t('passcodeYes') : t('passcodeNo'))}
      </dl>
      <p>{t('gives', { domain: kept.domain })}</p>
      <Alert tone="caution">
        <p>{t('whoever', { passcode: draft.hasPasscode ? 'yes' : 'no' })}</p>
      </Alert>
    </SendStep>
  );
}

/** The chosen records in a sentence, and their kinds. */
function Given({ draft, chosen }: { draft: ShareDraft; chosen: readonly BioRecord[] }) {
  const t = useTranslations('shares.review');
  const dates = useDates();
  const nameOf = useBiomarkerName();
  const kinds = kindsOf(chosen, nameOf, useLocale());
  const sorted = chosen
    .map(({ collected_at }) => collected_at)
    .sort((one, other) => collectedTime(one) - collectedTime(other));
  const [from = '', to = ''] = [sorted[0], sorted.at(-1)].map((at) => at && dates.day(at));
  return (
    <>
      {draft.what === 'summary' && <span className="block font-semibold">{t('asSummary')}</span>}
      {t('values', { count: chosen.length, kinds: kinds.length })}
      <span className="block text-muted">{from === to ? t('onDay', { day: from }) : t('between', { from, to })}</span>
      <details className="group">
        <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold text-accent">
          <ChevronRight aria-hidden className="size-5 transition-transform duration-150 group-open:rotate-90" />
          {t('show')}
        </summary>
        <ul className="space-y-1 pb-2 pl-7">
          {kinds.map(({ code, name, count }) => (
            <li key={code}>
              {name} <span className="text-muted">{t('valuesOf', { count })}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

const LIMITS = new Set(['SHARE_LIMIT_REACHED', 'STORAGE_LIMIT_REACHED']);

/** Why no link was made, and what helps. */
function Failed({ failure, onReadAgain }: { failure: Failure | null; onReadAgain: () => void }) {
  const t = useTranslations('shares.failed');
  const common = useTranslations('common');
  const code = failure?.code;
  const own =
    code === 'CHANGED'
      ? 'changed'
      : code === 'BODY_TOO_LARGE'
        ? 'tooLarge'
        : code === 'EXPORT_BROKEN'
          ? 'broken'
          : code === 'STORAGE_LIMIT_REACHED' && failure?.details?.quota === 'BEO'
            ? 'full'
            : null;
  return (
    <>
      {own ? (
        <div role="alert">
          <Alert tone="danger" title={common('failed')}>
            <p>{t(own, { megabytes: MAX_HELD_CHARACTERS / 1_000_000 })}</p>
          </Alert>
        </div>
      ) : (
        <Refused failure={failure} />
      )}
      {own === 'changed' && (
        <Button look="secondary" onClick={onReadAgain}>
          {t('readAgain')}
        </Button>
      )}
      {code !== undefined && LIMITS.has(code) && (
        <LocalLink href="/me/shares" className={`inline-flex min-h-11 items-center ${textLink}`}>
          {t('toShares')}
        </LocalLink>
      )}
    </>
  );
}
