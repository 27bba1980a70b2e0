'use client';

import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { useTranslations } from 'use-intl/react';
import type { ConsentRequest } from '../../../../../protocol/consent-request.ts';
import { DAY_MS, dayOf, MAX_CONSENT_DAYS } from '../../../../../protocol/days.ts';
import { notCertifiedFor } from '../../../../../protocol/entities/certified-for.ts';
import { INTENTS, type Intent } from '../../../../../protocol/entities/intents.ts';
import type { TypeRestriction } from '../../../../../protocol/entities/token.ts';
import { CATEGORIES, levelOf } from '../../../../../protocol/records/taxonomy.ts';
import { SELF_INTENTS } from '../../../../_session/self-consent-fields.ts';
import { Alert } from '../../../../_ui/alert.tsx';
import { Field } from '../../../../_ui/field.tsx';
import { Option } from '../../../../_ui/option.tsx';
import { useScopeWords } from '../../../../_ui/use-scope-words.ts';
import { QuestionForm } from '../../../../_wizard/question-form.tsx';
import { type Draft, missingIn, type Question } from './draft.ts';
import { type Recipient, whyNotCategory, whyNotIntent, whyNotLasting } from './restrictions.ts';

export type QuestionProps = {
  draft: Draft;
  recipient: Recipient;
  /** What the institution asked for; no more is offered. Null where it did not. */
  asked: Pick<ConsentRequest, 'scope' | 'expiresInDays'> | null;
  /** The grantee, as part of a sentence. */
  who: string;
  onChange: (changes: Partial<Draft>) => void;
  /** The same, and goes on if nothing is missing. */
  onAnswer: (changes: Partial<Draft>) => void;
  onNext: () => void;
};

const ALL_DATA = { data: 'all', categories: [] } as const;
const ANY_TIME = { when: 'any', from: '', to: '' } as const;
const USUAL_DAYS = [7, 30, 90, 365] as const;

/** The sentence about what is missing in an answer. */
function useMissing() {
  const t = useTranslations('consents.missing');
  return (question: Question, draft: Draft): string | null => {
    const missing = missingIn(question, draft, Date.now());
    return missing && t(missing);
  };
}

function useReason() {
  const t = useTranslations('consents.impossible');
  return (restriction: TypeRestriction | null) => restriction && t(restriction);
}

/** Whether a choice exceeds the certification; false for an uncertified institution, whose mark shows that. */
function useExceedsCertification(recipient: Recipient) {
  return (use: { intents?: readonly Intent[]; categories?: readonly string[] }): boolean => {
    if (recipient.kind === 'self' || !recipient.mark.certified) return false;
    const beyond = notCertifiedFor(recipient.mark.certification, { intents: [], categories: [], ...use });
    return beyond.intents.length + beyond.categories.length > 0;
  };
}

function NotCertified() {
  const t = useTranslations('scope.certification');
  return <span className="block font-semibold text-caution-ink">{t('beyondThis')}</span>;
}

/** The intents. */
export function MayQuestion({ draft, recipient, asked, who, onChange, onNext }: QuestionProps) {
  const t = useTranslations('consents.may');
  const missing = useMissing();
  const words = useScopeWords();
  const why = useReason();
  const isBeyond = useExceedsCertification(recipient);
  const offered: readonly Intent[] = asked?.scope.intents ?? (recipient.kind === 'self' ? SELF_INTENTS : INTENTS);
  return (
    <QuestionForm
      title={recipient.kind === 'self' ? t('titleSelf') : t('title', { who })}
      lead={t('lead')}
      missing={missing('may', draft)}
      onNext={onNext}
    >
      <fieldset className="space-y-3">
        <legend className="sr-only">{t('legend')}</legend>
        {offered.map((intent) => (
          <Option
            key={intent}
            type="checkbox"
            name={intent}
            title={words.intent(intent)}
            what={
              <>
                {words.intentMeans(intent)}
                {isBeyond({ intents: [intent] }) && <NotCertified />}
              </>
            }
            why={why(whyNotIntent(recipient, intent))}
            checked={draft.intents.includes(intent)}
            onChange={(checked) =>
              onChange({
                intents: INTENTS.filter((other) => (other === intent ? checked : draft.intents.includes(other))),
              })
            }
          />
        ))}
      </fieldset>
    </QuestionForm>
  );
}

/** The most frequent categories, shown first. */
const GROUPS = ['STANDARD', 'CORE', 'EXTENDED', 'DEVICE'] as const;

/** The categories. */
export function DataQuestion({ draft, recipient, asked, onChange, onAnswer, onNext }: QuestionProps) {
  const t = useTranslations('consents.data');
  const goesOn = useTranslations('consents')('goesOn');
  const missing = useMissing();
  const words = useScopeWords();
  const why = useReason();
  const isBeyond = useExceedsCertification(recipient);
  const all = whyNotCategory(recipient, '*');
  const asksAll = !asked || asked.scope.categories.includes('*');
  const groups = GROUPS.map((level) => ({
    level,
    codes: CATEGORIES.filter(
      (code) =>
        levelOf(code) === level &&
        !whyNotCategory(recipient, code) &&
        (asksAll || asked.scope.categories.includes(code)),
    ),
  })).filter(({ codes }) => codes.length > 0);
  return (
    <QuestionForm
      title={t('title')}
      missing={missing('data', draft)}
      goesOn={asksAll ? goesOn : undefined}
      onNext={onNext}
    >
      {asksAll && (
        <fieldset className="space-y-3">
          <legend className="sr-only">{t('legend')}</legend>
          <Option
            type="radio"
            name="data"
            title={t('some')}
            what={t('someWhat')}
            checked={draft.data === 'some'}
            onChange={() => onChange({ data: 'some' })}
          />
          <Option
            type="radio"
            name="data"
            title={t('all')}
            what={
              <>
                {t('allWhat')}
                {isBeyond({ categories: ['*'] }) && <NotCertified />}
              </>
            }
            why={why(all)}
            checked={draft.data === 'all'}
            onChange={() => onChange(ALL_DATA)}
            onPick={() => onAnswer(ALL_DATA)}
          />
        </fieldset>
      )}
      {draft.data === 'some' && (
        <div className="space-y-5">
          {groups.map(({ level, codes }) => (
            <fieldset key={level}>
              <legend className="mb-2 font-bold">{t(`group.${level}`)}</legend>
              <div className="grid gap-2 sm:grid-cols-2">
                {codes.map((code) => (
                  <Option
                    key={code}
                    type="checkbox"
                    name={code}
                    compact
                    title={words.category(code)}
                    what={isBeyond({ categories: [code] }) ? <NotCertified /> : undefined}
                    checked={draft.categories.includes(code)}
                    onChange={(checked) =>
                      onChange({
                        categories: CATEGORIES.filter((other) =>
                          other === code ? checked : draft.categories.includes(other),
                        ),
                      })
                    }
                  />
                ))}
              </div>
            </fieldset>
          ))}
        </div>
      )}
    </QuestionForm>
  );
}

/** The period of the data, and the number of records. */
export function WhenQuestion({ draft, asked, onChange, onAnswer, onNext }: QuestionProps) {
  const t = useTranslations('consents.when');
  const goesOn = useTranslations('consents')('goesOn');
  const missing = useMissing();
  return (
    <QuestionForm
      title={t('title')}
      lead={t('lead')}
      missing={missing('when', draft)}
      goesOn={asked?.scope.period ? undefined : goesOn}
      onNext={onNext}
    >
      {!asked?.scope.period && (
        <fieldset className="space-y-3">
          <legend className="sr-only">{t('legend')}</legend>
          <Option
            type="radio"
            name="when"
            title={t('any')}
            what={t('anyWhat')}
            checked={draft.when === 'any'}
            onChange={() => onChange(ANY_TIME)}
            onPick={() => onAnswer(ANY_TIME)}
          />
          <Option
            type="radio"
            name="when"
            title={t('some')}
            what={t('someWhat')}
            checked={draft.when === 'some'}
            onChange={() => onChange({ when: 'some' })}
          />
        </fieldset>
      )}
      {draft.when === 'some' && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] gap-4">
          <Field
            type="date"
            label={t('from')}
            hint={t('empty')}
            value={draft.from}
            onType={(text) => onChange({ from: text })}
          />
          <Field
            type="date"
            label={t('to')}
            hint={t('empty')}
            value={draft.to}
            onType={(text) => onChange({ to: text })}
          />
        </div>
      )}
      <details className="group rounded-md border border-line bg-surface px-4" open={draft.most !== '' || undefined}>
        <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold text-accent">
          <ChevronRight aria-hidden className="size-5 transition-transform duration-150 group-open:rotate-90" />
          {t('more')}
        </summary>
        <div className="pt-1 pb-4">
          <Field
            label={t('most')}
            hint={t('mostHint')}
            inputMode="numeric"
            autoComplete="off"
            value={draft.most}
            onType={(text) => onChange({ most: text })}
          />
        </div>
      </details>
    </QuestionForm>
  );
}

/** The duration. */
export function LongQuestion({ draft, recipient, asked, onChange, onAnswer, onNext }: QuestionProps) {
  const t = useTranslations('consents.long');
  const goesOn = useTranslations('consents')('goesOn');
  const missing = useMissing();
  const why = useReason();
  const id = useId();
  const now = Date.now();
  const most = asked?.expiresInDays ?? MAX_CONSENT_DAYS;
  const choices = [...new Set([...USUAL_DAYS, asked?.expiresInDays ?? USUAL_DAYS[0]])]
    .filter((days) => days <= most)
    .toSorted((one, other) => one - other);
  return (
    <QuestionForm title={t('title')} lead={t('lead')} missing={missing('long', draft)} goesOn={goesOn} onNext={onNext}>
      <fieldset className="space-y-3">
        <legend className="sr-only">{t('legend')}</legend>
        {choices.map((days) => (
          <Option
            key={days}
            type="radio"
            name="long"
            title={t('days', { days })}
            checked={draft.lasting === days}
            onChange={() => onChange({ lasting: days })}
            onPick={() => onAnswer({ lasting: days })}
          />
        ))}
        <Option
          type="radio"
          name="long"
          title={t('day')}
          checked={draft.lasting === 'day'}
          onChange={() => onChange({ lasting: 'day' })}
        />
        {draft.lasting === 'day' && (
          <div className="pl-4">
            <Field
              id={id}
              type="date"
              label={t('endsOn')}
              hint={t('included')}
              min={dayOf(now + DAY_MS)}
              max={dayOf(now + (most - 1) * DAY_MS)}
              value={draft.endsOn}
              onType={(text) => onChange({ endsOn: text })}
            />
          </div>
        )}
        {!asked?.expiresInDays && (
          <Option
            type="radio"
            name="long"
            title={t('withdrawn')}
            what={t('withdrawnWhat')}
            why={why(whyNotLasting(recipient, null))}
            checked={draft.lasting === 'withdrawn'}
            onChange={() => onChange({ lasting: 'withdrawn' })}
            onPick={() => onAnswer({ lasting: 'withdrawn' })}
          />
        )}
      </fieldset>
      <Alert>
        <p>{t('always')}</p>
      </Alert>
    </QuestionForm>
  );
}
