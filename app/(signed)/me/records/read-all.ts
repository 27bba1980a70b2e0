import { MAX_PAGE_SIZE } from '../../../../protocol/page.ts';
import type { BioRecord, RecordStatus } from '../../../../protocol/records/record.ts';

interface Page {
  readonly records: readonly BioRecord[];
  readonly total: number;
  readonly has_more: boolean;
}

export type ReadPage = (query: { status: RecordStatus; limit: number; offset: number }) => Promise<Page>;

/** Receives the number of records read so far, and of all records. */
export type OnPage = (count: number, total: number) => void;

const MAX_ATTEMPTS = 5;

/**
 * Reads every record, including superseded ones, page by page. If records are added or corrected meanwhile, the pages shift, and
 * those of this status are read again. A record corrected between the two reads appears as superseded without its replacement.
 */
export async function readAll(readPage: ReadPage, onPage: OnPage = () => {}): Promise<BioRecord[]> {
  const active = await readStatus('ACTIVE', readPage, onPage);
  const superseded = await readStatus('SUPERSEDED', readPage, (count, total) =>
    onPage(active.length + count, active.length + total),
  );
  return [...new Map([...active, ...superseded].map((record) => [record.record_id, record])).values()];
}

async function readStatus(status: RecordStatus, readPage: ReadPage, onPage: OnPage): Promise<BioRecord[]> {
  for (let attempt = 1; ; attempt++) {
    const found = new Map<string, BioRecord>();
    let total: number | null = null;
    for (let offset = 0, more = true, isStable = true; more && isStable; offset += MAX_PAGE_SIZE) {
      const page = await readPage({ status, limit: MAX_PAGE_SIZE, offset });
      isStable = attempt >= MAX_ATTEMPTS || total === null || page.total === total;
      total = page.total;
      for (const record of page.records) found.set(record.record_id, record);
      more = page.has_more && page.records.length > 0;
      onPage(found.size, total);
      if (isStable && !more && (found.size >= total || attempt >= MAX_ATTEMPTS)) return [...found.values()];
    }
  }
}
