'use client';

import { useId, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { FormActions } from '../../../_ui/form-actions.tsx';
import { Screen } from '../../../_ui/screen.tsx';
import { FILE_COLUMNS } from './file-columns.ts';
import { columnAt, isComplete, type Mapping, missingIn, withColumn } from './map-columns.ts';
import type { ParsedCsv } from './read-csv.ts';

const EXAMPLES = 3;

type MapColumnsProps = {
  parsed: ParsedCsv;
  mapping: Mapping;
  /** The person whom a file without a column for it is about. */
  person: TokenView | null;
  onMap: (mapping: Mapping) => void;
  onDone: () => void;
  onAnother: () => void;
};

/** Assigns the columns of a file to those of a record. */
export function MapColumns({ parsed, mapping, person, onMap, onDone, onAnother }: MapColumnsProps) {
  const t = useTranslations('institution.submit.mapping');
  const fields = useTranslations('institution.submit.field');
  const format = useFormatter();
  const isAboutOne = person !== null;
  const message = useRef<HTMLDivElement>(null);
  const [isRefused, setRefused] = useState(false);
  const missing = [
    ...(isAboutOne || mapping.patient !== undefined ? [] : (['patient'] as const)),
    ...missingIn(mapping),
  ].map((column) => fields(column));

  const proceed = () => {
    if (isComplete(mapping, isAboutOne)) return onDone();
    setRefused(true);
    message.current?.focus();
  };

  return (
    <Screen key="columns" title={t('title')} className="max-w-prose space-y-5">
      <p>{t('lead')}</p>
      {person && mapping.patient === undefined && (
        <p className="font-semibold">{t('onePerson', { domain: person.beo_domain ?? '' })}</p>
      )}
      <ul className="space-y-3">
        {parsed.header.map((name, index) => (
          <FileColumn
            // biome-ignore lint/suspicious/noArrayIndexKey: headers may be empty or equal, and never move
            key={index}
            name={name.trim() || t('unnamed', { number: index + 1 })}
            examples={examplesOf(parsed, index)}
            value={columnAt(mapping, index) ?? ''}
            onChange={(value) =>
              onMap(withColumn(mapping, index, FILE_COLUMNS.find((column) => column === value) ?? null))
            }
          />
        ))}
      </ul>
      <div ref={message} role="status" tabIndex={-1}>
        {missing.length > 0 && (
          <Alert tone={isRefused ? 'danger' : 'caution'}>
            <p>{t('missing', { count: missing.length, columns: format.list(missing, { type: 'unit' }) })}</p>
          </Alert>
        )}
      </div>
      <FormActions>
        <Button size="large" onClick={proceed}>
          {t('done')}
        </Button>
        <Button look="secondary" size="large" onClick={onAnother}>
          {t('another')}
        </Button>
      </FormActions>
    </Screen>
  );
}

type FileColumnProps = {
  name: string;
  examples: string;
  value: string;
  onChange: (value: string) => void;
};

function FileColumn({ name, examples, value, onChange }: FileColumnProps) {
  const t = useTranslations('institution.submit.mapping');
  const fields = useTranslations('institution.submit.field');
  const id = useId();
  return (
    <li className="grid items-center gap-x-4 gap-y-1 rounded-md border border-line bg-surface px-4 py-2 sm:grid-cols-2">
      <label htmlFor={id} className="min-w-0">
        <span className="block font-semibold break-words" translate="no">
          {name}
        </span>
        <span className="block truncate text-sm text-muted" translate="no">
          {examples}
        </span>
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="min-h-11 w-full min-w-0 rounded-md border-2 border-edge bg-surface px-2 text-ink hover:border-ink"
      >
        <option value="">{t('unused')}</option>
        {FILE_COLUMNS.map((column) => (
          <option key={column} value={column}>
            {fields(column)}
          </option>
        ))}
      </select>
    </li>
  );
}

/** The first values of a column. */
function examplesOf({ body }: ParsedCsv, index: number): string {
  const values = body.flatMap(({ texts }) => texts[index]?.trim() || []);
  return [...new Set(values)].slice(0, EXAMPLES).join(' · ');
}
