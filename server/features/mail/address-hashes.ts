import { createHmac, timingSafeEqual } from 'node:crypto';
import { networkOf } from '../../settings/client-address.ts';

/**
 * Keyed hashes of senders and recipients of mail. Equal addresses have equal hashes, and no address can be read from
 * them.
 */
export interface AddressHashes {
  /** Of an e-mail address, the same for all its spellings. */
  recipient(address: string): Buffer;
  /** Of the network of the client that causes a mail. */
  source(clientAddress: string): Buffer;
  /** The secret of a recipient's unsubscribe link: 43 base64url characters. */
  unsubscribeToken(recipient: Buffer): string;
  /** The recipient of an unsubscribe link; null if the token is invalid. */
  recipientOf(unsubscribeToken: string): Buffer | null;
}

const DIGEST_BYTES = 16;
const SOURCE_BITS = { ipv4: 24, ipv6: 48 };
const TOKEN = /^[\w-]{43}$/;

/** @param key a permanent secret shared by all processes: opt-outs depend on it */
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

const GMAIL = ['gmail.com', 'googlemail.com'];

/**
 * The mailbox that an address counts as. Most servers ignore case and the part after a plus sign, and Gmail ignores
 * dots; otherwise one mailbox could have very many addresses.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const user = address.slice(0, at).toLowerCase();
  const plain = user.replace(/(?<=.)\+.*$/, '');
  return GMAIL.includes(domain) ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${domain}`;
}
