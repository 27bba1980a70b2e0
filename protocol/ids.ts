import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, fromBase64Url, hexToBytes, utf8ToBytes } from './encoding.ts';

type Brand<Name extends string> = string & { readonly __brand: Name };

/** hex SHA-256 of the relayer's first public key (32 raw bytes). Protocol §2. */
export type LedgerId = Brand<'LedgerId'>;
/** 43 base64url characters: the id of the operation's data item. */
export type TransactionId = Brand<'TransactionId'>;
/** UUID v5 in lower case. */
export type BeoId = Brand<'BeoId'>;
export type IeoId = Brand<'IeoId'>;
/** `tok_` and a UUID v5. */
export type TokenId = Brand<'TokenId'>;
/** UUID v4: nobody signs a proposal, so it follows from nothing. */
export type ProposalId = Brand<'ProposalId'>;
export type GuardianId = Brand<'GuardianId'>;
export type InvitationId = Brand<'InvitationId'>;

export type GuardianRole = 'primary' | 'secondary' | 'tertiary';
export const GUARDIAN_ROLES: readonly GuardianRole[] = ['primary', 'secondary', 'tertiary'];

const NAMESPACE = hexToBytes('6ba7b8119dad11d180b400c04fd430c8');

/** RFC 9562 §5.5 in the URL namespace (§6.6), which protocol §2 names. */
export function uuidV5(name: string): string {
  const text = utf8ToBytes(name);
  const input = new Uint8Array(NAMESPACE.length + text.length);
  input.set(NAMESPACE);
  input.set(text, NAMESPACE.length);
  const bytes = sha1(input).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytesToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const ledgerIdOf = (firstRelayerPublicKeyHex: string): LedgerId =>
  bytesToHex(sha256(hexToBytes(firstRelayerPublicKeyHex))) as LedgerId;

/** The ids that follow from one signed operation: they need no field of their own and bind it to this ledger. */
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

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

export const isTokenId = (text: string): boolean => text.startsWith('tok_') && isUuid(text.slice(4));

export function isTransactionId(text: string): text is TransactionId {
  return text.length === 43 && fromBase64Url(text) !== null;
}
