'use client';

import { clsx } from 'clsx';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useBiomarkerName } from '../../../_i18n/biomarker-names.tsx';
import { useCategoryName } from '../../../_ui/category-name.tsx';
import { Field } from '../../../_ui/field.tsx';
import { useCombobox } from '../../../_ui/use-combobox.ts';
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
  const chosen = listedBiomarker(value, names);
  const suggestions = open && !chosen ? findBiomarkers(value, cover.covers, MAX_SUGGESTIONS, names) : [];

  const close = () => setOpen(false);
  const combobox = useCombobox({
    listId,
    count: suggestions.length,
    first: -1,
    onPick(index) {
      close();
      if (suggestions[index]) onChoose(suggestions[index]);
    },
    onClose: close,
  });

  return (
    <div className="relative">
      <Field
        id={id}
        {...combobox.input}
        label={t('biomarker')}
        hint={t('biomarkerHint')}
        error={error}
        value={value}
        onType={(text) => {
          setOpen(true);
          combobox.restart();
          onType(text);
        }}
        onKeyDown={combobox.takeKey}
        onBlur={close}
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
          <div
            key={biomarker.code}
            {...combobox.option(index)}
            className="min-h-11 cursor-pointer px-4 py-2 hover:bg-sunken aria-selected:bg-accent-soft"
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
