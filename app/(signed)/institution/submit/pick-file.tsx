'use client';

import { clsx } from 'clsx';
import { CircleAlert, Download, FileUp } from 'lucide-react';
import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { Progress } from '../../../_keys/progress.tsx';
import { Button } from '../../../_ui/button.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { saveFile } from '../../../_ui/save-file.ts';
import { Screen } from '../../../_ui/screen.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { csvTemplate } from './csv-template.ts';
import { FILE_COLUMNS, REQUIRED_COLUMNS } from './file-columns.ts';
import { type Csv, loadCsv } from './load-csv.ts';
import type { Encoding, ParsedCsv } from './read-csv.ts';

const MEGABYTE = 1024 * 1024;

type PickFileProps = {
  /** The person whom a file without a column for it is about. */
  person: TokenView | null;
  onParsed: (csv: Csv, parsed: ParsedCsv, encoding: Encoding) => void;
};

type Reading = { readonly error: string | null; readonly isReading: boolean };

/** Asks for a file, chosen or dropped, and parses it. */
export function PickFile({ person, onParsed }: PickFileProps) {
  const t = useTranslations('institution.submit.file');
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [{ error, isReading }, setReading] = useState<Reading>({ error: null, isReading: false });
  const [done, setDone] = useState(0);
  const reading = useRef<AbortController>(null);
  useEffect(() => () => reading.current?.abort(), []);
  const { isOver, zone } = useDropZone((file) => void pick(file));

  const problemIn = async (file: File, signal: AbortSignal): Promise<string | null> => {
    const csv = await loadCsv();
    if (file.size > csv.MAX_FILE_BYTES) return t('tooLarge', { size: csv.MAX_FILE_BYTES / MEGABYTE });
    const { parseInWorker } = await import('./parse-in-worker.ts');
    const read = await parseInWorker(file, setDone, signal);
    if ('problem' in read) return t(read.problem, { count: csv.MAX_ROWS });
    signal.throwIfAborted();
    onParsed(csv, read.parsed, read.encoding);
    return null;
  };

  const pick = async (file: File | undefined) => {
    if (!file) return;
    reading.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    reading.current = controller;
    setReading({ error: null, isReading: true });
    setDone(0);
    const problem = await problemIn(file, signal).catch(() => t('broken'));
    if (!problem || signal.aborted) return;
    setReading({ error: problem, isReading: false });
    input.current?.focus();
  };

  const stop = () => {
    reading.current?.abort();
    setReading({ error: null, isReading: false });
    if (input.current) input.current.value = '';
    input.current?.focus();
  };

  const required = ['patient', ...REQUIRED_COLUMNS];
  return (
    <Screen key="pick" title={t('title')} className="max-w-prose space-y-5">
      <p>{t('lead')}</p>
      {person && <p className="font-semibold">{t('onePerson', { domain: person.beo_domain ?? '' })}</p>}
      <div
        {...zone}
        className={clsx(
          'rounded-lg border-2 border-dashed p-5 text-center',
          isOver ? 'border-accent bg-accent-soft' : 'border-edge bg-surface',
        )}
      >
        <FileUp aria-hidden className="mx-auto size-8 text-muted" />
        <label htmlFor={id} className="mt-2 block text-lg font-bold">
          {t('pick')}
        </label>
        <p className="text-muted max-sm:hidden">{t('drop')}</p>
        <div role="alert">
          {error && (
            <p id={`${id}-error`} className="mt-2 flex justify-center gap-2 text-left font-semibold text-danger-ink">
              <CircleAlert aria-hidden className="mt-1 size-5 shrink-0" />
              <span className="min-w-0 break-words">{error}</span>
            </p>
          )}
        </div>
        <input
          ref={input}
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,.json,.ndjson,.fhir,text/csv,application/json,application/fhir+json"
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : `${id}-error`}
          onChange={(event) => void pick(event.target.files?.[0])}
          className="mt-3 block min-h-13 w-full cursor-pointer rounded-md border-2 border-edge bg-surface p-2 text-ink file:mr-4 file:min-h-9 file:cursor-pointer file:rounded-sm file:border-0 file:bg-sunken file:px-4 file:font-semibold file:text-ink hover:border-ink aria-invalid:border-danger-edge"
        />
        {isReading && (
          <div className="mt-3 space-y-3">
            <Progress doing={t('reading')} fraction={done} />
            <Button look="secondary" onClick={stop}>
              {t('stop')}
            </Button>
          </div>
        )}
      </div>
      <Button look="secondary" onClick={() => saveFile('perpetua-records.csv', 'text/csv', csvTemplate(new Date()))}>
        <Download aria-hidden />
        {t('template')}
      </Button>
      <details className="rounded-md border border-line px-4 py-2">
        <summary className="min-h-11 cursor-pointer py-2 font-semibold">{t('columnsTitle')}</summary>
        <dl className="space-y-3 pb-2">
          {(
            [
              ['needed', required],
              ['optional', FILE_COLUMNS.filter((column) => !required.includes(column))],
            ] as const
          ).map(([name, columns]) => (
            <div key={name}>
              <dt className="font-semibold">{t(name)}</dt>
              <dd className="font-mono text-sm break-words" translate="no">
                {columns.join(', ')}
              </dd>
            </div>
          ))}
        </dl>
        <p className="text-muted">{t('patient')}</p>
        <p className="text-muted">{t('time')}</p>
        <p>
          <LocalLink href="/catalogue" target="_blank" className={`${textLink} inline-flex min-h-11 items-center`}>
            {t('catalogue')}
          </LocalLink>
        </p>
      </details>
    </Screen>
  );
}

/** Takes a dropped file. A file that is dropped beside the zone is ignored, instead of replacing the page. */
function useDropZone(onFile: (file: File | undefined) => void) {
  const [isOver, setOver] = useState(false);

  useEffect(() => {
    const ignore = (event: Event) => event.preventDefault();
    addEventListener('dragover', ignore);
    addEventListener('drop', ignore);
    return () => {
      removeEventListener('dragover', ignore);
      removeEventListener('drop', ignore);
    };
  }, []);

  const zone = {
    onDragOver: () => setOver(true),
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      onFile(event.dataTransfer.files[0]);
    },
  };
  return { isOver, zone };
}
