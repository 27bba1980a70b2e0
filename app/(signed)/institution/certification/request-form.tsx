'use client';

import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ASKED_LEVELS, type CertLevel, type IeoView, MAX_GROUNDS } from '../../../../protocol/entities/ieo.ts';
import { INTENTS } from '../../../../protocol/entities/intents.ts';
import { CATEGORIES } from '../../../../protocol/records/taxonomy.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import type { Failure } from '../../../_trpc/failure.ts';
import { Refused } from '../../../_trpc/refused.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Field } from '../../../_ui/field.tsx';
import { RadioCards } from '../../../_ui/radio-cards.tsx';
import { TickList } from '../../../_ui/tick-list.tsx';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';
import type { OwnRequest } from './use-certification-request.ts';

export type Asked = Pick<IeoView, 'ieo_id' | 'status' | 'certification'>;

type RequestFormProps = {
  institution: Asked;
  /** The request that this one replaces. */
  before: OwnRequest | null;
  isSending: boolean;
  failure: Failure | null;
  onSend: (fields: Readonly<Record<string, Json>>) => Promise<void>;
};

/** Level, purposes, data and what proves them; begins with the last request, else with the present certification. */
export function RequestForm({ institution, before, isSending, failure, onSend }: RequestFormProps) {
  const t = useTranslations('institution.certification.ask');
  const words = useScopeWords();
  const begun = before ?? institution.certification;
  const [level, setLevel] = useState<CertLevel | null>(begun.level === 'UNCERTIFIED' ? null : begun.level);
  const [intents, setIntents] = useState<readonly string[]>(begun.intents);
  const [categories, setCategories] = useState<readonly string[]>(begun.categories);
  const [grounds, setGrounds] = useState(before?.grounds ?? '');
  const [isChecked, setChecked] = useState(false);
  const isMissing = grounds.trim() === '';

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending) return;
    const form = event.currentTarget;
    setChecked(true);
    if (!level || isMissing) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    await onSend({
      level,
      intents: INTENTS.filter((intent) => intents.includes(intent)),
      categories: CATEGORIES.filter((code) => categories.includes(code)),
      grounds: grounds.trim(),
    });
  };

  return (
    <form onSubmit={submit} noValidate className="space-y-7">
      <p>{t('lead')}</p>
      <RadioCards
        legend={t('level')}
        options={ASKED_LEVELS.map((value) => ({ value, name: words.certLevel(value) }))}
        chosen={level}
        error={isChecked && !level ? t('noLevel') : undefined}
        onChoose={setLevel}
      />
      <TickList
        legend={t('intents')}
        hint={t('intentsHint')}
        options={INTENTS.map((intent) => [intent, words.intent(intent)])}
        ticked={intents}
        onTick={setIntents}
      />
      <TickList
        legend={t('categories')}
        hint={t('categoriesHint')}
        options={CATEGORIES.map((code) => [code, words.category(code)])}
        ticked={categories}
        onTick={setCategories}
      />
      <Field
        label={t('grounds')}
        hint={t('groundsHint')}
        error={isChecked && isMissing ? t('noGrounds') : undefined}
        value={grounds}
        onType={setGrounds}
        limit={MAX_GROUNDS}
        rows={5}
        autoComplete="off"
      />
      <Refused failure={failure} />
      <Button type="submit" size="large" busy={isSending}>
        {t(isSending ? 'sending' : 'send')}
      </Button>
    </form>
  );
}
