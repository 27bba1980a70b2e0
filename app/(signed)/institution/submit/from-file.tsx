'use client';

import { CircleAlert, Download } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl/react';
import { Button } from '../../../_ui/button.tsx';
import { Screen } from '../../../_ui/screen.tsx';
import { saveFile } from '../save-file.ts';
import { csvTemplate } from './csv-template.ts';
import { Preview } from './preview.tsx';
import type { CsvRow, ReadCsv } from './read-csv.ts';
import { COLUMNS, REQUIRED_COLUMNS } from './record-columns.ts';
import type { Cover } from './record-of-cells.ts';
import type { Item } from './use-sending.ts';

type FromFileProps = {
  cover: Cover;
  /** The records that were already accepted, as JSON. */
  accepted: ReadonlySet<string>;
  onSend: (items: readonly Item[]) => void;
};

export type Rows = Extract<ReadCsv, { readonly rows: readonly CsvRow[] }>;

const MEGABYTE = 1024 * 1024;
const loadCsvReader = () => import('./read-csv.ts');

/** Reads records from a CSV file in the browser, and shows them before anything is sent. */
export function FromFile({ cover, accepted, onSend }: FromFileProps) {
  const [text, setText] = useState<string | null>(null);
  const [decimalComma, setDecimalComma] = useState(false);
  const [read, setRead] = useState<Rows | null>(null);

  const readText = async (newText: string, comma: boolean): Promise<Exclude<ReadCsv, Rows> | null> => {
    const { readCsv } = await loadCsvReader();
    const result = readCsv(newText, { decimalComma: comma, cover, now: Date.now() });
    if ('problem' in result) return result;
    setText(newText);
    setDecimalComma(comma);
    setRead(result);
    return null;
  };

  if (!read || text === null) return <PickFile onText={(picked) => readText(picked, false)} />;
  return (
    <Preview
      read={read}
      accepted={accepted}
      decimalComma={decimalComma}
      onDecimalComma={(comma) => void readText(text, comma)}
      onAnother={() => setRead(null)}
      onSend={onSend}
    />
  );
}

type PickFileProps = { onText: (text: string) => Promise<Exclude<ReadCsv, Rows> | null> };

function PickFile({ onText }: PickFileProps) {
  const t = useTranslations('institution.submit');
  const format = useFormatter();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);

  useEffect(() => {
    loadCsvReader().catch(() => {});
  }, []);

  const problemIn = async (file: File): Promise<string | null> => {
    const { MAX_FILE_BYTES, MAX_ROWS, textOfFile } = await loadCsvReader();
    if (file.size > MAX_FILE_BYTES) return t('file.tooLarge', { size: MAX_FILE_BYTES / MEGABYTE });
    const failed = await onText(textOfFile(new Uint8Array(await file.arrayBuffer())));
    if (!failed) return null;
    if (failed.problem !== 'columns') return t(`file.${failed.problem}`, { count: MAX_ROWS });
    const { missing } = failed;
    return t('file.columns', { count: missing.length, columns: format.list(missing, { type: 'unit' }) });
  };

  const pick = async (file: File | undefined) => {
    setError(null);
    if (!file) return;
    setReading(true);
    const problem = await problemIn(file).catch(() => t('file.broken'));
    setReading(false);
    setError(problem);
    if (problem) input.current?.focus();
  };

  const optional = COLUMNS.filter((column) => !REQUIRED_COLUMNS.some((required) => required === column));
  return (
    <Screen key="pick" title={t('file.title')} className="max-w-prose space-y-5">
      <p>{t('file.lead')}</p>
      <dl className="space-y-3">
        {(
          [
            ['needed', REQUIRED_COLUMNS],
            ['optional', optional],
          ] as const
        ).map(([name, columns]) => (
          <div key={name}>
            <dt className="font-semibold">{t(`file.${name}`)}</dt>
            <dd className="font-mono text-sm break-words" translate="no">
              {columns.join(', ')}
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-muted">{t('file.time')}</p>
      <Button look="secondary" onClick={() => saveFile('perpetua-records.csv', 'text/csv', csvTemplate(new Date()))}>
        <Download aria-hidden />
        {t('file.template')}
      </Button>
      <div>
        <label htmlFor={id} className="block text-lg font-bold">
          {t('file.pick')}
        </label>
        <div role="alert">
          {error && (
            <p id={`${id}-error`} className="mt-2 flex gap-2 font-semibold text-danger-ink">
              <CircleAlert aria-hidden className="mt-1 size-5 shrink-0" />
              <span className="min-w-0 break-words">{error}</span>
            </p>
          )}
        </div>
        <input
          ref={input}
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : `${id}-error`}
          onChange={(event) => void pick(event.target.files?.[0])}
          className="mt-3 block min-h-13 w-full cursor-pointer rounded-md border-2 border-edge bg-surface p-2 text-ink file:mr-4 file:min-h-9 file:cursor-pointer file:rounded-sm file:border-0 file:bg-sunken file:px-4 file:font-semibold file:text-ink hover:border-ink aria-invalid:border-danger-edge"
        />
      </div>
      <p role="status">{isReading && t('file.reading')}</p>
    </Screen>
  );
}
