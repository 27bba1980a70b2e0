'use client';

import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { useFormats } from '../../../_i18n/use-formats.ts';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { FormActions } from '../../../_ui/form-actions.tsx';
import { Screen } from '../../../_ui/screen.tsx';
import { AssignItem, AssignList } from './assign-list.tsx';
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
  const format = useFormats();
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
      <AssignList>
        {parsed.header.map((name, index) => (
          <AssignItem
            // biome-ignore lint/suspicious/noArrayIndexKey: headers may be empty or equal, and never move
            key={index}
            name={name.trim() || t('unnamed', { number: index + 1 })}
            note={<span translate="no">{examplesOf(parsed, index)}</span>}
            value={columnAt(mapping, index) ?? ''}
            onChange={(value) =>
              onMap(withColumn(mapping, index, FILE_COLUMNS.find((column) => column === value) ?? null))
            }
            none={t('unused')}
          >
            {FILE_COLUMNS.map((column) => (
              <option key={column} value={column}>
                {fields(column)}
              </option>
            ))}
          </AssignItem>
        ))}
      </AssignList>
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

/** The first values of a column. */
function examplesOf({ body }: ParsedCsv, index: number): string {
  const values = body.flatMap(({ texts }) => texts[index]?.trim() || []);
  return [...new Set(values)].slice(0, EXAMPLES).join(' · ');
}
