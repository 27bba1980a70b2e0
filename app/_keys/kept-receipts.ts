import type { Json } from '../../protocol/signing/canonical-json.ts';
import { openForBrowser, type SealedForBrowser, sealForBrowser } from './browser-seal.ts';
import { readIdentityStore, withIdentityStore } from './identity-store.ts';
import { type Read, readAs } from './read.ts';

/**
 * The receipts of submissions that were not saved as a file yet, in this browser only and encrypted like a copy of a key. Each
 * part of a submission is an entry of its own, which is written once: a list of thousands is not rewritten for the next one.
 */
interface Submission {
  readonly ieoId: string;
  readonly id: string;
}

const DIGITS = 6;

const prefixOf = ({ ieoId, id }: Submission): string => `${ieoId}:${id}:`;
const nameOf = (of: Submission, part: number): string => `${prefixOf(of)}${String(part).padStart(DIGITS, '0')}`;

/** Adds what one part returned. @throws {Error} where the storage refuses or does not answer */
export async function keepReceipt(of: Submission, part: number, receipt: Json): Promise<void> {
  const name = nameOf(of, part);
  const sealed = await sealForBrowser(name, new TextEncoder().encode(JSON.stringify(receipt)));
  await withIdentityStore('receipts', (store) => store.put(name, sealed));
}

/** What can still be read of a submission's receipts. */
export interface KeptReceipts {
  /** In the order of the parts. */
  readonly receipts: readonly Json[];
  /** The number of parts that are missing, or do not open. */
  readonly lost: number;
}

/** Those of a submission, of which `expected` parts were kept. */
export async function keptReceipts(of: Submission, expected: number): Promise<Read<KeptReceipts>> {
  const names = await withIdentityStore('receipts', (store) => store.names());
  const parts: [string, SealedForBrowser][] = [];
  for (const name of names.filter((one) => one.startsWith(prefixOf(of))).toSorted()) {
    const sealed = await readIdentityStore('receipts', name);
    if (sealed.state === 'unreadable') return sealed;
    if (sealed.value) parts.push([name, sealed.value]);
  }
  return readAs(await openReceipts(parts, expected));
}

/** Opens stored parts: a browser may lose some, or the key of some. */
export async function openReceipts(
  parts: readonly (readonly [name: string, sealed: SealedForBrowser])[],
  expected: number,
): Promise<KeptReceipts> {
  const opened = await Promise.all(parts.map(([name, sealed]) => openForBrowser(name, sealed)));
  const receipts = opened.flatMap((bytes): Json[] => (bytes ? [JSON.parse(new TextDecoder().decode(bytes))] : []));
  return { receipts, lost: Math.max(expected, parts.length) - receipts.length };
}

/** Deletes those of a submission. */
export const dropReceipts = (of: Submission): Promise<void> =>
  withIdentityStore('receipts', async (store) => {
    const names = await store.names();
    for (const name of names.filter((one) => one.startsWith(prefixOf(of)))) await store.delete(name);
  });
