import { MAX_PAGE_SIZE } from '../../../../protocol/page.ts';
import type { BioRecord, RecordStatus } from '../../../../protocol/records/record.ts';

interface Page {
  readonly records: readonly BioRecord[];
  readonly total: number;
  readonly has_more: boolean;
}

export type ReadPage = (asked: { status: RecordStatus; limit: number; offset: number }) => Promise<Page>;

/** How many are there, of how many. */
export type OnPage = (count: number, of: number) => void;

const MOST_ATTEMPTS = 5;

/**
 * Every record, superseded ones included, page by page. Where records came or were corrected meanwhile, their pages have shifted,
 * and those of that state are read once more. What is corrected between the two is superseded, without what replaced it.
 */
export async function readAll(readPage: ReadPage, onPage: OnPage = () => {}): Promise<BioRecord[]> {
  const active = await readStatus('ACTIVE', readPage, onPage);
  const superseded = await readStatus('SUPERSEDED', readPage, (count, of) =>
    onPage(active.length + count, active.length + of),
  );
  return [...new Map([...active, ...superseded].map((record) => [record.record_id, record])).values()];
}

async function readStatus(status: RecordStatus, readPage: ReadPage, onPage: OnPage): Promise<BioRecord[]> {
  for (let attempt = 1; ; attempt++) {
    const found = new Map<string, BioRecord>();
    let total: number | null = null;
    for (let offset = 0, more = true, same = true; more && same; offset += MAX_PAGE_SIZE) {
      const page = await readPage({ status, limit: MAX_PAGE_SIZE, offset });
      same = attempt >= MOST_ATTEMPTS || total === null || page.total === total;
      total = page.total;
      for (const record of page.records) found.set(record.record_id, record);
      more = page.has_more && page.records.length > 0;
      onPage(found.size, total);
      if (same && !more && (found.size >= total || attempt >= MOST_ATTEMPTS)) return [...found.values()];
    }
  }
}
