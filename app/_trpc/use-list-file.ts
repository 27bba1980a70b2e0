import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { saveFile } from '../_ui/save-file.ts';
import { type Failure, failureOf } from './failure.ts';
import { pagedReading } from './use-whole-list.ts';

interface ListFile<Page, Place> {
  readonly name: string;
  /** Identifies the list. */
  readonly key: string;
  readonly read: (place: Place | null) => Promise<Page>;
  /** Where the next page begins; null after the last one. */
  readonly next: (page: Page) => Place | null;
  readonly csv: (pages: readonly Page[]) => Promise<string>;
}

/** Saves a list as CSV of which the page shows a part: all of it is read first, page by page. */
export function useListFile<Page, Place>({ name, key, read, next, csv }: ListFile<Page, Place>) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const save = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const { retry, retryDelay } = pagedReading(false);
      const pages: Page[] = [];
      for (let place: Place | null = null; pages.length === 0 || place !== null; ) {
        const from: Place | null = place;
        const page = await queries.query({
          queryKey: ['file', key, from],
          queryFn: () => read(from),
          retry,
          retryDelay,
          gcTime: 0,
        });
        pages.push(page);
        place = next(page);
      }
      saveFile(name, 'text/csv', await csv(pages));
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
  };
  return { save: () => void save(), busy, failure };
}
