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
  /** The records that were accepted already, as JSON. */
  taken: ReadonlySet<string>;
  onSend: (items: readonly Item[]) => void;
};

export type Rows = Extract<ReadCsv, { readonly rows: readonly CsvRow[] }>;

const MEGABYTE = 1024 * 1024;
const reader = () => import('./read-csv.ts');

/** Reads records from a CSV file in the browser, and shows them before anything is sent. */
export function FromFile({ cover, taken, onSend }: FromFileProps) {
  const [text, setText] = useState<string | null>(null);
  const [decimalComma, setDecimalComma] = useState(false);
  const [read, setRead] = useState<Rows | null>(null);

  const take = async (given: string, comma: boolean): Promise<Exclude<ReadCsv, Rows> | null> => {
    const { readCsv } = await reader();
    const found = readCsv(given, { decimalComma: comma, cover, now: Date.now() });
    if ('problem' in found) return found;
    setText(given);
    setDecimalComma(comma);
    setRead(found);
    return null;
  };

  if (!read || text === null) return <PickFile onText={(given) => take(given, false)} />;
  return (
    <Preview
      read={read}
      taken={taken}
      decimalComma={decimalComma}
      onDecimalComma={(comma) => void take(text, comma)}
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
  const [wrong, setWrong] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);

  useEffect(() => {
    reader().catch(() => {});
  }, []);

  const problemIn = async (file: File): Promise<string | null> => {
    const { MAX_FILE_BYTES, MAX_ROWS, textOfFile } = await reader();
    if (file.size > MAX_FILE_BYTES) return t('file.tooLarge', { size: MAX_FILE_BYTES / MEGABYTE });
    const found = await onText(textOfFile(new Uint8Array(await file.arrayBuffer())));
    if (!found) return null;
    if (found.problem !== 'columns') return t(`file.${found.problem}`, { count: MAX_ROWS });
    const { missing } = found;
    return t('file.columns', { count: missing.length, columns: format.list(missing, { type: 'unit' }) });
  };

  const pick = async (file: File | undefined) => {
    setWrong(null);
    if (!file) return;
    setReading(true);
    const problem = await problemIn(file).catch(() => t('file.broken'));
    setReading(false);
    setWrong(problem);
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
          {wrong && (
            <p id={`${id}-wrong`} className="mt-2 flex gap-2 font-semibold text-danger-ink">
              <CircleAlert aria-hidden className="mt-1 size-5 shrink-0" />
              <span className="min-w-0 break-words">{wrong}</span>
            </p>
          )}
        </div>
        <input
          ref={input}
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          aria-invalid={wrong !== null || undefined}
          aria-describedby={wrong === null ? undefined : `${id}-wrong`}
          onChange={(event) => void pick(event.target.files?.[0])}
          className="mt-3 block min-h-13 w-full cursor-pointer rounded-md border-2 border-edge bg-surface p-2 text-ink file:mr-4 file:min-h-9 file:cursor-pointer file:rounded-sm file:border-0 file:bg-sunken file:px-4 file:font-semibold file:text-ink hover:border-ink aria-invalid:border-danger-edge"
        />
      </div>
      <p role="status">{isReading && t('file.reading')}</p>
    </Screen>
  );
}
