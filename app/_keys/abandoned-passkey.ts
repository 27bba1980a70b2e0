import type { SealedByPasskey } from './identities.ts';

type Passkey = Pick<SealedByPasskey, 'credentialId'>;
type User = { readonly passkey: Passkey | null };

/**
 * Whether a passkey that a draft no longer wants protects nothing. `before` is the stored draft as it was: another tab may have sent
 * its key, and then dropped it. `users`: what keeps a key in this browser.
 */
export const isAbandoned = (passkey: Passkey, before: User | null, users: readonly User[]): boolean =>
  isOf(passkey, before) && !users.some((user) => isOf(passkey, user));

const isOf = ({ credentialId }: Passkey, user: User | null): boolean =>
  user?.passkey != null && String(user.passkey.credentialId) === String(credentialId);
