import type { Failure } from '../../trpc/failure.ts';
import type { Item } from './use-sending.ts';

/** Which rows the server found fault with, and what (RECORD_INVALID, protocol §5); empty for any other failure. */
export function invalidIn({ code, details }: Failure, items: readonly Item[]): { row: number; said: string }[] {
  const found = code === 'RECORD_INVALID' && Array.isArray(details?.records) ? (details.records as unknown[]) : [];
  return found.flatMap((issue) => {
    if (typeof issue !== 'object' || issue === null) return [];
    const { index, path, message } = issue as { index?: unknown; path?: unknown; message?: unknown };
    const item = typeof index === 'number' ? items[index] : undefined;
    return item && typeof message === 'string' ? [{ row: item.row, said: `${path ?? ''} ${message}`.trim() }] : [];
  });
}
