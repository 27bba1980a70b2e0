'use client';

import { type ReactNode, useId, useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import type { DecimalMark } from '../../../../protocol/clinical/value.ts';
import { useFormats } from '../../../_i18n/use-formats.ts';
import type { LocalCodes } from '../../../_keys/local-codes.ts';
import { Button } from '../../../_ui/button.tsx';
import { useDates } from '../../../_ui/use-dates.ts';
import { offsetName } from '../../../_ui/zone.ts';
import { type CellReading, encodedCells, numberCells, timeCells } from './cell-readings.ts';
import type { LocalCode } from './code-table.ts';
import { DateOrderChoice, ZoneChoice } from './date-order-choice.tsx';
import { type DateOrder, needsOrder, needsZone } from './local-times.ts';
import type { Encoding, ParsedCsv, ReadRows } from './read-csv.ts';

const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-8 damaged': 'UTF-8',
  'utf-16': 'UTF-16',
  'windows-1252': 'Windows-1252',
} satisfies Record<Encoding, string>;

type FileReadingsProps = {
  parsed: ParsedCsv;
  encoding: Encoding;
  read: ReadRows;
  /** That was chosen or that the file proves; null where its numbers have one reading each, undefined where that is not chosen. */
  mark: DecimalMark | null | undefined;
  /** Null where it is asked as a question. */
  dateOrder: DateOrder | null;
  zone: string;
  /** The laboratory's own codes in the file, and its table of them. */
  local: readonly LocalCode[];
  table: LocalCodes;
  onCodes: () => void;
  onDateOrder: (order: DateOrder) => void;
  onZone: (zone: string) => void;
};

/** What was assumed to read a file, with three cells that show whether it is right. */
export function FileReadings({
  parsed,
  encoding,
  read,
  mark,
  dateOrder,
  zone,
  local,
  table,
  ...on
}: FileReadingsProps) {
  const t = useTranslations('institution.submit.preview');
  const format = useFormats();
  const id = useId();
  const dates = useDates();
  const { rows, leftOut, numericDays, localTimes } = read;
  const encoded = useMemo(() => encodedCells(parsed), [parsed]);
  const numbers = useMemo(() => numberCells(rows), [rows]);
  const days = useMemo(() => timeCells(rows, needsOrder), [rows]);
  const times = useMemo(() => timeCells(rows, needsZone), [rows]);
  const moment = (sent: string) => {
    const isDay = !sent.includes('T');
    return isDay ? dates.day(sent) : `${dates.moment(sent)} ${offsetName(Date.parse(sent))}`;
  };
  const isDoubtful = encoding === 'windows-1252' || encoding === 'utf-8 damaged';
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-surface px-4 py-1">
      <h3 id={id} className="sr-only">
        {t('readings')}
      </h3>
      <ul className="divide-y divide-line">
        <Assumption name={`${t('encoding.name')}: ${ENCODINGS[encoding]}`}>
          {isDoubtful && (
            <p className="font-semibold text-caution-ink">
              {t(encoding === 'windows-1252' ? 'encoding.windows' : 'encoding.damaged')}
            </p>
          )}
          <p translate="no">{encoded.join(' · ')}</p>
        </Assumption>
        {mark !== undefined && numbers.length > 0 && (
          <Assumption name={`${t('decimal.name')}: ${t(mark === null ? 'decimal.each' : `decimal.${MARKS[mark]}`)}`}>
            <Readings readings={numbers} show={String} />
          </Assumption>
        )}
        {numericDays && dateOrder !== null && (
          <Assumption choice={<DateOrderChoice value={dateOrder} onChange={on.onDateOrder} />}>
            <Readings readings={days} show={moment} />
          </Assumption>
        )}
        {localTimes && (
          <Assumption choice={<ZoneChoice value={zone} onChange={on.onZone} />}>
            <Readings readings={times} show={moment} />
          </Assumption>
        )}
        {local.length > 0 && <CodesAssumed local={local} table={table} onCodes={on.onCodes} />}
        {leftOut.length > 0 && (
          <Assumption name={t('leftOut')}>
            <p translate="no">{format.list(leftOut, { type: 'unit' })}</p>
          </Assumption>
        )}
      </ul>
    </section>
  );
}

/** How many of the laboratory's codes its table has, and the most frequent ones. */
function CodesAssumed({ local, table, onCodes }: Pick<FileReadingsProps, 'local' | 'table' | 'onCodes'>) {
  const t = useTranslations('institution.submit.codes');
  const dates = useDates();
  const known = local.filter(({ text }) => table.codes.has(text));
  return (
    <Assumption
      name={
        known.length > 0 && table.savedAt !== null
          ? t('mapped', { count: known.length, day: dates.day(table.savedAt) })
          : t('unmapped', { count: local.length })
      }
    >
      <Readings
        readings={known.slice(0, MAX_CODES).map(({ text }) => ({ written: text, read: table.codes.get(text) ?? null }))}
        show={String}
      />
      {known.length > 0 && known.length < local.length && (
        <p className="font-semibold text-danger-ink">{t('unmapped', { count: local.length - known.length })}</p>
      )}
      <Button look="secondary" onClick={onCodes}>
        {t('change')}
      </Button>
    </Assumption>
  );
}

const MAX_CODES = 3;

const MARKS = { '.': 'point', ',': 'comma' } as const;

type AssumptionProps = { name?: string; choice?: ReactNode; children: ReactNode };

function Assumption({ name, choice, children }: AssumptionProps) {
  return (
    <li className="grid items-center gap-x-6 gap-y-1 py-2.5 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      {choice ?? <p className="text-sm font-semibold">{name}</p>}
      <div className="min-w-0 space-y-1 text-sm wrap-anywhere empty:hidden">{children}</div>
    </li>
  );
}

/** Cells as they are in the file, each with what was read. */
function Readings({ readings, show }: { readings: readonly CellReading[]; show: (read: string) => string }) {
  const t = useTranslations('institution.submit.preview');
  return (
    <ul className="flex flex-wrap gap-x-6 tabular-nums" translate="no">
      {readings.map(({ written, read }) => (
        <li key={written}>
          {written} <span className="text-muted">= {read === null ? t('unread') : show(read)}</span>
        </li>
      ))}
    </ul>
  );
}
