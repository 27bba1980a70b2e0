import type { TransactionId } from '../../protocol/ids.ts';
import { decodeEntry, type LedgerEntry } from '../../protocol/ledger/entry.ts';
import { BEGIN_EPOCH } from '../../protocol/ledger/epoch.ts';
import { parseItem, verifyItem } from '../ledger/ans104.ts';
import type { ChainedEntry } from '../ledger/chain.ts';
import type { ChainEnd } from './chain-order.ts';
import { createServiceApi } from './service-api.ts';

/** Bounds the memory for a mirror that sends without end; far more than may wait for the network. */
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * The entries that only a mirror has: those that the relayer signed and that continue the network's ledger, in order. The mirror is not
 * trusted: the first entry that does not continue it ends them, and the audit checks each one.
 * @param keys the keys that may have signed them; hex
 * @throws {ServiceApiError} if the mirror does not respond
 */
export async function entriesOfMirror(
  url: string,
  keys: readonly string[],
  end: ChainEnd | null,
): Promise<ChainedEntry[]> {
  const api = createServiceApi(url);
  const entries: ChainedEntry[] = [];
  let last: Pick<ChainEnd, 'epoch' | 'seq'> & { readonly id: string | null } = end ?? { epoch: 1, seq: 0, id: null };
  let bytes = 0;
  while (bytes < MAX_BYTES) {
    const page = await api.entriesAfter(last.seq);
    if (page.length === 0) return entries;
    for (const { item } of page) {
      const entry = continuing(item, keys, last);
      if (!entry) return entries;
      entries.push(entry);
      bytes += item.byteLength;
      last = entry;
    }
  }
  return entries;
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
