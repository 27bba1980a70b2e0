import { sha1, sha256 } from '#digests';
import type { GuardianRole } from './entities/guardian.ts';
import { fromBase64Url, hexToBytes } from './signing/encoding.ts';

type Brand<Name extends string> = string & { readonly __brand: Name };

/** Hex SHA-256 of the relayer's first public key (32 raw bytes). Protocol §2. */
export type LedgerId = Brand<'LedgerId'>;
/** 43 base64url characters: the id of the operation's data item. */
export type TransactionId = Brand<'TransactionId'>;
/** UUID v5 in lower case. */
export type BeoId = Brand<'BeoId'>;
export type IeoId = Brand<'IeoId'>;
/** `tok_` and a UUID v5. */
export type TokenId = Brand<'TokenId'>;
/** UUID v4: a proposal has no signature to derive an id from. */
export type ProposalId = Brand<'ProposalId'>;
export type GuardianId = Brand<'GuardianId'>;
export type InvitationId = Brand<'InvitationId'>;
/** `evt_` and a UUID v5. */
export type EventId = Brand<'EventId'>;

const NAMESPACE = hexToBytes('6ba7b8119dad11d180b400c04fd430c8');

/** A UUID v5 (RFC 9562 §5.5) in the URL namespace (§6.6), as protocol §2 requires. */
export function uuidV5(name: string): string {
  const hex = sha1(NAMESPACE, name);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const ledgerIdOf = (firstRelayerPublicKeyHex: string): LedgerId =>
  sha256(hexToBytes(firstRelayerPublicKeyHex)) as LedgerId;

/** The ids that are derived from the signature of an operation and the ledger id, so that no field carries them. Protocol §2. */
export function derivedIds(ledgerId: LedgerId, signature: string) {
  const name = `perpetua:${ledgerId}:${signature}`;
  return {
    beoId: () => uuidV5(name) as BeoId,
    ieoId: () => uuidV5(name) as IeoId,
    tokenId: () => `tok_${uuidV5(name)}` as TokenId,
    guardianId: (role: GuardianRole) => uuidV5(`${name}:guardian:${role}`) as GuardianId,
    recordId: (index: number) => uuidV5(`${name}:record:${index}`),
    invitationId: (role: GuardianRole) => uuidV5(`${name}:invitation:${role}`) as InvitationId,
  };
}

export type DerivedIds = ReturnType<typeof derivedIds>;

/** The id of an event that follows from an entry; `name` is its type and its subject, joined by a colon. Protocol §9. */
export const eventIdOf = (ledgerId: LedgerId, entryId: string, name: string): EventId =>
  `evt_${uuidV5(`perpetua:${ledgerId}:event:${entryId}:${name}`)}` as EventId;

/** The id of an entry in feeds, the same after a restore. */
export const feedEntryIdOf = (ledgerId: LedgerId, entryId: string): string =>
  `urn:uuid:${uuidV5(`perpetua:${ledgerId}:feed:${entryId}`)}`;

/** Regular expressions without flags or anchors, also for the OpenAPI document. */
export const ID_PATTERNS = {
  uuid: '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}',
  /** The last of 43 characters carries four bits. */
  transactionId: '[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]',
} as const;

const UUID = new RegExp(`^${ID_PATTERNS.uuid}$`);

export const isUuid = (text: string): boolean => UUID.test(text);

export const isTokenId = (text: string): boolean => text.startsWith('tok_') && isUuid(text.slice(4));

export function isTransactionId(text: string): text is TransactionId {
  return text.length === 43 && fromBase64Url(text) !== null;
}
