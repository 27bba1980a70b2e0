import type { TransactionId } from '../../protocol/ids.ts';
import { decodeEntry, type LedgerEntry } from '../../protocol/ledger/entry.ts';
import { BEGIN_EPOCH } from '../../protocol/ledger/epoch.ts';
import { parseItem, verifyItem } from '../../server/ledger/ans104.ts';
import type { ChainedEntry } from '../../server/ledger/chain.ts';
import type { ChainEnd } from './chain-order.ts';
import { createServiceApi } from './service-api.ts';

/** An entry of a mirror that fails a check. */
export interface RefusedEntry {
  readonly seq: number;
  /** What is wrong with it, in one line. */
  readonly problem: string;
}

/** The entries that only a mirror has. */
export interface MirrorEntries {
  /**
   * Those that the relayer signed and that continue the ledger after `end`, in order, in pages. The mirror is not trusted: the first
   * entry that does not continue it ends them, and the caller checks each one.
   * @throws {ServiceApiError} if the mirror does not respond
   */
  after(end: ChainEnd | null): AsyncIterable<readonly ChainedEntry[]>;
  /** Why the mirror's later entries were left out, in one sentence; null if it had none. */
  readonly cut: string | null;
}

/**
 * @param keys the keys that may have signed the entries; hex
 * @param refused an entry that failed a check before: it ends them
 */
export function entriesOfMirror(url: string, keys: readonly string[], refused: RefusedEntry | null): MirrorEntries {
  const api = createServiceApi(url);
  let cut: string | null = null;

  async function* after(end: ChainEnd | null): AsyncGenerator<readonly ChainedEntry[]> {
    let last: Pick<ChainEnd, 'epoch' | 'seq'> & { readonly id: string | null } = end ?? { epoch: 1, seq: 0, id: null };
    while (cut === null) {
      const page = await api.entriesAfter(last.seq);
      if (page.length === 0) return;
      const entries: ChainedEntry[] = [];
      for (const { item } of page) {
        const seq = last.seq + 1;
        const entry = seq === refused?.seq ? null : continuing(item, keys, last);
        if (!entry) {
          const problem = seq === refused?.seq ? refused.problem : 'It does not continue the ledger.';
          cut = `Entry ${seq} of the mirror and those after it were left out: ${problem}`;
          break;
        }
        entries.push(entry);
        last = entry;
      }
      if (entries.length > 0) yield entries;
    }
  }

  return {
    after,
    get cut() {
      return cut;
    },
  };
}

function continuing(
  bytes: Buffer,
  keys: readonly string[],
  last: { readonly epoch: number; readonly seq: number; readonly id: string | null },
): ChainedEntry | null {
  try {
    const item = parseItem(bytes);
    if (item.signatureType !== 2 || !keys.includes(Buffer.from(item.owner).toString('hex')) || !verifyItem(item))
      return null;
    const entry: LedgerEntry = decodeEntry(item.data);
    const isNext = entry.seq === last.seq + 1 && entry.prev === last.id;
    if (!isNext || (entry.epoch !== last.epoch && entry.function !== BEGIN_EPOCH)) return null;
    return {
      id: item.id as TransactionId,
      epoch: entry.epoch,
      seq: entry.seq,
      function: entry.function,
      entityId: entry.entity_id,
      acceptedAt: entry.accepted_at,
      item: bytes,
    };
  } catch {
    // Bytes that are not an item with an entry.
    return null;
  }
}
