import { readFhir } from '../../../../protocol/records/fhir/read-fhir.ts';
import { FILE_COLUMNS, type FileColumn } from './file-columns.ts';
import { MAX_ROWS, type ParsedCsv } from './read-csv.ts';

/**
 * The results of a FHIR file as a table whose columns have our names, so that they are reviewed like those of any other file. Elements
 * that are not read are columns of their own, which no record takes. @throws SyntaxError where it is not FHIR
 */
export function parseFhir(
  text: string,
  progress?: (done: number) => void,
): ParsedCsv | { readonly problem: 'empty' | 'tooMany' } {
  const { rows, others } = readFhir(text, progress);
  if (rows.length === 0) return { problem: 'empty' };
  if (rows.length > MAX_ROWS) return { problem: 'tooMany' };
  const named = rows.map(({ cells, people }) => ({ ...cells, ...(people[0] !== undefined && { patient: people[0] }) }));
  const used = new Set(named.flatMap((cells) => Object.keys(cells)));
  const columns: FileColumn[] = FILE_COLUMNS.filter((column) => used.has(column));
  const unread = [...new Set(rows.flatMap(({ leftOut }) => Object.keys(leftOut)))];
  return {
    separator: ',',
    header: [...columns, ...unread],
    body: rows.map(({ isText, isResource, people, problems, warnings, leftOut }, index) => {
      const cells: Readonly<Partial<Record<FileColumn, string>>> = named[index] ?? {};
      return {
        row: index + 1,
        texts: [...columns.map((column) => cells[column] ?? ''), ...unread.map((path) => leftOut[path] ?? '')],
        ...(!isResource && { structure: 'notResource' as const }),
        mark: isText ? null : '.',
        people,
        problems: problems.map((note) => ({ kind: 'fhir', note }) as const),
        warnings: warnings.map((note) => ({ kind: 'fhir', note }) as const),
      };
    }),
    others: [...others].map(([type, count]) => `${type} (${count})`),
  };
}
