import { sha256 } from '#digests';
import { canonicalJson, type Json } from '../../protocol/signing/canonical-json.ts';
import { parseTimestamp } from '../../protocol/time.ts';
import { openForBrowser, sealForBrowser } from './browser-seal.ts';
import { withInstitutionStore } from './institution-store.ts';

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
  const collected_at = parseTimestamp(String(record.collected_at));
  return sha256(canonicalJson([beoId, { ...record, collected_at }])).slice(0, HEX_DIGITS);
}

/** Empty where this browser refuses to store, or has lost them. */
export async function sentRecords(ieoId: string): Promise<SentRecords> {
  const sealed = await withInstitutionStore('sentRecords', (store) => store.get(ieoId)).catch(() => undefined);
  const bytes = sealed && (await openForBrowser(ieoId, sealed));
  return new Set<string>(bytes ? JSON.parse(new TextDecoder().decode(bytes)) : []);
}

/** Adds fingerprints. @returns those that are new @throws {Error} where this browser refuses to store */
export const addSent = (ieoId: string, fingerprints: readonly string[]): Promise<readonly string[]> =>
  change(ieoId, (sent) => {
    const added = fingerprints.filter((fingerprint) => !sent.has(fingerprint));
    return { sent: [...sent, ...added].slice(-MAX_FINGERPRINTS), result: added };
  });

/** Removes the fingerprints of records that were refused. @throws {Error} where this browser refuses to store */
export const removeSent = (ieoId: string, fingerprints: readonly string[]): Promise<void> => {
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
): Promise<Result> =>
  navigator.locks.request('perpetua-sent-records', async () => {
    const { sent, result } = changed(await sentRecords(ieoId));
    const sealed = await sealForBrowser(ieoId, new TextEncoder().encode(JSON.stringify(sent)));
    await withInstitutionStore('sentRecords', (store) => store.put(ieoId, sealed));
    return result;
  });
