'use client';

import { clsx } from 'clsx';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { plainWord, plainWords } from '../../protocol/signing/plain-words.ts';
import { useCombobox } from '../_ui/use-combobox.ts';
import { useWordList, type WordList } from './word-list.ts';

export type WordFieldsProps = {
  /** One text for each field; its length is the number of fields. */
  words: readonly string[];
  onChange: (words: string[]) => void;
  /** The label of a field, by its index: “Word 3”. */
  labelOf: (index: number) => string;
  /** The label of the group, for screen readers. */
  label: string;
  /** Indices of the words that are wrong. */
  wrong?: readonly number[];
  /** Id of the element with the error message. */
  errorId?: string | undefined;
  disabled?: boolean;
};

const MOST_OFFERED = 6;

/**
 * Numbered fields for words of the BIP-39 list, with completion. Enter accepts the highlighted suggestion; a space or an accepted one moves on;
 * several words pasted into one field fill it and those after it.
 */
export function WordFields({ words, onChange, labelOf, label, wrong = [], errorId, disabled }: WordFieldsProps) {
  const list = useWordList();
  const id = useId();
  const inputs = useRef<(HTMLInputElement | null)[]>([]);
  // Moving to another field blurs this one before React has rendered what was typed.
  const latest = useRef(words);
  latest.current = words;

  const goTo = (index: number) => inputs.current[Math.min(index, words.length - 1)]?.focus();

  const write = (index: number, written: readonly string[]) => {
    const next = latest.current.map((word, at) => written[at - index] ?? word);
    latest.current = next;
    onChange(next);
  };

  const type = (index: number, text: string) => {
    const typed = plainWords(text);
    if (typed.length === 0 || (typed.length === 1 && !/\p{Letter}\s$/u.test(text))) return write(index, [text]);
    const start = typed.length < words.length ? index : 0;
    write(
      start,
      typed.map((word) => completed(list, word)),
    );
    goTo(start + typed.length);
  };

  return (
    <fieldset
      aria-describedby={errorId}
      className={clsx('grid gap-x-4 gap-y-3', words.length > 2 ? 'grid-cols-2 sm:grid-cols-3' : 'sm:grid-cols-2')}
    >
      <legend className="sr-only">{label}</legend>
      {words.map((word, index) => (
        <WordField
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a field is
          key={index}
          ref={(input) => {
            inputs.current[index] = input;
          }}
          id={`${id}-${index}`}
          list={list}
          label={labelOf(index)}
          word={word}
          wrong={wrong.includes(index)}
          errorId={errorId}
          disabled={disabled}
          onType={(text) => type(index, text)}
          last={index + 1 === words.length}
          onChoose={(chosen) => write(index, [chosen])}
          onNext={() => goTo(index + 1)}
          onLeave={() => write(index, [completed(list, latest.current[index] ?? '')])}
        />
      ))}
    </fieldset>
  );
}

type WordFieldProps = {
  id: string;
  ref: (input: HTMLInputElement | null) => void;
  list: WordList | null;
  label: string;
  word: string;
  wrong: boolean;
  errorId: string | undefined;
  disabled: boolean | undefined;
  onType: (text: string) => void;
  onChoose: (word: string) => void;
  last: boolean;
  onNext: () => void;
  onLeave: () => void;
};

function WordField(field: WordFieldProps) {
  const { id, ref, list, label, word, wrong, errorId, disabled, last, onType, onChoose, onNext, onLeave } = field;
  const [open, setOpen] = useState(false);
  const offered = open ? offersFor(list, word) : [];
  const listId = `${id}-list`;

  const combobox = useCombobox({
    listId,
    count: offered.length,
    // The first suggestion is highlighted from the start, so that Enter accepts it.
    first: 0,
    onPick(index) {
      setOpen(false);
      onChoose(offered[index] ?? '');
      if (!last) onNext();
    },
    onClose: () => setOpen(false),
  });

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (combobox.takeKey(event) || event.key !== 'Enter' || last) return;
    event.preventDefault();
    onNext();
  };

  return (
    <div className="relative">
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold text-muted">
        {label}
      </label>
      <input
        ref={ref}
        id={id}
        type="text"
        {...combobox.input}
        aria-invalid={wrong || undefined}
        aria-describedby={wrong ? errorId : undefined}
        value={word}
        readOnly={disabled}
        onChange={(event) => {
          setOpen(true);
          combobox.restart();
          onType(event.target.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setOpen(false);
          onLeave();
        }}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint={last ? 'go' : 'next'}
        translate="no"
        lang="en"
        className="min-h-11 w-full min-w-0 rounded-md border-2 border-edge bg-surface px-3 text-lg text-ink hover:border-ink aria-invalid:border-danger-edge aria-invalid:bg-danger-soft"
      />
      <div
        id={listId}
        role="listbox"
        aria-label={label}
        lang="en"
        translate="no"
        hidden={offered.length === 0}
        className="absolute inset-x-0 top-full z-10 mt-1 overflow-hidden rounded-md border-2 border-edge bg-surface shadow-lg"
      >
        {offered.map((offer, index) => (
          <div
            key={offer}
            {...combobox.option(index)}
            className="flex min-h-11 cursor-pointer items-center px-3 text-lg hover:bg-accent-soft aria-selected:bg-accent-soft aria-selected:font-bold"
          >
            {offer}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Empty where the word is complete and no longer word begins with it. */
function offersFor(list: WordList | null, word: string): string[] {
  const all = list?.completions(word) ?? [];
  return all.length === 1 && all[0] === plainWord(word) ? [] : all.slice(0, MOST_OFFERED);
}

/** The only word that begins with the text, otherwise the text. */
function completed(list: WordList | null, typed: string): string {
  if (!list) return typed;
  if (list.isListWord(typed)) return plainWord(typed);
  const [only, ...others] = list.completions(typed);
  return only !== undefined && others.length === 0 ? only : typed.trim();
}
