'use client';

import { clsx } from 'clsx';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { DecimalMark } from '../../../../protocol/clinical/value.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import type { LocalCodes } from '../../../_keys/local-codes.ts';
import { Progress } from '../../../_keys/progress.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { FormActions } from '../../../_ui/form-actions.tsx';
import { Screen } from '../../../_ui/screen.tsx';
import { useDates } from '../../../_ui/use-dates.ts';
import { twoDates } from './cell-readings.ts';
import type { LocalCode } from './code-table.ts';
import { deviceZone } from './date-order-choice.tsx';
import { FileReadings } from './file-readings.tsx';
import { peopleIn, type RowFilter, rowsShown, summaryOf, type Unreachable, wasSentBefore } from './file-summary.ts';
import type { LeftRow } from './left-rows.ts';
import { LeftRows } from './left-rows-part.tsx';
import type { Csv } from './load-csv.ts';
import { type DateOrder, provenOrder } from './local-times.ts';
import type { Mapping } from './map-columns.ts';
import type { CsvRow, Encoding, ParsedCsv, TwoReadings } from './read-csv.ts';
import { ReadingChoice } from './reading-choice.tsx';
import { type Received, recipientOf, recipientsIn } from './recipients.ts';
import { RowFilters } from './row-filter.tsx';
import { RowTable } from './row-table.tsx';
import type { SentFile } from './sending.tsx';
import { useProblemWords, useWarningWords } from './use-problem-words.ts';
import { useReadRows } from './use-read-rows.ts';
import type { WasSent } from './use-sent-before.ts';
import type { Item, SendingState } from './use-submission-sending.ts';

type PreviewProps = Pick<SendingState, 'isDone'> & {
  wasSent: WasSent;
  csv: Csv;
  parsed: ParsedCsv;
  encoding: Encoding;
  mapping: Mapping;
  /** The laboratory's own codes in the file, and its table of them. */
  local: readonly LocalCode[];
  table: LocalCodes;
  received: Received;
  /** The person whom the rows are about where no column names one. */
  person: TokenView | null;
  onColumns: () => void;
  onCodes: () => void;
  onAnother: () => void;
  onSend: SendRows;
};

/** Sends rows; the file and the rows that are held back are shown beside the result. */
export type SendRows = (items: readonly Item[], file: SentFile) => void;

type Choices = {
  /** Null while the person has not said what values with two readings mean. */
  readonly mark: DecimalMark | null;
  /** Null while the person has not said what bounds of ranges with two readings mean. */
  readonly rangeMark: DecimalMark | null;
  readonly dateOrder: DateOrder;
  readonly zone: string;
  /** Whether rows with warnings are submitted too. */
  readonly withUnusual: boolean;
  /** Whether rows that were sent from this browser before are submitted again. */
  readonly withSentBefore: boolean;
  readonly filter: RowFilter;
};

/** The rows of a file, before anything is sent. */
export function Preview({
  csv,
  parsed,
  encoding,
  mapping,
  local,
  table,
  received,
  person,
  isDone,
  wasSent,
  ...on
}: PreviewProps) {
  const t = useTranslations('institution.submit.preview');
  const common = useTranslations('institution.submit');
  const dates = useDates();
  const times = useMemo(
    () => parsed.body.map(({ texts }) => texts[mapping.collected_at ?? -1] ?? ''),
    [parsed, mapping.collected_at],
  );
  const proved = useMemo(() => provenOrder(times), [times]);
  const [choices, setChoices] = useState<Choices>(() => ({
    mark: null,
    rangeMark: null,
    dateOrder: proved,
    zone: deviceZone(),
    withUnusual: false,
    withSentBefore: false,
    filter: 'all',
  }));
  const { dateOrder, withUnusual, withSentBefore, filter } = choices;
  const mark = useDeferredValue(choices.mark);
  const rangeMark = useDeferredValue(choices.rangeMark);
  const order = useDeferredValue(dateOrder);
  const zone = useDeferredValue(choices.zone);
  const { open, openRanges, proven } = useMemo(() => csv.numberMarks(parsed, mapping), [csv, parsed, mapping]);
  const undecided = useMemo(() => (proved === 'iso' ? twoDates(times, zone) : []), [proved, times, zone]);
  const shownDate = (read: string | null) => {
    if (read === null) return t('unread');
    return read.includes('T') ? dates.moment(read) : dates.day(read);
  };
  const questions =
    (open.length > 0 && choices.mark === null ? 1 : 0) +
    (openRanges.length > 0 && choices.rangeMark === null ? 1 : 0) +
    (undecided.length > 0 && dateOrder === 'iso' ? 1 : 0);
  const options = useMemo(() => {
    const inColumn = recipientsIn(received);
    const onePerson = recipientOf(person ? [person] : [], received);
    const recipient = mapping.patient === undefined ? () => onePerson : inColumn;
    return {
      mapping,
      mark,
      rangeMark,
      dateOrder: order,
      zone,
      codes: table.codes,
      wasSent,
      recipientOf: recipient,
      now: Date.now(),
    };
  }, [mapping, table, received, person, mark, rangeMark, order, zone, wasSent]);
  const { read, progress } = useReadRows(csv, parsed, options);
  const { rows } = read;
  const summary = useMemo(() => summaryOf(rows, isDone), [rows, isDone]);
  const { good, unusual, sentBefore, bad, done, unreachable, reviewed } = summary;
  const warned = unusual.length + sentBefore.length;
  const { sent, heldRows } = useMemo(() => {
    const isIncluded = (row: CsvRow) => (wasSentBefore(row) ? withSentBefore : withUnusual);
    const all = [...summary.unusual, ...summary.sentBefore];
    return {
      sent: [...summary.good, ...all.filter(isIncluded)].sort((one, other) => one.row - other.row),
      heldRows: [...summary.bad, ...all.filter((row) => !isIncluded(row))],
    };
  }, [summary, withUnusual, withSentBefore]);
  const held = useHeldRows(heldRows);
  const shown = useMemo(() => rowsShown(reviewed, filter), [reviewed, filter]);
  const change = (changes: Partial<Choices>) => setChoices({ ...choices, ...changes });

  return (
    <Screen key="preview" title={t('title')} className="space-y-4">
      {progress !== null && <Progress doing={common('file.reading')} fraction={progress} />}
      <div role="status" className={clsx('space-y-1 text-lg', progress !== null && 'hidden')}>
        {questions > 0 ? (
          <p className="font-bold">{t('answerFirst', { count: questions })}</p>
        ) : (
          <p className="font-bold">{t('good', { count: good.length, people: peopleIn(good) })}</p>
        )}
        {done.length > 0 && <p>{t('done', { count: done.length })}</p>}
        {unusual.length > 0 && <p className="text-caution-ink">{t('unusual', { count: unusual.length })}</p>}
        {sentBefore.length > 0 && <p className="text-caution-ink">{t('sentBefore', { count: sentBefore.length })}</p>}
        {questions === 0 && bad.length > 0 && <p className="text-danger-ink">{t('bad', { count: bad.length })}</p>}
      </div>
      {unreachable.length > 0 && <LeftOutPeople people={unreachable} person={person} />}
      <MarkChoice
        question={t('mark.question')}
        numbers={open}
        value={choices.mark}
        onChange={(chosen) => change({ mark: chosen })}
      />
      <MarkChoice
        question={t('mark.ranges')}
        numbers={openRanges}
        value={choices.rangeMark}
        onChange={(chosen) => change({ rangeMark: chosen })}
      />
      {undecided.length > 0 && (
        <ReadingChoice
          question={t('order.question')}
          choices={(['dayFirst', 'monthFirst'] as const).map((reading) => ({
            reading,
            name: t(`order.${reading}`),
            examples: undecided.map((date) => `${date.written} = ${shownDate(date[reading])}`),
          }))}
          value={dateOrder === 'iso' ? null : dateOrder}
          onChange={(chosen) => change({ dateOrder: chosen })}
        />
      )}
      <FileReadings
        parsed={parsed}
        encoding={encoding}
        read={read}
        mark={mark ?? (open.length === 0 ? proven : undefined)}
        dateOrder={undecided.length > 0 ? null : dateOrder}
        zone={choices.zone}
        local={local}
        table={table}
        onCodes={on.onCodes}
        onDateOrder={(chosen) => change({ dateOrder: chosen })}
        onZone={(chosen) => change({ zone: chosen })}
      />
      {warned > 0 && (
        <div>
          {unusual.length > 0 && (
            <Tick
              label={t('withUnusual', { count: unusual.length })}
              checked={withUnusual}
              onChange={(ticked) => change({ withUnusual: ticked })}
            />
          )}
          {sentBefore.length > 0 && (
            <Tick
              label={t('withSentBefore', { count: sentBefore.length })}
              checked={withSentBefore}
              onChange={(ticked) => change({ withSentBefore: ticked })}
            />
          )}
        </div>
      )}
      <p className="text-muted">{common('whatHappens')}</p>
      <FormActions>
        {progress === null && questions === 0 && sent.length > 0 && (
          <Button size="large" onClick={() => on.onSend(itemsOf(sent), { parsed, held })}>
            {t('sendFor', { count: sent.length, people: peopleIn(sent) })}
          </Button>
        )}
        <Button look="secondary" size="large" onClick={on.onColumns}>
          {t('columns')}
        </Button>
        <Button look="secondary" size="large" onClick={on.onAnother}>
          {common('file.another')}
        </Button>
      </FormActions>
      <LeftRows
        parsed={parsed}
        rows={questions > 0 ? [] : held}
        text={t('partly', { count: held.length, all: rows.length })}
      />
      <h3 className="pt-2">{t('table')}</h3>
      <RowFilters summary={summary} value={filter} onChange={(chosen) => change({ filter: chosen })} />
      <RowTable
        rows={shown}
        withPerson={mapping.patient !== undefined}
        withRange={[mapping.ref_low, mapping.ref_high, mapping.ref_range].some((at) => at !== undefined)}
        references={received.references}
      />
    </Screen>
  );
}

const MARK_CHOICES = [
  { reading: ',', name: 'comma', read: ({ withComma }: TwoReadings) => withComma },
  { reading: '.', name: 'point', read: ({ withPoint }: TwoReadings) => withPoint },
] as const;

type MarkChoiceProps = {
  question: string;
  numbers: readonly TwoReadings[];
  value: DecimalMark | null;
  onChange: (mark: DecimalMark) => void;
};

/** Asks for the decimal mark of numbers with two readings, if there are any. */
function MarkChoice({ question, numbers, value, onChange }: MarkChoiceProps) {
  const t = useTranslations('institution.submit.preview.mark');
  const choices = MARK_CHOICES.map(({ reading, name, read }) => ({
    reading,
    name: t(name),
    examples: numbers.map((number) => `${number.text} = ${read(number)}`),
  }));
  return numbers.length > 0 && <ReadingChoice {...{ question, choices, value, onChange }} />;
}

/** The rows that are not submitted, with the reason. */
function useHeldRows(rows: readonly CsvRow[]): readonly LeftRow[] {
  const words = useProblemWords();
  const warningWords = useWarningWords();
  return rows.map(({ row, problems, warnings }) => ({
    row,
    reason: () => [...problems.map(words), ...warnings.map(warningWords)].join('. '),
  }));
}

const itemsOf = (rows: readonly CsvRow[]): Item[] =>
  rows.flatMap(({ row, record, consent }) => (consent ? [{ row, record, consent }] : []));

const MAX_PEOPLE = 20;

/** The people of the file for whom nothing can be submitted, with the reason. */
function LeftOutPeople({ people, person }: { people: readonly Unreachable[]; person: TokenView | null }) {
  const t = useTranslations('institution.submit');
  return (
    <Alert tone="danger" title={t('preview.people', { count: people.length })}>
      <ul>
        {people.slice(0, MAX_PEOPLE).map(({ patient, problem, rows }) => (
          <li key={patient} className="break-words">
            <span className="font-semibold" translate="no">
              {patient || person?.beo_domain}
            </span>
            {': '}
            {t(`problem.${problem}`)} <span className="whitespace-nowrap">({t('preview.rows', { count: rows })})</span>
          </li>
        ))}
      </ul>
      {people.length > MAX_PEOPLE && <p>{t('preview.morePeople', { count: people.length - MAX_PEOPLE })}</p>}
    </Alert>
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
