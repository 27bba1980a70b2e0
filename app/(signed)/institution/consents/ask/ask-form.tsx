'use client';

import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { DAY_MS, periodOfDays } from '../../../../../protocol/days.ts';
import type { IeoType } from '../../../../../protocol/entities/ieo.ts';
import { INTENTS } from '../../../../../protocol/entities/intents.ts';
import { typeRestriction } from '../../../../../protocol/entities/token.ts';
import { CATEGORIES, LEVELS } from '../../../../../protocol/records/taxonomy.ts';
import type { Fields } from '../../../../_session/send.ts';
import type { Failure } from '../../../../_trpc/failure.ts';
import { Refused } from '../../../../_trpc/refused.tsx';
import { Alert } from '../../../../_ui/alert.tsx';
import { Button } from '../../../../_ui/button.tsx';
import { Field } from '../../../../_ui/field.tsx';
import { RadioCards } from '../../../../_ui/radio-cards.tsx';
import { Select } from '../../../../_ui/select.tsx';
import { TickList } from '../../../../_ui/tick-list.tsx';
import { useScopeWords } from '../../../../_ui/use-scope-words.ts';

// As in protocol/consent-request.ts, whose code is loaded when the request is signed.
const MAX_PURPOSE = 500;
const MAX_REFERENCE = 60;

const DAYS = [7, 30, 90, 365] as const;
const VALID_DAYS = [1, 7, 30, 90] as const;
const WHO = ['first', 'named', 'counter'] as const;

type AskFormProps = {
  type: IeoType;
  isSending: boolean;
  failure: Failure | null;
  onSign: (fields: Fields) => Promise<void>;
};

/** What is asked, for what, of whom, and until when. */
export function AskForm({ type, isSending, failure, onSign }: AskFormProps) {
  const t = useTranslations('institution.askConsent');
  const words = useScopeWords();
  const [intents, setIntents] = useState<readonly string[]>([]);
  const [categories, setCategories] = useState<readonly string[]>([]);
  const [levels, setLevels] = useState<readonly string[]>([]);
  const [dates, setDates] = useState({ from: '', to: '', most: '' });
  const [days, setDays] = useState('30');
  const [purpose, setPurpose] = useState('');
  const [reference, setReference] = useState('');
  const [who, setWho] = useState<(typeof WHO)[number] | null>(null);
  const [person, setPerson] = useState('');
  const [valid, setValid] = useState('7');
  const [isChecked, setChecked] = useState(false);

  const offered = INTENTS.filter((intent) => !typeRestriction(type, { intents: [intent], categories: [] }, true));
  const most = Number(dates.most);
  const missing =
    intents.length === 0
      ? 'intents'
      : categories.length === 0
        ? 'categories'
        : dates.from && dates.to && dates.from > dates.to
          ? 'order'
          : dates.most && !(Number.isInteger(most) && most >= 1)
            ? 'most'
            : purpose.trim() === ''
              ? 'purpose'
              : who === null
                ? 'who'
                : who === 'named' && !/^[\w-]+(\.[\w-]+)+$/.test(person.trim())
                  ? 'person'
                  : null;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (missing || isSending) return;
    await onSign({
      scope: {
        intents: INTENTS.filter((intent) => intents.includes(intent)),
        categories: categories.includes('*') ? ['*'] : CATEGORIES.filter((code) => categories.includes(code)),
        ...(levels.length > 0 && { levels: LEVELS.filter((level) => levels.includes(level)) }),
        ...((dates.from || dates.to) && { period: { ...periodOfDays(dates.from, dates.to) } }),
        ...(dates.most && { max_records: most }),
      },
      expiresInDays: days === '' ? null : Number(days),
      // A line break would be none of the characters that a request may have.
      purpose: purpose.trim().replace(/\s+/g, ' '),
      ...(reference.trim() && { reference: reference.trim() }),
      validUntil: new Date(Date.now() + Number(valid) * DAY_MS - 60_000).toISOString(),
      once: who === 'named' ? person.trim().toLowerCase() : who === 'first',
    });
  };

  return (
    <form onSubmit={submit} noValidate className="space-y-7">
      <p>{t('lead')}</p>
      <TickList
        legend={t('intents')}
        hint={t('intentsHint')}
        options={offered.map((intent) => [intent, words.intent(intent)])}
        ticked={intents}
        onTick={setIntents}
      />
      <TickList
        legend={t('categories')}
        hint={t('categoriesHint')}
        options={['*', ...CATEGORIES].map((code) => [code, words.category(code)])}
        ticked={categories}
        onTick={setCategories}
      />
      <details className="rounded-md border border-line bg-surface px-4">
        <summary className="min-h-11 cursor-pointer py-2.5 font-semibold text-accent">{t('more')}</summary>
        <div className="space-y-5 pb-4">
          <TickList
            legend={t('levels')}
            hint={t('levelsHint')}
            options={LEVELS.map((level) => [level, words.level(level)])}
            ticked={levels}
            onTick={setLevels}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <Field type="date" label={t('from')} value={dates.from} onType={(from) => setDates({ ...dates, from })} />
            <Field type="date" label={t('to')} value={dates.to} onType={(to) => setDates({ ...dates, to })} />
          </div>
          <Field
            label={t('most')}
            inputMode="numeric"
            autoComplete="off"
            value={dates.most}
            onType={(text) => setDates({ ...dates, most: text.trim() })}
          />
        </div>
      </details>
      <Select size="large" label={t('days')} value={days} onChange={({ target }) => setDays(target.value)}>
        {DAYS.map((count) => (
          <option key={count} value={count}>
            {t('count', { count })}
          </option>
        ))}
        {!typeRestriction(type, { intents: [], categories: [] }, false) && <option value="">{words.end(null)}</option>}
      </Select>
      <Field
        label={t('purpose')}
        hint={t('purposeHint')}
        value={purpose}
        onType={setPurpose}
        limit={MAX_PURPOSE}
        rows={3}
        autoComplete="off"
      />
      <Field
        label={t('reference')}
        hint={t('referenceHint')}
        value={reference}
        onType={setReference}
        limit={MAX_REFERENCE}
        autoComplete="off"
      />
      <RadioCards
        legend={t('who')}
        options={WHO.map((value) => ({ value, name: t(`whom.${value}.name`), what: t(`whom.${value}.what`) }))}
        chosen={who}
        onChoose={setWho}
      />
      {who === 'named' && (
        <Field
          label={t('person')}
          value={person}
          onType={setPerson}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      <Select size="large" label={t('valid')} value={valid} onChange={({ target }) => setValid(target.value)}>
        {VALID_DAYS.map((count) => (
          <option key={count} value={count}>
            {t('count', { count })}
          </option>
        ))}
      </Select>
      <div role="alert">
        {isChecked && missing && (
          <Alert tone="danger">
            <p>{t(`missing.${missing}`)}</p>
          </Alert>
        )}
      </div>
      <Refused failure={failure} />
      <Button type="submit" size="large" busy={isSending}>
        {t(isSending ? 'signing' : 'sign')}
      </Button>
    </form>
  );
}
