'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { Check, CircleAlert } from 'lucide-react';
import { useId, useMemo, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl/react';
import { parseTimestamp } from '../../../../protocol/time.ts';
import { Actions } from '../../../_keys/actions.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Screen } from '../../../_ui/screen.tsx';
import { useDates } from '../../../_ui/use-dates.ts';
import { useBiomarkerNames } from './biomarker-field.tsx';
import { listedBiomarker } from './biomarkers.ts';
import type { Rows } from './from-file.tsx';
import type { CsvRow } from './read-csv.ts';
import type { RowProblem } from './row-problem.ts';
import { useProblemWords } from './use-problem-words.ts';
import type { Item } from './use-sending.ts';

type PreviewProps = {
  read: Rows;
  accepted: ReadonlySet<string>;
  decimalComma: boolean;
  onDecimalComma: (decimalComma: boolean) => void;
  onAnother: () => void;
  onSend: (items: readonly Item[]) => void;
};

/** The rows of a file, before anything is sent. */
export function Preview({ read, accepted, decimalComma, onDecimalComma, onAnother, onSend }: PreviewProps) {
  const t = useTranslations('institution.submit');
  const format = useFormatter();
  const [onlyBad, setOnlyBad] = useState(false);
  const { rows, leftOut, commas } = read;
  const isDone = (row: CsvRow) => accepted.has(JSON.stringify(row.record));
  const bad = useMemo(() => rows.filter(({ problems }) => problems.length > 0), [rows]);
  const done = rows.filter((row) => row.problems.length === 0 && isDone(row));
  const good = rows.filter((row) => row.problems.length === 0 && !isDone(row));

  return (
    <Screen key="preview" title={t('preview.title')} className="space-y-4">
      <div role="status" className="space-y-1 text-lg">
        <p className="font-bold">{t('preview.good', { count: good.length })}</p>
        {done.length > 0 && <p>{t('preview.done', { count: done.length })}</p>}
        {bad.length > 0 && <p className="text-danger-ink">{t('preview.bad', { count: bad.length })}</p>}
      </div>
      {leftOut.length > 0 && (
        <Alert>
          <p>{t('preview.leftOut', { columns: format.list(leftOut, { type: 'unit' }) })}</p>
        </Alert>
      )}
      {commas && <Tick label={t('preview.comma')} checked={decimalComma} onChange={onDecimalComma} />}
      {bad.length > 0 && bad.length < rows.length && (
        <Tick label={t('preview.onlyBad')} checked={onlyBad} onChange={setOnlyBad} />
      )}
      <RowTable key={String(onlyBad)} rows={onlyBad ? bad : rows} isDone={isDone} />
      {bad.length > 0 && good.length > 0 && <p className="text-muted">{t('preview.partly')}</p>}
      <p className="text-muted">{t('whatHappens')}</p>
      <Actions>
        {good.length > 0 && (
          <Button size="large" onClick={() => onSend(good.map(({ row, record }) => ({ row, record })))}>
            {t('preview.send', { count: good.length })}
          </Button>
        )}
        <Button look="secondary" size="large" onClick={onAnother}>
          {t('file.another')}
        </Button>
      </Actions>
    </Screen>
  );
}

type TickProps = { label: string; checked: boolean; onChange: (checked: boolean) => void };

function Tick({ label, checked, onChange }: TickProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-2.5 size-6 shrink-0 cursor-pointer accent-accent"
      />
      <label htmlFor={id} className="min-h-11 cursor-pointer py-2">
        {label}
      </label>
    </div>
  );
}

const ESTIMATED_PX = 96;

/** A virtual list of the rows. */
function RowTable({ rows, isDone }: { rows: readonly CsvRow[]; isDone: (row: CsvRow) => boolean }) {
  const t = useTranslations('institution.submit');
  const words = useProblemWords();
  const names = useBiomarkerNames();
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ESTIMATED_PX,
    overscan: 8,
  });
  return (
    <section
      ref={frame}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
      aria-label={t('preview.table')}
      className="max-h-[32rem] overflow-y-auto rounded-lg border border-line bg-surface"
    >
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers */}
      <ol role="list" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const { cells, problems, row: number } = row;
          const name = listedBiomarker((cells.biomarker ?? '').trim().toUpperCase(), names)?.name;
          const isBad = problems.length > 0;
          return (
            <li
              key={number}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 flex gap-4 border-b border-line px-4 py-3"
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className="w-16 shrink-0 text-sm text-muted tabular-nums">
                {t('sending.record', { row: number })}
              </span>
              <span className="min-w-0 grow break-words">
                <span className="block font-semibold">
                  {name ?? cells.biomarker} <span className="font-normal text-muted">{name && cells.biomarker}</span>
                </span>
                <span className="block">
                  {cells.value} {cells.unit}{' '}
                  <span className="text-muted">
                    · <CollectedAt text={cells.collected_at ?? ''} isWrong={problems.some(isAboutTime)} />
                  </span>
                </span>
                {problems.map((problem) => (
                  <span key={words(problem)} className="mt-1 block font-semibold text-danger-ink">
                    {words(problem)}
                  </span>
                ))}
              </span>
              <Verdict isBad={isBad} isDone={isDone(row)} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const isAboutTime = (problem: RowProblem): boolean => problem.kind !== 'message' && problem.column === 'collected_at';

/** When a value was measured; with the text of the file where it cannot be parsed or is wrong. */
function CollectedAt({ text, isWrong }: { text: string; isWrong: boolean }) {
  const dates = useDates();
  const at = parseTimestamp(text.trim());
  if (at === null) return text;
  return (
    <>
      <time dateTime={text.trim()}>{dates.moment(at)}</time>
      {isWrong && ` (${text})`}
    </>
  );
}

function Verdict({ isBad, isDone }: { isBad: boolean; isDone: boolean }) {
  const t = useTranslations('institution.submit.preview');
  const Icon = isBad ? CircleAlert : Check;
  return (
    <span className={clsx('shrink-0', isBad ? 'text-danger-ink' : 'text-accent')}>
      <Icon aria-hidden className="size-5" />
      <span className="sr-only">{t(isBad ? 'cannot' : isDone ? 'already' : 'can')}</span>
    </span>
  );
}
