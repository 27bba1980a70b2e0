'use client';

import { useTranslations } from 'use-intl/react';
import type { Day } from '../../../protocol/days.ts';
import type { CertLevel } from '../../../protocol/entities/ieo.ts';
import { Field } from '../../_ui/field.tsx';
import { RadioCards } from '../../_ui/radio-cards.tsx';
import { useScopeWords } from '../../_ui/use-scope-words.ts';

type LevelChoiceProps = {
  levels: readonly CertLevel[];
  level: CertLevel | null;
  onLevel: (level: CertLevel) => void;
  isMissing: boolean;
  expires: Day;
  onExpires: (day: Day) => void;
  isBadDay: boolean;
};

/** A certification level and its last day. */
export function LevelChoice(choice: LevelChoiceProps) {
  const { levels, level, onLevel, isMissing, expires, onExpires, isBadDay } = choice;
  const t = useTranslations('institute.propose');
  const words = useScopeWords();
  return (
    <>
      <RadioCards
        legend={t('level')}
        options={levels.map((value) =>
          value === 'UNCERTIFIED'
            ? { value, name: t('removeLevel'), what: t('removeLevelWhat') }
            : { value, name: words.certLevel(value) },
        )}
        chosen={level}
        error={isMissing ? t('noLevel') : undefined}
        onChoose={onLevel}
      />
      {level !== 'UNCERTIFIED' && (
        <Field
          type="date"
          label={t('expires')}
          hint={t('expiresHint')}
          error={isBadDay ? t('badDay') : undefined}
          value={expires}
          onType={onExpires}
        />
      )}
    </>
  );
}
