'use client';

import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { CERT_LEVELS, type CertLevel, type IeoStatus, type IeoView } from '../../../protocol/ieo.ts';
import { CATEGORIES } from '../../../protocol/taxonomy.ts';
import { INTENTS } from '../../../protocol/token.ts';
import { Actions } from '../../_keys/actions.tsx';
import type { Failure } from '../../_trpc/failure.ts';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { type Day, daysUntil, endOf } from '../../_ui/days.ts';
import { useBrowser } from '../../_ui/now.ts';
import { useScopeWords } from '../../_ui/use-scope-words.ts';
import { FindInstitution } from './find-institution.tsx';
import { useHeldKey } from './held-key.tsx';
import { LevelChoice } from './level-choice.tsx';
import { TickList } from './tick-list.tsx';
import { Undecided } from './undecided.tsx';
import { useDecide } from './use-decide.ts';

const STATES: readonly IeoStatus[] = ['ACTIVE', 'LOCKED', 'SUSPENDED'];

type CertifyProps = { suffix: string; onDone: (sentence: string) => void };

/** One key certifies an institution, or withdraws its certification, at once. */
export function Certify({ suffix, onDone }: CertifyProps) {
  const t = useTranslations('institute');
  const isReady = useBrowser();
  const words = useScopeWords();
  const { key, forget } = useHeldKey();
  const decide = useDecide();
  const [institution, setInstitution] = useState<IeoView | null>(null);
  const [level, setLevel] = useState<CertLevel | null>(null);
  const [expires, setExpires] = useState<Day>('');
  const [categories, setCategories] = useState<readonly string[]>([]);
  const [intents, setIntents] = useState<readonly string[]>([]);
  const [sent, setSent] = useState(false);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const certifies = level !== null && level !== 'UNCERTIFIED';
  const badDay = certifies && expires !== '' && daysUntil(expires, Date.now()) === null;

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setSent(true);
    setFailure(null);
    if (!institution || !level || badDay || key === null || isSending) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setSending(true);
    const end = certifies ? endOf(expires) : null;
    const stated = certifies && {
      categories: CATEGORIES.filter((code) => categories.includes(code)),
      intents: INTENTS.filter((intent) => intents.includes(intent)),
      ...(end !== null && { expiresAt: new Date(end).toISOString() }),
    };
    const refused = await decide('updateCertification', { ieoId: institution.ieo_id, level, ...stated }, key);
    setSending(false);
    if (!refused) {
      const name = institution.display_name ?? institution.domain;
      return onDone(
        certifies ? t('certifying.done', { name, level: words.certLevel(level) }) : t('certifying.withdrawn', { name }),
      );
    }
    if (refused.code === 'INSTITUTE_KEY_INVALID') forget();
    setFailure(refused);
  };

  return (
    <form onSubmit={send} noValidate className="max-w-[46rem] space-y-7">
      <p>{t('certifying.lead')}</p>
      <FindInstitution
        suffix={suffix}
        states={STATES}
        chosen={institution}
        isMissing={sent && !institution}
        onChoose={setInstitution}
      />
      <LevelChoice
        levels={CERT_LEVELS}
        level={level}
        onLevel={setLevel}
        isMissing={sent && !level}
        expires={expires}
        onExpires={setExpires}
        isBadDay={sent && badDay}
      />
      {certifies && (
        <>
          <p>{t('certifying.scope')}</p>
          <TickList
            legend={t('certifying.intents')}
            hint={t('certifying.intentsHint')}
            options={INTENTS.map((intent) => [intent, words.intent(intent)])}
            ticked={intents}
            onTick={setIntents}
          />
          <TickList
            legend={t('certifying.categories')}
            hint={t('certifying.categoriesHint')}
            options={CATEGORIES.map((code) => [code, words.category(code)])}
            ticked={categories}
            onTick={setCategories}
          />
        </>
      )}
      <Undecided failure={failure} />
      {sent && key === null && !failure && (
        <div role="alert">
          <Alert tone="caution">
            <p>{t('key.first')}</p>
          </Alert>
        </div>
      )}
      <p role="status" className="empty:hidden">
        {isSending && t('certifying.sending')}
      </p>
      <Actions>
        <Button type="submit" size="large" disabled={!isReady} aria-disabled={isSending || undefined}>
          {t('certifying.send')}
        </Button>
      </Actions>
    </form>
  );
}
