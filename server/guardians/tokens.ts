import { hash, randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LENGTH = 43;

/**
 * The secret of a guardian's link: 256 random bits in 43 base64url characters. Two bits of the last character are spare, and say in
 * which epoch of the ledger the link was made (mod 4): after a restore that is all there is to know a lost link by. Protocol §4.
 */
export function newLinkToken(epoch: number): string {
  const token = randomBytes(32).toString('base64url');
  return token.slice(0, -1) + ALPHABET.charAt(ALPHABET.indexOf(token.slice(-1)) | epochBits(epoch));
}

const epochBits = (epoch: number): number => (epoch - 1) & 3;

/** Whether a link that nothing is known of was made before the restore with which `epoch` began. */
export const isOfEarlierEpoch = (token: string, epoch: number): boolean =>
  epoch > 1 && TOKEN.test(token) && (ALPHABET.indexOf(token.slice(-1)) & 3) !== epochBits(epoch);

const TOKEN = new RegExp(`^[\\w-]{${LENGTH}}$`);

/** What a link is found by; null for what cannot be one. */
export const linkHash = (token: string): Buffer | null => (TOKEN.test(token) ? hash('sha256', token, 'buffer') : null);
