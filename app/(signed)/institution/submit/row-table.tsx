'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { Check, CircleAlert, TriangleAlert } from 'lucide-react';
import { useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { parseCollected } from '../../../../protocol/clinical/collected.ts';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { useDates } from '../../../_ui/use-dates.ts';
import { exactly } from '../../../_ui/value.ts';
import { offsetName } from '../../../_ui/zone.ts';
import { useBiomarkerNames } from './biomarker-field.tsx';
import { listedBiomarker } from './biomarkers.ts';
import { wasSentBefore } from './file-summary.ts';
import { showsTime } from './local-times.ts';
import type { CsvRow } from './read-csv.ts';
import type { RowProblem } from './row-problem.ts';
import { useProblemWords, useWarningWords } from './use-problem-words.ts';

const ESTIMATED_PX = 72;

type RowTableProps = {
  rows: readonly CsvRow[];
  isDone: (row: CsvRow) => boolean;
  /** Whether a column names the person of each row. */
  withPerson: boolean;
  references: ReadonlyMap<string, string>;
};

/** A virtual list of the rows of a file. */
export function RowTable({ rows, isDone, withPerson, references }: RowTableProps) {
  const t = useTranslations('institution.submit');
  const words = useProblemWords();
  const warningWords = useWarningWords();
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
          const { cells, problems, warnings, row: number, consent } = row;
          const name = listedBiomarker((cells.biomarker ?? '').trim().toUpperCase(), names)?.name;
          return (
            <li
              key={number}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 flex gap-4 border-b border-line px-4 py-2"
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className="w-16 shrink-0 text-sm text-muted tabular-nums">
                {t('sending.record', { row: number })}
              </span>
              <span className="min-w-0 grow break-words">
                {withPerson && (
                  <span className="block text-sm text-muted" translate="no">
                    {consent ? personOf(consent, references) : cells.patient}
                  </span>
                )}
                <span className="block font-semibold">
                  {name ?? cells.biomarker}{' '}
                  <span className="font-normal whitespace-nowrap text-muted">{name && cells.biomarker}</span>
                </span>
                <span className="block">
                  <Result row={row} />{' '}
                  <span className="text-muted">
                    · <CollectedAt written={cells.collected_at ?? ''} sent={String(row.record.collected_at)} />
                  </span>
                </span>
                {problems.map((problem) => (
                  <span key={words(problem)} className="mt-1 block font-semibold text-danger-ink">
                    {words(problem)}
                    {isAboutCode(problem) && <CatalogueLink code={null} />}
                  </span>
                ))}
                {warnings.map((warning) => (
                  <span key={warning.kind} className="mt-1 block font-semibold text-caution-ink">
                    {warningWords(warning)}
                    {(warning.kind === 'unit' || warning.kind === 'unlisted') && (
                      <CatalogueLink code={warning.kind === 'unit' ? String(row.record.biomarker) : null} />
                    )}
                  </span>
                ))}
              </span>
              <Verdict row={row} isDone={isDone(row)} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function personOf(
  { beo_id: id, beo_domain: domain }: NonNullable<CsvRow['consent']>,
  references: ReadonlyMap<string, string>,
) {
  const reference = references.get(id);
  return reference ? `${reference} · ${domain}` : domain;
}

const isAboutCode = (problem: RowProblem) => problem.kind === 'cell' && problem.problem === 'code';

/** Opens the catalogue in a new tab: this page holds what was read from the file. */
function CatalogueLink({ code }: { code: string | null }) {
  const t = useTranslations('institution.submit.warning');
  return (
    <>
      {' '}
      <LocalLink
        href={`/catalogue${code ? `#${code}` : ''}`}
        target="_blank"
        className={`${textLink} font-normal whitespace-nowrap`}
      >
        {t('catalogue')}
      </LocalLink>
    </>
  );
}

/** The value as it is sent; also as written in the file, where that is another text. */
function Result({ row: { record, cells, problems } }: { row: CsvRow }) {
  const t = useTranslations('institution.submit.preview');
  const written = (cells.value ?? '').trim();
  const isRead =
    record.value !== undefined && !problems.some((problem) => 'column' in problem && problem.column === 'value');
  const read = isRead ? exactly(record.value ?? null) : written;
  return (
    <>
      {read} {cells.unit}
      {read !== written && ` (${t('inFile', { time: written })})`}
    </>
  );
}

/** When a value was measured, with its zone; also as written in the file, where that shows another time. */
function CollectedAt({ written, sent }: { written: string; sent: string }) {
  const t = useTranslations('institution.submit.preview');
  const dates = useDates();
  const collected = parseCollected(sent);
  if (collected === null) return written;
  const { at, day } = collected;
  return (
    <>
      <time dateTime={sent}>{day === null ? `${dates.moment(at)} ${offsetName(at)}` : dates.day(day)}</time>
      {(day === null ? !showsTime(written, at) : written.trim() !== day) &&
        ` (${t('inFile', { time: written.trim() })})`}
    </>
  );
}

function Verdict({ row, isDone }: { row: CsvRow; isDone: boolean }) {
  const { problems, warnings } = row;
  const t = useTranslations('institution.submit.preview');
  const isBad = problems.length > 0;
  const isUnusual = !isBad && !isDone && warnings.length > 0;
  const Icon = isBad ? CircleAlert : isUnusual ? TriangleAlert : Check;
  return (
    <span className={clsx('shrink-0', isBad ? 'text-danger-ink' : isUnusual ? 'text-caution-ink' : 'text-accent')}>
      <Icon aria-hidden className="size-5" />
      <span className="sr-only">
        {t(isBad ? 'cannot' : isDone ? 'already' : wasSentBefore(row) ? 'before' : isUnusual ? 'look' : 'can')}
      </span>
    </span>
  );
}
