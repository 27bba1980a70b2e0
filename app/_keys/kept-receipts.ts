import type { Json } from '../../protocol/signing/canonical-json.ts';
import { openForBrowser, sealForBrowser } from './browser-seal.ts';
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

/** Those of a submission in the order of its parts, without any that this browser has lost. */
export async function keptReceipts(of: Submission): Promise<Read<readonly Json[]>> {
  const names = await withIdentityStore('receipts', (store) => store.names());
  const receipts: Json[] = [];
  for (const name of names.filter((one) => one.startsWith(prefixOf(of))).toSorted()) {
    const sealed = await readIdentityStore('receipts', name);
    if (sealed.state === 'unreadable') return sealed;
    const bytes = sealed.value && (await openForBrowser(name, sealed.value));
    if (bytes) receipts.push(JSON.parse(new TextDecoder().decode(bytes)));
  }
  return readAs(receipts);
}

/** Deletes those of a submission. */
export const dropReceipts = (of: Submission): Promise<void> =>
  withIdentityStore('receipts', async (store) => {
    const names = await store.names();
    for (const name of names.filter((one) => one.startsWith(prefixOf(of)))) await store.delete(name);
  });
