import type { LedgerId, TransactionId } from '../ids.ts';
import { fromBase64Url } from '../signing/encoding.ts';
import { HASH_BYTES, type Hash, leafHash } from './merkle.ts';
import { malformed } from './transparency-error.ts';

const ORIGIN_PREFIX = 'perpetua/';

/** The origin of a ledger's log, and the name of its checkpoint keys. It is the same for the life of the ledger. */
export const originOf = (ledgerId: LedgerId): string => `${ORIGIN_PREFIX}${ledgerId}`;

/** Null if the origin is not that of a ledger. */
export const ledgerIdOfOrigin = (origin: string): LedgerId | null =>
  /^perpetua\/[0-9a-f]{64}$/.test(origin) ? (origin.slice(ORIGIN_PREFIX.length) as LedgerId) : null;

/** The first entry has seq 1 and is the leaf with index 0. */
export const leafIndexOf = (seq: number): number => seq - 1;

/** The data of an entry's leaf: the 32 bytes of its id. @throws {TransparencyError} for a text that is not an id */
export function leafDataOf(id: TransactionId): Uint8Array {
  const bytes = fromBase64Url(id);
  if (bytes?.length !== HASH_BYTES) throw malformed('The id of an entry is the base64url of 32 bytes.');
  return bytes;
}

/** @throws {TransparencyError} for a text that is not an id */
export const leafHashOf = (id: TransactionId): Hash => leafHash(leafDataOf(id));
