import type { Failure } from '../../../_trpc/failure.ts';
import { type RowProblem, recordRowProblem } from './row-problem.ts';
import type { Item } from './use-submission-sending.ts';

export interface InvalidRow {
  readonly row: number;
  readonly problem: RowProblem;
}

/** The rows that the server rejected (RECORD_INVALID, protocol §5); empty for any other failure. */
export function invalidIn({ code, details }: Failure, items: readonly Pick<Item, 'row'>[]): InvalidRow[] {
  const found = code === 'RECORD_INVALID' && Array.isArray(details?.records) ? (details.records as unknown[]) : [];
  return found.flatMap((issue) => {
    if (typeof issue !== 'object' || issue === null) return [];
    const { index, path, message } = issue as { index?: unknown; path?: unknown; message?: unknown };
    const item = typeof index === 'number' ? items[index] : undefined;
    return item && typeof message === 'string'
      ? [{ row: item.row, problem: recordRowProblem(String(path ?? ''), message) }]
      : [];
  });
}
