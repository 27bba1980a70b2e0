'use client';

import { clsx } from 'clsx';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useBiomarkerName } from '../../../_i18n/biomarker-names.tsx';
import { useCategoryName } from '../../../_ui/category-name.tsx';
import { Field } from '../../../_ui/field.tsx';
import { findBiomarkers, type Listed, listedBiomarker, type Names } from './biomarkers.ts';
import type { Cover } from './record-of-cells.ts';

type BiomarkerFieldProps = {
  id: string;
  /** A code, or the text typed so far. */
  value: string;
  cover: Cover;
  error: string | undefined;
  onType: (text: string) => void;
  onChoose: (biomarker: Listed) => void;
};

const MOST_OFFERED = 8;

/** A biomarker, searched by name or code among those that a consent covers. Any other well-formed code can be typed. */
export function BiomarkerField({ id, value, cover, error, onType, onChoose }: BiomarkerFieldProps) {
  const t = useTranslations('institution.submit.field');
  const names = useBiomarkerNames();
  const listId = `${useId()}-list`;
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const chosen = listedBiomarker(value, names);
  const offered = open && !chosen ? findBiomarkers(value, cover.covers, MOST_OFFERED, names) : [];

  const choose = (biomarker: Listed) => {
    setOpen(false);
    setActive(-1);
    onChoose(biomarker);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (offered.length === 0) return;
    const picked = offered[active];
    if (event.key === 'Enter' && picked) {
      event.preventDefault();
      choose(picked);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((active + step + offered.length + (active < 0 && step < 0 ? 1 : 0)) % offered.length);
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
        aria-expanded={offered.length > 0}
        aria-controls={listId}
        aria-activedescendant={offered[active] ? `${listId}-${active}` : undefined}
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
          offered.length === 0 && 'hidden',
        )}
      >
        {offered.map((biomarker, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input holds the focus and answers the keys
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
