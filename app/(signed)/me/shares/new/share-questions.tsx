'use client';

import { useMemo, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { dayOf } from '../../../../../protocol/days.ts';
import type { BioRecord } from '../../../../../protocol/records/record.ts';
import { MAX_OPENINGS, MAX_SHARE_LABEL, PASSCODE_ATTEMPTS } from '../../../../../protocol/share-files.ts';
import { useBiomarkerName } from '../../../../_i18n/biomarker-names.tsx';
import { InstitutionName } from '../../../../_trpc/institution-name.tsx';
import { Button } from '../../../../_ui/button.tsx';
import { Field } from '../../../../_ui/field.tsx';
import { Option } from '../../../../_ui/option.tsx';
import { visitsOf } from '../../../../_ui/records/visits.ts';
import { useDates } from '../../../../_ui/use-dates.ts';
import { QuestionForm } from '../../../../_wizard/question-form.tsx';
import { EVERY_RECORD } from '../../records/every-record.ts';
import { useRecords } from '../../records/records-provider.tsx';
import { chosenRecords } from './chosen-records.ts';
import { kindsOf } from './kinds-of.ts';
import { DURATIONS, MAX_PASSCODE, MIN_PASSCODE, missingIn, type ShareDraft, type ShareStep } from './share-draft.ts';
import { useDuration } from './use-duration.ts';

export type ShareQuestionProps = {
  draft: ShareDraft;
  passcode: string;
  records: readonly BioRecord[];
  onChange: (changes: Partial<ShareDraft>) => void;
  onPasscode: (passcode: string) => void;
  onNext: () => void;
};

function useMissing(step: ShareStep, { draft, passcode }: Pick<ShareQuestionProps, 'draft' | 'passcode'>) {
  const t = useTranslations('shares.missing');
  const missing = missingIn(step, draft, passcode);
  return missing && t(missing, { most: MAX_OPENINGS, least: MIN_PASSCODE });
}

const SHOWN = 20;

/** Which records. */
export function WhatQuestion(props: ShareQuestionProps) {
  const { draft, records, onChange, onNext } = props;
  const t = useTranslations('shares.what');
  const missing = useMissing('what', props);
  const { filter } = useRecords();
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(EVERY_RECORD);
  const counts = useMemo(
    () => ({
      summary: chosenRecords({ ...draft, what: 'summary' }, records).length,
      shown: chosenRecords({ ...draft, what: 'shown', filter }, records).length,
    }),
    [draft, records, filter],
  );
  const chosen = useMemo(() => chosenRecords(draft, records).length, [draft, records]);
  const isEmpty = draft.what !== null && missing === null && chosen === 0;
  const choose = (what: ShareDraft['what']) => () => onChange({ what });
  return (
    <QuestionForm title={t('title')} lead={t('lead')} missing={isEmpty ? t('nothing') : missing} onNext={onNext}>
      <fieldset className="space-y-3">
        <legend className="sr-only">{t('legend')}</legend>
        <Option
          type="radio"
          name="what"
          title={t('summary')}
          what={t('summaryWhat', { count: counts.summary })}
          checked={draft.what === 'summary'}
          onChange={choose('summary')}
        />
        <Option
          type="radio"
          name="what"
          title={isFiltered ? t('shown') : t('all')}
          what={t('count', { count: counts.shown })}
          checked={draft.what === 'shown'}
          onChange={() => onChange({ what: 'shown', filter })}
        />
        <Option
          type="radio"
          name="what"
          title={t('since')}
          what={draft.what === 'since' && missing === null ? t('count', { count: chosen }) : undefined}
          checked={draft.what === 'since'}
          onChange={choose('since')}
        />
        {draft.what === 'since' && (
          <div className="pl-4">
            <Field
              type="date"
              label={t('sinceDay')}
              hint={t('sinceHint')}
              max={dayOf(Date.now())}
              value={draft.since}
              onType={(since) => onChange({ since })}
            />
          </div>
        )}
        <Option
          type="radio"
          name="what"
          title={t('visits')}
          what={t('visitsWhat')}
          checked={draft.what === 'visits'}
          onChange={choose('visits')}
        />
        {draft.what === 'visits' && <Visits {...props} />}
        <Option
          type="radio"
          name="what"
          title={t('kinds')}
          what={t('kindsWhat')}
          checked={draft.what === 'kinds'}
          onChange={choose('kinds')}
        />
        {draft.what === 'kinds' && <Kinds {...props} />}
      </fieldset>
    </QuestionForm>
  );
}

const withChoice = (chosen: readonly string[], value: string, isChosen: boolean): readonly string[] =>
  isChosen ? [...chosen, value] : chosen.filter((other) => other !== value);

/** The visits, the newest first. */
function Visits({ draft, records, onChange }: ShareQuestionProps) {
  const t = useTranslations('shares.what');
  const dates = useDates();
  const visits = useMemo(() => visitsOf(records), [records]);
  const [shown, setShown] = useState(SHOWN);
  return (
    <fieldset className="space-y-2 pl-4">
      <legend className="sr-only">{t('visits')}</legend>
      {visits.slice(0, shown).map(({ key, day, institution, records: taken }) => (
        <Option
          key={key}
          type="checkbox"
          name={key}
          compact
          title={dates.day(day)}
          what={
            <>
              <InstitutionName id={institution.ieo_id} domain={institution.source.ieo_domain} isWithin />
              {` · ${t('count', { count: taken.length })}`}
            </>
          }
          checked={draft.visits.includes(key)}
          onChange={(isChosen) => onChange({ visits: withChoice(draft.visits, key, isChosen) })}
        />
      ))}
      {visits.length > shown && (
        <Button look="secondary" onClick={() => setShown(shown + SHOWN)}>
          {t('more')}
        </Button>
      )}
    </fieldset>
  );
}

/** The kinds of values, by name. */
function Kinds({ draft, records, onChange }: ShareQuestionProps) {
  const t = useTranslations('shares.what');
  const nameOf = useBiomarkerName();
  const locale = useLocale();
  const kinds = useMemo(() => {
    const current = records.filter(({ status }) => status === 'ACTIVE');
    return kindsOf(current, nameOf, locale);
  }, [records, nameOf, locale]);
  return (
    <fieldset className="grid gap-2 pl-4 sm:grid-cols-2">
      <legend className="sr-only">{t('kinds')}</legend>
      {kinds.map(({ code, name, count }) => (
        <Option
          key={code}
          type="checkbox"
          name={code}
          compact
          title={name}
          what={t('count', { count })}
          checked={draft.kinds.includes(code)}
          onChange={(isChosen) => onChange({ kinds: withChoice(draft.kinds, code, isChosen) })}
        />
      ))}
    </fieldset>
  );
}

/** For whom, as a note of the holder. */
export function WhoQuestion(props: ShareQuestionProps) {
  const t = useTranslations('shares.who');
  const missing = useMissing('who', props);
  const { draft, onChange, onNext } = props;
  return (
    <QuestionForm title={t('title')} missing={missing} onNext={onNext}>
      <Field
        label={t('label')}
        hint={t('hint')}
        limit={MAX_SHARE_LABEL}
        autoComplete="off"
        value={draft.note}
        onType={(note) => onChange({ note })}
      />
    </QuestionForm>
  );
}

/** How long, how often, and with which passcode. */
export function HowQuestion(props: ShareQuestionProps) {
  const t = useTranslations('shares.how');
  const missing = useMissing('how', props);
  const duration = useDuration();
  const { draft, passcode, onChange, onPasscode, onNext } = props;
  return (
    <QuestionForm title={t('title')} missing={missing} onNext={onNext}>
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="sr-only">{t('legend')}</legend>
        {DURATIONS.map((seconds) => (
          <Option
            key={seconds}
            type="radio"
            name="lasting"
            compact
            title={duration(seconds)}
            checked={draft.lasting === seconds}
            onChange={() => onChange({ lasting: seconds })}
          />
        ))}
      </fieldset>
      <Field
        label={t('openings')}
        hint={t('openingsHint', { most: MAX_OPENINGS })}
        inputMode="numeric"
        autoComplete="off"
        value={draft.openings}
        onType={(openings) => onChange({ openings })}
      />
      <Option
        type="checkbox"
        name="passcode"
        title={t('passcode')}
        what={t('passcodeWhat', { attempts: PASSCODE_ATTEMPTS })}
        checked={draft.hasPasscode}
        onChange={(hasPasscode) => onChange({ hasPasscode })}
      />
      {draft.hasPasscode && (
        <div className="pl-4">
          <Field
            label={t('passcodeLabel')}
            hint={t('passcodeHint', { least: MIN_PASSCODE })}
            limit={MAX_PASSCODE}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={passcode}
            onType={onPasscode}
          />
        </div>
      )}
    </QuestionForm>
  );
}
