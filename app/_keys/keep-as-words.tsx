'use client';

import { CircleAlert, Printer } from 'lucide-react';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { plainWord } from '../../protocol/signing/plain-words.ts';
import { useFormats } from '../_i18n/use-formats.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { FormActions } from '../_ui/form-actions.tsx';
import { Screen } from '../_ui/screen.tsx';
import { WordsSkeleton } from '../_ui/skeletons.tsx';
import { BackButton } from './back-button.tsx';
import type { KeepingProps } from './keep-key.tsx';
import { KeyCard } from './key-card.tsx';
import { NumberedWords } from './numbered-words.tsx';
import { SECRET_WORDS, wordsOf } from './secret.ts';
import { twoPlaces } from './two-places.ts';
import { WordFields } from './word-fields.tsx';

/** Shows the 24 words to be written down or printed, then asks for two of them. */
export function KeepAsWords({ onChecked, onBack, ...keeping }: KeepingProps & { onChecked: () => void }) {
  const t = useTranslations('keys');
  const words = useWords(keeping.secret.bytes);
  const [places] = useState(() => twoPlaces(SECRET_WORDS));
  const [asking, setAsking] = useState(false);
  const { heading } = keeping;

  if (asking && Array.isArray(words)) {
    return (
      <AskTwo words={words} places={places} heading={heading} onRight={onChecked} onAgain={() => setAsking(false)} />
    );
  }
  return (
    <Screen key="write" title={t('write.title')} heading={heading} className="space-y-4">
      <p>{t('write.lead', { domain: keeping.beoDomain })}</p>
      {words === 'broken' && (
        <Alert tone="danger" title={t('brokenTitle')}>
          <p>{t('broken')}</p>
        </Alert>
      )}
      {words === null && <WordsSkeleton words={24} />}
      {Array.isArray(words) && (
        <>
          <NumberedWords
            words={words}
            label={t('write.list')}
            className="grid-cols-2 gap-x-6 rounded-lg border border-line bg-surface px-5 py-3 text-lg sm:grid-cols-3"
          />
          <p>{t('write.private')}</p>
          <KeyCard {...keeping} kept={{ kind: 'words', words }} />
          <FormActions>
            <Button size="large" onClick={() => setAsking(true)}>
              {t('write.written')}
            </Button>
            <Button look="secondary" size="large" onClick={() => window.print()}>
              <Printer aria-hidden />
              {t('write.print')}
            </Button>
          </FormActions>
          <p className="text-muted">{t('write.printHint')}</p>
        </>
      )}
      <BackButton label={t('anotherWay')} onBack={onBack} />
    </Screen>
  );
}

type AskTwoProps = {
  words: readonly string[];
  /** Indices into the words. */
  places: readonly number[];
  heading: 'h1' | 'h2';
  onRight: () => void;
  onAgain: () => void;
};

function AskTwo({ words, places, heading, onRight, onAgain }: AskTwoProps) {
  const t = useTranslations('keys');
  const format = useFormats();
  const id = useId();
  const [typed, setTyped] = useState<string[]>(() => places.map(() => ''));
  const [wrong, setWrong] = useState<{ kind: 'empty' | 'wrong'; fields: number[] } | null>(null);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const plain = typed.map(plainWord);
    const fields = (test: (word: string, place: number) => boolean) =>
      places.flatMap((place, field) => (test(plain[field] ?? '', place) ? [field] : []));
    const empty = fields((word) => word === '');
    const different = fields((word, place) => word !== words[place]);
    if (different.length === 0) return onRight();
    const found =
      empty.length > 0 ? { kind: 'empty' as const, fields: empty } : { kind: 'wrong' as const, fields: different };
    setWrong(found);
    form.querySelectorAll('input')[found.fields[0] ?? 0]?.focus();
  };

  const positions = (fields: readonly number[]) =>
    format.list(
      fields.map((field) => String((places[field] ?? 0) + 1)),
      { type: 'conjunction' },
    );

  return (
    <Screen key="ask" title={t('ask.title')} heading={heading}>
      <form onSubmit={submit} noValidate className="mt-4 space-y-4">
        <p>{t('ask.lead')}</p>
        <p className="text-muted">{t('ask.hint')}</p>
        <div role="alert">
          {wrong && (
            <p id={`${id}-wrong`} className="flex gap-2 font-semibold text-danger-ink">
              <CircleAlert aria-hidden className="mt-1 size-5 shrink-0" />
              <span>{t(`ask.${wrong.kind}`, { count: wrong.fields.length, positions: positions(wrong.fields) })}</span>
            </p>
          )}
        </div>
        <WordFields
          words={typed}
          onChange={setTyped}
          label={t('ask.title')}
          labelOf={(field) => t('word', { number: (places[field] ?? 0) + 1 })}
          wrong={wrong?.fields ?? []}
          errorId={wrong ? `${id}-wrong` : undefined}
        />
        <FormActions>
          <Button type="submit" size="large">
            {t('ask.check')}
          </Button>
          <Button look="secondary" size="large" onClick={onAgain}>
            {t('ask.again')}
          </Button>
        </FormActions>
      </form>
    </Screen>
  );
}

function useWords(entropy: Uint8Array): readonly string[] | 'broken' | null {
  const [words, setWords] = useState<readonly string[] | 'broken' | null>(null);

  useEffect(() => {
    let cancelled = false;
    wordsOf(entropy).then(
      (made) => cancelled || setWords(made),
      () => cancelled || setWords('broken'),
    );
    return () => {
      cancelled = true;
    };
  }, [entropy]);

  return words;
}
