'use client';

import { useTranslations } from 'use-intl/react';
import { parseCollected } from '../../protocol/clinical/collected.ts';
import type { BioRecord } from '../../protocol/records/record.ts';
import { useBiomarkerName } from '../_i18n/biomarker-names.tsx';
import { InterpretationFlag } from '../_ui/interpretation-flag.tsx';
import { ShownValue } from '../_ui/records/shown-value.tsx';
import { StatedRanges } from '../_ui/records/stated-ranges.tsx';
import { Table, TableCell, TableHead, TableRow } from '../_ui/table.tsx';
import { useDates } from '../_ui/use-dates.ts';
import { namesOf } from './comparison.ts';
import type { ViewedRecord } from './contents.ts';
import { type Person, whoseOf } from './people.ts';
import { PersonName } from './person-name.tsx';
import type { Verdict } from './verdict.ts';
import { VerdictCell } from './verdict-mark.tsx';

export interface Results {
  readonly records: readonly ViewedRecord[];
  /** By the index of the record. */
  readonly verdicts: readonly Verdict[];
  readonly people: readonly Person[];
}

type ResultTableProps = Omit<Results, 'records'> & {
  caption: string;
  /** What the first column shows: the times of one biomarker, the biomarkers of one visit, or both. */
  first: 'collected' | 'what' | 'both';
  /** What the heading says that the file calls the results. */
  inFile?: string | null;
  viewed: readonly ViewedRecord[];
};

/** Results with their flags, ranges, source and proof. */
export function ResultTable({ caption, first, inFile = null, viewed, verdicts, people }: ResultTableProps) {
  const t = useTranslations('records.table');
  const visit = useTranslations('records.visit');
  const opened = useTranslations('view.opened');
  const nameOf = useBiomarkerName();
  const collected = useCollected();
  const columns = [
    first === 'collected' ? t('collected') : visit('what'),
    t('value'),
    t('flag'),
    t('range'),
    t('source'),
  ];
  return (
    // Only texts that are made to break a page are wider than it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has the focus
    <div tabIndex={0} className="tabular:overflow-x-auto">
      <Table caption={caption} columns={columns}>
        {viewed.map((one) => {
          const { record } = one;
          const names = namesOf(one, nameOf);
          const isWithdrawn = record.status === 'SUPERSEDED';
          return (
            <TableRow key={record.record_id}>
              <TableHead>
                <span className="block not-tabular:wrap-anywhere" dir="auto">
                  {first === 'collected' ? collected(record) : names.name}
                </span>
                {first === 'both' && <span className="block text-sm font-normal">{collected(record)}</span>}
                {names.inFile !== inFile && <InFile name={names.inFile} />}
                <Whose viewed={one} people={people} />
              </TableHead>
              <TableCell label={t('value')} className="not-tabular:wrap-anywhere">
                {record.value === '' ? (
                  <span className="text-muted">{opened('noValue')}</span>
                ) : isWithdrawn ? (
                  <del className="text-muted">
                    <ShownValue record={record} />
                  </del>
                ) : (
                  <ShownValue record={record} />
                )}
                <Problems viewed={one} />
              </TableCell>
              <TableCell label={t('flag')}>
                {!isWithdrawn && record.value !== '' && <InterpretationFlag record={record} />}
              </TableCell>
              <TableCell
                label={t('range')}
                className={record.ref_range ? 'col-span-2 not-tabular:wrap-anywhere' : 'not-tabular:hidden'}
              >
                <StatedRanges record={record} />
              </TableCell>
              <TableCell label={t('source')} className="col-span-2">
                <VerdictCell verdict={verdicts[Number(record.record_id)]} stated={record.source.ieo_domain} />
              </TableCell>
            </TableRow>
          );
        })}
      </Table>
    </div>
  );
}

/** What the file calls a result, where the heading or the row has another name. */
export function InFile({ name }: { name: string | null }) {
  const t = useTranslations('view.read');
  return (
    name !== null && (
      <span className="block text-sm font-normal text-muted wrap-anywhere" dir="auto">
        {t('inFile', { name })}
      </span>
    )
  );
}

/** Whose a result is, where the head of the page does not say it. */
function Whose({ viewed, people }: { viewed: ViewedRecord; people: readonly Person[] }) {
  const t = useTranslations('view.opened');
  const person = whoseOf(viewed, people);
  if (person === null) return null;
  return (
    <span className="block text-sm">
      {person === 'unknown' ? (
        <span className="text-caution-ink">{t('unknown')}</span>
      ) : (
        <>
          {t('of')} <PersonName person={person} />
        </>
      )}
    </span>
  );
}

/** Why a result is to be read with care, and what else the file says about it. */
function Problems({ viewed: { problems, warnings, stated } }: { viewed: ViewedRecord }) {
  const t = useTranslations('view.read');
  const sentences = new Set([
    ...problems.flatMap((kind) => (kind === 'absent' ? [] : t(kind))),
    ...warnings.map(({ kind, detail }) => t(kind, { detail })),
    ...stated.map((text) => t('says', { text })),
  ]);
  return [...sentences].map((sentence) => (
    <span key={sentence} className="block text-sm text-caution-ink wrap-anywhere" dir="auto">
      {sentence}
    </span>
  ));
}

/** When a result was collected; the text of the file where it is no day and no instant. */
function useCollected(): (record: Pick<BioRecord, 'collected_at'>) => string {
  const dates = useDates();
  return ({ collected_at: text }) => (parseCollected(text) ? dates.moment(text) : text || '–');
}
