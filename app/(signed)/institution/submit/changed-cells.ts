import { parseCollected } from '../../../../protocol/clinical/collected.ts';
import { numbersInRange } from '../../../../protocol/clinical/range-text.ts';
import { isStructured } from '../../../../protocol/clinical/value.ts';
import type { JsonObject } from '../../../../protocol/signing/message.ts';
import { exactly } from '../../../_ui/value.ts';
import { type FileColumn, NUMBER_COLUMNS, RANGE_MEMBERS } from './file-columns.ts';
import { showsTime } from './local-times.ts';
import type { CsvRow } from './read-csv.ts';

/** A cell that was read as another text than the one in the file. */
export interface ChangedCell {
  readonly column: FileColumn;
  /** As it is sent. */
  readonly read: string;
  /** As in the file, without spaces around it. */
  readonly written: string;
}

const TEXT_COLUMNS = ['biomarker', 'unit', 'collected_at'] as const;
type ReadColumn = (typeof TEXT_COLUMNS | typeof NUMBER_COLUMNS)[number] | 'ref_range';
const READ_COLUMNS: readonly ReadColumn[] = [...TEXT_COLUMNS, ...NUMBER_COLUMNS, 'ref_range'];

type Row = Pick<CsvRow, 'cells' | 'record' | 'problems'>;

/** The cells of a row that are shown in both readings. A cell with a problem was not read. */
export const changedCells = (row: Row): ChangedCell[] => READ_COLUMNS.flatMap((column) => changeIn(row, column) ?? []);

/** Whether any cell of a row is shown in both readings. */
export const isChanged = (row: Row): boolean => READ_COLUMNS.some((column) => changeIn(row, column) !== null);

function changeIn({ cells, record, problems }: Row, column: ReadColumn): ChangedCell | null {
  const written = (cells[column] ?? '').trim();
  if (written === '' || problems.some((problem) => 'column' in problem && problem.column === column)) return null;
  const read = readIn(record, column);
  if (read === undefined) return null;
  const isSame = column === 'ref_range' ? isPrinted(record, written) : isShownAs(column, read, written);
  return isSame ? null : { column, read, written };
}

/** The text of what was read from a column; undefined where nothing was. */
function readIn(record: CsvRow['record'], column: ReadColumn): string | undefined {
  if (column === 'ref_range') return readRange(record) || undefined;
  const members: Readonly<Partial<Record<string, string>>> = RANGE_MEMBERS;
  const member = members[column];
  const read =
    member === undefined
      ? record[column]
      : Object.entries(record.ref_range ?? {}).find(([name]) => name === member)?.[1];
  return read === undefined ? undefined : exactly(read);
}

/** Whether the page shows what was read as it is in the file. It shows times in the zone of this device. */
function isShownAs(column: FileColumn, read: string, written: string): boolean {
  const collected = column === 'collected_at' ? parseCollected(read) : null;
  return collected !== null && collected.day === null ? showsTime(written, collected.at) : read === written;
}

/** Whether a printed range has the numbers that were read, as they are shown, or is kept as a text. JSON is what is sent. */
function isPrinted({ ref_range: range }: CsvRow['record'], written: string): boolean {
  if (range === undefined || !isStructured(range) || written.startsWith('{')) return true;
  return range.functional === written || numbersInRange(written).join() === boundsIn(range).filter(Boolean).join();
}

const boundsIn = ({ functional_low: low = '', functional_high: high = '' }: JsonObject) => [
  exactly(low),
  exactly(high),
];

/** The range of a record as the page shows it; empty without one. */
export function readRange({ ref_range: range }: CsvRow['record']): string {
  if (range === undefined || !isStructured(range)) return '';
  const [low = '', high = ''] = boundsIn(range);
  return [rangeText(low, high) || range.functional, range.unit].filter(Boolean).join(' ');
}

/** A range between two texts, of which one may be empty. */
export function rangeText(low: string, high: string): string {
  if (low === '') return high && `≤ ${high}`;
  return high === '' ? `≥ ${low}` : `${low}–${high}`;
}
