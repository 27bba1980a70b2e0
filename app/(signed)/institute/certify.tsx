'use client';

import { useTranslations } from 'use-intl/react';
import { CERT_LEVELS, type IeoStatus } from '../../../protocol/entities/ieo.ts';
import { INTENTS } from '../../../protocol/entities/intents.ts';
import { CATEGORIES } from '../../../protocol/records/taxonomy.ts';
import { TickList } from '../../_ui/tick-list.tsx';
import { useScopeWords } from '../../_ui/use-scope-words.ts';
import { certificationBody, certifies, hasInvalidEnd } from './certification-draft.ts';
import { CertificationReview } from './certification-review.tsx';
import { DecisionForm } from './decision-form.tsx';
import { FindInstitution } from './find-institution.tsx';
import { LevelChoice } from './level-choice.tsx';
import { useKeptCertification } from './use-kept-certification.ts';

const STATUSES: readonly IeoStatus[] = ['ACTIVE', 'LOCKED', 'SUSPENDED'];

type CertifyProps = {
  suffix: string;
  /** Whether the draft is a renewal, which only has to be checked. */
  isRenewal: boolean;
  onDone: (sentence: string) => void;
};

/** Certifies an institution, or withdraws its certification; one key suffices. */
export function Certify({ suffix, isRenewal, onDone }: CertifyProps) {
  const t = useTranslations('institute');
  const words = useScopeWords();
  const [draft, change] = useKeptCertification();
  const { institution, level, expires, categories, intents } = draft;

  const done = () => {
    const name = institution?.display_name ?? institution?.domain ?? '';
    onDone(certifies(level) ? t('certifying.done', { name, level }) : t('certifying.withdrawn', { name }));
  };

  return (
    <DecisionForm
      operation="updateCertification"
      body={() => certificationBody(draft, Date.now())}
      review={{ title: t('review.title'), show: () => <CertificationReview draft={draft} /> }}
      send={t('certifying.send')}
      sending={t('certifying.sending')}
      isComplete={isRenewal}
      onDone={done}
    >
      {(checked) => (
        <>
          <p>{t('certifying.lead')}</p>
          <FindInstitution
            suffix={suffix}
            statuses={STATUSES}
            chosen={institution}
            isMissing={checked && !institution}
            onChoose={(chosen) => change({ institution: chosen })}
          />
          <LevelChoice
            levels={CERT_LEVELS}
            level={level}
            onLevel={(chosen) => change({ level: chosen })}
            isMissing={checked && !level}
            expires={expires}
            onExpires={(day) => change({ expires: day })}
            isBadDay={checked && hasInvalidEnd(level, expires, Date.now())}
          />
          {certifies(level) && (
            <>
              <p>{t('certifying.scope')}</p>
              <TickList
                legend={t('certifying.intents')}
                hint={t('certifying.intentsHint')}
                options={INTENTS.map((intent) => [intent, words.intent(intent)])}
                ticked={intents}
                onTick={(ticked) => change({ intents: ticked })}
              />
              <TickList
                legend={t('certifying.categories')}
                hint={t('certifying.categoriesHint')}
                options={CATEGORIES.map((code) => [code, words.category(code)])}
                ticked={categories}
                onTick={(ticked) => change({ categories: ticked })}
              />
            </>
          )}
        </>
      )}
    </DecisionForm>
  );
}
