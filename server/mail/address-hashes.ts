import { createHmac, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { networkOf } from '../client-address.ts';

/** Keyed hashes of those between whom mail goes: no address can be read from them, and equal addresses have equal ones. */
export interface AddressHashes {
  /** Of an e-mail address: one for all its spellings. */
  recipient(address: string): Buffer;
  /** Of the network of a client whose request causes mail. */
  source(clientAddress: string): Buffer;
  /** The secret of a recipient's link to get no more mail: 43 base64url characters. */
  unsubscribeToken(recipient: Buffer): string;
  /** Whose link that is; null where it is nobody's. */
  recipientOf(unsubscribeToken: string): Buffer | null;
}

const DIGEST_BYTES = 16;
const SOURCE_BITS = { ipv4: 24, ipv6: 48 };
const TOKEN = /^[\w-]{43}$/;

/** @param key a secret of all processes that stays: what people asked for must outlast it */
export function createAddressHashes(key: Uint8Array): AddressHashes {
  const digest = (purpose: string, content: string | Buffer): Buffer =>
    createHmac('sha256', key).update(`${purpose} `).update(content).digest().subarray(0, DIGEST_BYTES);
  const proofOf = (recipient: Buffer) => digest('unsubscribe', recipient);
  return {
    recipient: (address) => digest('recipient', mailboxOf(address)),
    source: (clientAddress) => digest('source', networkOf(clientAddress, SOURCE_BITS)),
    unsubscribeToken: (recipient) => Buffer.concat([recipient, proofOf(recipient)]).toString('base64url'),
    recipientOf(token) {
      if (!TOKEN.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      const recipient = bytes.subarray(0, DIGEST_BYTES);
      return timingSafeEqual(bytes.subarray(DIGEST_BYTES), proofOf(recipient)) ? recipient : null;
    },
  };
}

/** VAULT_KEY is rotated, the relayer's key is not: from that one the key of the addressHashes is derived (RFC 5869). */
export function addressHashKey(relayerKey: KeyObject): Uint8Array {
  const { d = '' } = relayerKey.export({ format: 'jwk' });
  return new Uint8Array(hkdfSync('sha256', Buffer.from(d, 'base64url'), '', 'perpetua mail correspondents', 32));
}

const GMAIL = ['gmail.com', 'googlemail.com'];

/**
 * What an e-mail address is counted as. Most servers take no notice of case and of what follows a plus sign, and Gmail of dots:
 * else one mailbox could be written to under very many addresses.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const user = address.slice(0, at).toLowerCase();
  const plain = user.replace(/(?<=.)\+.*$/, '');
  return GMAIL.includes(domain) ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${domain}`;
}
