import { hash, randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LENGTH = 43;

/**
 * Creates the secret of a guardian's link: 256 random bits in 43 base64url characters. The two spare bits of the last
 * character hold the ledger's epoch mod 4, the only information about an unknown link after a restore. Protocol §4.
 */
export function newLinkToken(epoch: number): string {
  const token = randomBytes(32).toString('base64url');
  return token.slice(0, -1) + ALPHABET.charAt(ALPHABET.indexOf(token.slice(-1)) | epochBits(epoch));
}

const epochBits = (epoch: number): number => (epoch - 1) & 3;

/** Whether an unknown link was made before the restore that started `epoch`. */
export const isOfEarlierEpoch = (token: string, epoch: number): boolean =>
  epoch > 1 && TOKEN.test(token) && (ALPHABET.indexOf(token.slice(-1)) & 3) !== epochBits(epoch);

const TOKEN = new RegExp(`^[\\w-]{${LENGTH}}$`);

/** The stored hash of a link; null for a malformed token. */
export const linkHash = (token: string): Buffer | null => (TOKEN.test(token) ? hash('sha256', token, 'buffer') : null);
