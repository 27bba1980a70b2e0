import { csvCell } from '../../protocol/records/csv-cell.ts';
import type { EntryFacts } from '../../protocol/stated-facts.ts';
import type { Answers } from '../../server/http/trpc/router.ts';

type Entry = Answers['entries']['entries'][number];

const COLUMNS = [
  'number',
  'accepted_at',
  'function',
  'what',
  'kind',
  'subject',
  'grantee',
  'entity_id',
  'status',
  'id',
  'network_transaction',
];

/** The beginning of the file: a byte order mark, for spreadsheets, and the names of the columns. */
export const CSV_HEAD = `\ufeff${COLUMNS.join(',')}\r\n`;

/** Rows of RFC 4180; texts that spreadsheets would execute are escaped. */
export const csvRows = (
  entries: readonly Entry[],
  wordsOf: (entry: { readonly function: string; readonly facts: EntryFacts | null }) => string,
): string =>
  entries
    .map((entry) => {
      const { seq, accepted_at, subject, entity_id, status, id, l1_tx } = entry;
      const { kind = null, domain = null, grantee = null } = subject ?? {};
      const cells = [
        seq,
        accepted_at,
        entry.function,
        wordsOf(entry),
        kind,
        domain,
        grantee,
        entity_id,
        status,
        id,
        l1_tx,
      ];
      return `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`;
    })
    .join('');
