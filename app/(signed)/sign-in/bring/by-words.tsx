'use client';

import { Building2, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { BackButton } from '../../../_keys/back-button.tsx';
import { Choice } from '../../../_keys/choice.tsx';
import { OpenWordsForm } from '../../../_keys/open-words-form.tsx';
import { type OpenedKey, wipe } from '../../../_keys/secret.ts';
import { type Owner, useOwnersOf } from '../../../_session/look-up.ts';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Name } from '../../../_ui/name.tsx';
import { Screen } from '../../../_ui/screen.tsx';

type ByWordsProps = { onFound: (owner: Owner, key: OpenedKey) => void; onBack: () => void };

type Search =
  | { readonly at: 'words' | 'none' }
  | { readonly at: 'several'; readonly owners: readonly Owner[]; readonly key: OpenedKey }
  | { readonly at: 'failed'; readonly failure: Failure };

/** Finds the identity of 24 words by their public key, for a person who does not know its name. */
export function ByWords({ onFound, onBack }: ByWordsProps) {
  const t = useTranslations('signIn.bring');
  const keys = useTranslations('keys');
  const ownersOf = useOwnersOf();
  const [search, setSearch] = useState<Search>({ at: 'words' });

  const find = async (key: OpenedKey) => {
    try {
      const [first, ...others] = await ownersOf(key.publicKey);
      if (first && others.length === 0) return onFound(first, key);
      if (first) return setSearch({ at: 'several', owners: [first, ...others], key });
      wipe(key);
      setSearch({ at: 'none' });
    } catch (error) {
      wipe(key);
      setSearch({ at: 'failed', failure: failureOf(error) });
    }
  };

  if (search.at === 'several') {
    const { owners, key } = search;
    return (
      <Screen key="several" title={t('words.several')} heading="h1" className="space-y-4">
        {owners.map((owner) => (
          <Choice
            key={owner.id}
            icon={owner.kind === 'holder' ? UserRound : Building2}
            name={<Name>{owner.domain}</Name>}
            what={t(`words.kind.${owner.kind}`)}
            onChoose={() => onFound(owner, key)}
          />
        ))}
        <BackButton
          label={keys('anotherWay')}
          onBack={() => {
            wipe(key);
            onBack();
          }}
        />
      </Screen>
    );
  }
  return (
    <Screen key="words" title={keys('open.wordsTitle')} heading="h1" className="space-y-4">
      <p>{t('words.lead')}</p>
      <div role="alert">
        {search.at === 'none' && (
          <Alert tone="caution" title={t('words.noneTitle')}>
            <p>{t('words.none')}</p>
          </Alert>
        )}
      </div>
      <Refused failure={search.at === 'failed' ? search.failure : null} />
      <OpenWordsForm purpose="holder" beoDomain="" expectedKey={null} onOpened={(key) => void find(key)} />
      <BackButton label={keys('anotherWay')} onBack={onBack} />
    </Screen>
  );
}
