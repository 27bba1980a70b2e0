'use client';

import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import type { LocalCodes } from '../../../_keys/local-codes.ts';
import { Progress } from '../../../_keys/progress.tsx';
import { Button } from '../../../_ui/button.tsx';
import { FormActions } from '../../../_ui/form-actions.tsx';
import { Screen } from '../../../_ui/screen.tsx';
import { twoDates } from './cell-readings.ts';
import type { LocalCode } from './code-table.ts';
import { deviceZone } from './date-order-choice.tsx';
import { DoubtfulRows, type IncludedRows } from './doubtful-rows.tsx';
import { type Answers, FileQuestions, openQuestions } from './file-questions.tsx';
import { FileReadings } from './file-readings.tsx';
import { peopleIn, type RowFilter, rowsShown, summaryOf, wasSentBefore } from './file-summary.ts';
import { LeftOutPeople } from './left-out-people.tsx';
import type { LeftRow } from './left-rows.ts';
import { LeftRows } from './left-rows-part.tsx';
import type { Csv } from './load-csv.ts';
import { provenOrder } from './local-times.ts';
import type { Mapping } from './map-columns.ts';
import type { CsvRow, Encoding, ParsedCsv } from './read-csv.ts';
import { type Received, recipientOf, recipientsIn } from './recipients.ts';
import { RowFilters } from './row-filter.tsx';
import { RowTable } from './row-table.tsx';
import type { SentFile } from './sending.tsx';
import { SummaryWords } from './summary-words.tsx';
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

type Choices = Answers &
  IncludedRows & {
    readonly zone: string;
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
  const marks = useMemo(() => csv.numberMarks(parsed, mapping, table.codes), [csv, parsed, mapping, table.codes]);
  const undecided = useMemo(() => (proved === 'iso' ? twoDates(times, zone) : []), [proved, times, zone]);
  const questions = openQuestions(marks, undecided, choices);
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
  const { unreachable, reviewed } = summary;
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
      <SummaryWords summary={summary} questions={questions} isReading={progress !== null} />
      <LeftOutPeople people={unreachable} person={person} />
      <FileQuestions marks={marks} undecidedDays={undecided} answers={choices} onAnswer={change} />
      <FileReadings
        parsed={parsed}
        encoding={encoding}
        read={read}
        mark={mark ?? (marks.open.length === 0 ? marks.proven : undefined)}
        dateOrder={undecided.length > 0 ? null : dateOrder}
        zone={choices.zone}
        local={local}
        table={table}
        onCodes={on.onCodes}
        onDateOrder={(chosen) => change({ dateOrder: chosen })}
        onZone={(chosen) => change({ zone: chosen })}
      />
      <DoubtfulRows summary={summary} included={choices} onChange={change} />
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
