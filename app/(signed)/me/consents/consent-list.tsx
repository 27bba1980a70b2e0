'use client';

import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { LongList } from '../../../_ui/long-list.tsx';
import { ConsentCard } from './consent-card.tsx';

type ConsentListProps = {
  consents: readonly TokenView[];
  onWithdraw: (consent: TokenView, name: string) => void;
};

/** A virtual list of consents. */
export function ConsentList({ consents, onWithdraw }: ConsentListProps) {
  const t = useTranslations('consents');
  return (
    <LongList
      label={t('list')}
      items={consents}
      keyOf={({ token_id }) => token_id}
      usualHeight={160}
      gap={12}
      render={(consent, settled) => (
        <ConsentCard consent={consent} settled={settled} onWithdraw={(name) => onWithdraw(consent, name)} />
      )}
    />
  );
}
