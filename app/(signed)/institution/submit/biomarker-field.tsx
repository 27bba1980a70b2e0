'use client';

import { clsx } from 'clsx';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useBiomarkerName } from '../../../_i18n/biomarker-names.tsx';
import { useCategoryName } from '../../../_ui/category-name.tsx';
import { Field } from '../../../_ui/field.tsx';
import { findBiomarkers, type ListedBiomarker, listedBiomarker, type Names } from './biomarkers.ts';
import type { Cover } from './record-of-cells.ts';

type BiomarkerFieldProps = {
  id: string;
  /** A code, or the text typed so far. */
  value: string;
  cover: Cover;
  error: string | undefined;
  onType: (text: string) => void;
  onChoose: (biomarker: ListedBiomarker) => void;
};

const MAX_SUGGESTIONS = 8;

/** A biomarker, searched by name or code among those that a consent covers. Any other well-formed code can be typed. */
export function BiomarkerField({ id, value, cover, error, onType, onChoose }: BiomarkerFieldProps) {
  const t = useTranslations('institution.submit.field');
  const names = useBiomarkerNames();
  const listId = `${useId()}-list`;
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const chosen = listedBiomarker(value, names);
  const suggestions = open && !chosen ? findBiomarkers(value, cover.covers, MAX_SUGGESTIONS, names) : [];

  const choose = (biomarker: ListedBiomarker) => {
    setOpen(false);
    setActive(-1);
    onChoose(biomarker);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (suggestions.length === 0) return;
    const picked = suggestions[active];
    if (event.key === 'Enter' && picked) {
      event.preventDefault();
      choose(picked);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((active + step + suggestions.length + (active < 0 && step < 0 ? 1 : 0)) % suggestions.length);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      setOpen(false);
    }
  };

  return (
    <div className="relative">
      <Field
        id={id}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={suggestions.length > 0}
        aria-controls={listId}
        aria-activedescendant={suggestions[active] ? `${listId}-${active}` : undefined}
        label={t('biomarker')}
        hint={t('biomarkerHint')}
        error={error}
        value={value}
        onType={(text) => {
          setOpen(true);
          setActive(-1);
          onType(text);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={100}
      />
      <p role="status" className="mt-1 text-muted empty:hidden">
        {chosen?.name}
      </p>
      <div
        id={listId}
        role="listbox"
        aria-label={t('biomarker')}
        className={clsx(
          'absolute inset-x-0 z-10 mt-1 max-h-80 overflow-y-auto rounded-md border-2 border-edge bg-surface shadow-lg',
          suggestions.length === 0 && 'hidden',
        )}
      >
        {suggestions.map((biomarker, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and handles the keys
          <div
            key={biomarker.code}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(biomarker)}
            className={clsx(
              'min-h-11 cursor-pointer px-4 py-2',
              index === active ? 'bg-accent-soft' : 'hover:bg-sunken',
            )}
          >
            <span className="block font-semibold">{biomarker.name}</span>
            <span className="block text-sm text-muted">
              {biomarker.code}
              {biomarker.unit && ` · ${biomarker.unit}`}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** The names of biomarkers and categories in the language of the page. Needs the messages of `scope`. */
export const useBiomarkerNames = (): Names => ({ biomarker: useBiomarkerName(), category: useCategoryName() });
