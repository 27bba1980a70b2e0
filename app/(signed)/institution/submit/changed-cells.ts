import { parseCollected } from '../../../../protocol/clinical/collected.ts';
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
const READ_COLUMNS: readonly (typeof TEXT_COLUMNS | typeof NUMBER_COLUMNS)[number][] = [
  ...TEXT_COLUMNS,
  ...NUMBER_COLUMNS,
];

type Row = Pick<CsvRow, 'cells' | 'record' | 'problems'>;

/** The cells of a row that are shown in both readings. A cell with a problem was not read. */
export const changedCells = (row: Row): ChangedCell[] => READ_COLUMNS.flatMap((column) => changeIn(row, column) ?? []);

/** Whether any cell of a row is shown in both readings. */
export const isChanged = (row: Row): boolean => READ_COLUMNS.some((column) => changeIn(row, column) !== null);

function changeIn({ cells, record, problems }: Row, column: (typeof READ_COLUMNS)[number]): ChangedCell | null {
  const written = (cells[column] ?? '').trim();
  if (written === '' || problems.some((problem) => 'column' in problem && problem.column === column)) return null;
  const read = readIn(record, column);
  return read === undefined || isShownAs(column, read, written) ? null : { column, read, written };
}

/** The text of what was read from a column; undefined where nothing was. */
function readIn(record: CsvRow['record'], column: (typeof READ_COLUMNS)[number]): string | undefined {
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
