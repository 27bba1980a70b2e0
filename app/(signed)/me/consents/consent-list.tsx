'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { LongList } from '../../../_ui/long-list.tsx';
import { ConsentRow } from './consent-row.tsx';

type ConsentListProps = {
  consents: readonly TokenView[];
  onWithdraw: (consent: TokenView, name: string) => void;
};

/** A virtual list of consents: rows, of which those stay open that the reader opened. */
export function ConsentList({ consents, onWithdraw }: ConsentListProps) {
  const t = useTranslations('consents');
  const [now] = useState(() => Date.now());
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set());
  return (
    <LongList
      label={t('list')}
      items={consents}
      keyOf={({ token_id }) => token_id}
      usualHeight={68}
      gap={6}
      render={(consent, settled) => (
        <ConsentRow
          consent={consent}
          settled={settled}
          isOpen={open.has(consent.token_id)}
          onOpen={(isOpen) =>
            setOpen((before) => {
              const others = [...before].filter((tokenId) => tokenId !== consent.token_id);
              return new Set(isOpen ? [...others, consent.token_id] : others);
            })
          }
          onWithdraw={(name) => onWithdraw(consent, name)}
          now={now}
        />
      )}
    />
  );
}
