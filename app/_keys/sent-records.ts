import { sha256 } from '#digests';
import { parseCollected } from '../../protocol/clinical/collected.ts';
import { canonicalJson, type Json } from '../../protocol/signing/canonical-json.ts';
import { openForBrowser, sealForBrowser } from './browser-seal.ts';
import { readIdentityStore, withIdentityStore } from './identity-store.ts';
import { type Read, readAs, UNREADABLE } from './read.ts';

/**
 * Fingerprints of the records that an institution has sent from this browser, oldest first; in this browser only, encrypted like
 * a copy of a key.
 */
export type SentRecords = ReadonlySet<string>;

/** The oldest are dropped. */
export const MAX_FINGERPRINTS = 100_000;
/** 128 bits. */
const HEX_DIGITS = 32;

/** The beginning of the hex SHA-256 of a record and its person, however its time is written. */
export function fingerprintOf(beoId: string, record: { readonly [member: string]: Json }): string {
  const collected = parseCollected(String(record.collected_at));
  const collected_at = collected && (collected.day ?? collected.at);
  return sha256(canonicalJson([beoId, { ...record, collected_at }])).slice(0, HEX_DIGITS);
}

/** Empty where this browser has lost them. */
export async function sentRecords(ieoId: string): Promise<Read<SentRecords>> {
  const sealed = await readIdentityStore('sentRecords', ieoId);
  if (sealed.state === 'unreadable') return sealed;
  const bytes = sealed.value && (await openForBrowser(ieoId, sealed.value));
  return readAs(new Set<string>(bytes ? JSON.parse(new TextDecoder().decode(bytes)) : []));
}

/** Adds fingerprints. Returns those that are new; none of them is stored where the storage is full. */
export const addSent = (ieoId: string, fingerprints: readonly string[]): Promise<Read<readonly string[]>> =>
  change(ieoId, (sent) => {
    const added = fingerprints.filter((fingerprint) => !sent.has(fingerprint));
    return { sent: [...sent, ...added].slice(-MAX_FINGERPRINTS), result: added };
  });

/** Removes the fingerprints of records that were refused. */
export const removeSent = (ieoId: string, fingerprints: readonly string[]): Promise<Read<undefined>> => {
  const refused = new Set(fingerprints);
  return change(ieoId, (sent) => ({
    sent: [...sent].filter((fingerprint) => !refused.has(fingerprint)),
    result: undefined,
  }));
};

/** One change at a time, in all tabs. */
const change = <Result>(
  ieoId: string,
  changed: (sent: SentRecords) => { readonly sent: readonly string[]; readonly result: Result },
): Promise<Read<Result>> =>
  navigator.locks.request('perpetua-sent-records', async () => {
    const before = await sentRecords(ieoId);
    if (before.state === 'unreadable') return before;
    const { sent, result } = changed(before.value);
    const sealed = await sealForBrowser(ieoId, new TextEncoder().encode(JSON.stringify(sent)));
    try {
      await withIdentityStore('sentRecords', (store) => store.put(ieoId, sealed));
    } catch (error) {
      if (!isFull(error)) return UNREADABLE;
    }
    return readAs(result);
  });

const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError';
