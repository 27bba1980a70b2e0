'use client';

import { type FormEvent, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useFormats } from '../_i18n/use-formats.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { FormActions } from '../_ui/form-actions.tsx';
import { type OpenedKey, openedKey, type Purpose, readWords, SECRET_WORDS, type WordsProblem } from './secret.ts';
import { WordFields } from './word-fields.tsx';

type OpenWordsFormProps = {
  purpose: Purpose;
  beoDomain: string;
  /** Null where any key will do. */
  expectedKey: string | null;
  onOpened: (key: OpenedKey) => void;
};

type Wrong = { readonly title?: string; readonly what: string; readonly fields: readonly number[] };

/** Asks for the 24 words, and reports the key if it is the expected one. */
export function OpenWordsForm({ purpose, beoDomain, expectedKey, onOpened }: OpenWordsFormProps) {
  const t = useTranslations('keys');
  const messages = useWordsMessages();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [words, setWords] = useState<string[]>(() => Array.from({ length: SECRET_WORDS }, () => ''));
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const [opening, setOpening] = useState(false);

  const refuse = (refusal: Wrong) => {
    setWrong(refusal);
    const [first] = refusal.fields;
    if (first !== undefined) form.current?.querySelectorAll('input')[first]?.focus();
  };

  const open = async () => {
    const missing = words.flatMap((word, index) => (word.trim() === '' ? [index] : []));
    if (missing.length > 0) return refuse(messages.missing(missing));
    const read = await readWords(words);
    if ('problem' in read) return refuse(messages.problem(read.problem));
    const key = await openedKey(read.entropy);
    if (expectedKey === null || key.publicKey === expectedKey) return onOpened(key);
    const what = t('problem.otherWords', { purpose, domain: beoDomain });
    refuse({ title: t('problem.otherKeyTitle'), what, fields: [] });
  };

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (opening) return;
    setWrong(null);
    setOpening(true);
    open()
      .catch(() => refuse({ title: t('brokenTitle'), what: t('broken'), fields: [] }))
      .finally(() => setOpening(false));
  };

  return (
    <form ref={form} onSubmit={send} noValidate className="space-y-5">
      <WordFields
        words={words}
        onChange={setWords}
        label={t('open.wordsList')}
        labelOf={(index) => t('word', { number: index + 1 })}
        wrong={wrong?.fields ?? []}
        errorId={wrong ? `${id}-wrong` : undefined}
      />
      <div>
        <div role="alert">
          {wrong && (
            <Alert tone="danger" title={wrong.title} className="mb-5">
              <p id={`${id}-wrong`}>{wrong.what}</p>
            </Alert>
          )}
        </div>
        <FormActions>
          <Button type="submit" size="large" aria-disabled={opening || undefined}>
            {t('open.wordsOpen')}
          </Button>
        </FormActions>
      </div>
    </form>
  );
}

/** The messages for words that are not a key. */
export function useWordsMessages() {
  const t = useTranslations('keys.problem');
  const format = useFormats();
  const listOf = (items: readonly string[]) => format.list(items, { type: 'conjunction' });

  const missing = (fields: readonly number[]): Wrong => ({
    what: t('missingWords', {
      count: fields.length,
      positions: listOf(fields.map((field) => String(field + 1))),
    }),
    fields,
  });

  const problem = (wordsProblem: WordsProblem): Wrong => {
    switch (wordsProblem.kind) {
      case 'count':
      case 'checksum':
        return { what: t('checksum'), fields: [] };
      case 'unknown':
        return {
          what: t('unknownWords', {
            count: wordsProblem.words.length,
            words: listOf(wordsProblem.words.map(({ position, typed }) => t('unknownWord', { position, typed }))),
          }),
          fields: wordsProblem.words.map(({ position }) => position - 1),
        };
    }
  };

  return { missing, problem };
}
