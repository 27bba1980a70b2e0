import { hash, randomBytes } from 'node:crypto';

/** The secret of a guardian's link: 256 random bits, 43 base64url characters. Protocol §4. */
export const newLinkToken = (): string => randomBytes(32).toString('base64url');

const TOKEN = /^[\w-]{43}$/;

/** What a link is found by; null for what cannot be one. */
export const linkHash = (token: string): Buffer | null => (TOKEN.test(token) ? hash('sha256', token, 'buffer') : null);

export const invitationUrl = (publicUrl: string, token: string): string => `${publicUrl}/api/guardian/accept/${token}`;

export const confirmationUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}/api/guardian/confirm-recovery/${token}`;
