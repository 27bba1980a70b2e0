import { GUARDIAN_ROLES } from '../../protocol/entities/guardian.ts';
import { parseUrl } from '../../protocol/parse-url.ts';
import type { OpenedKey } from '../_keys/secret.ts';
import { type Answer, fieldsOf, signAndPost } from '../_session/post.ts';
import type { GuardianLink, KeptRequest } from './kept-recovery.ts';

const LINK = /^https?:\/\/[^/]+\/api\/guardian\/confirm-recovery\/[\w-]+$/;

export type Requested =
  | { readonly request: KeptRequest }
  /** `KEY_UNCHANGED`: the identity has this key already. */
  | { readonly refused: string }
  /** The server returned other words than the key has. */
  | 'mismatch';

/** Signs and sends a request for recovery, and compares the words in the response with those of the key. */
export async function requestRecovery(beoId: string, { publicKey, seed }: OpenedKey): Promise<Requested> {
  const sent = signAndPost('/api/relayer/beo/request-recovery', seed, 'requestRecovery', {
    beoId,
    newPublicKey: publicKey,
  });
  const [answer, list] = await Promise.all([sent.catch(() => null), import('../_keys/crypto.ts').catch(() => null)]);
  if (!answer || !list) return { refused: 'UNREACHABLE' };
  if (!answer.ok) return { refused: answer.code };
  if (answer.body.fingerprint !== list.recoveryWords(beoId, publicKey).join(' ')) return 'mismatch';
  const request = requestIn(answer);
  return request ? { request } : { refused: 'INTERNAL' };
}

/** Parses the response to a request for recovery (protocol §4); null where it has another form. */
export function requestIn({ body }: Extract<Answer, { ok: true }>): KeptRequest | null {
  const { request_id: requestId, expires_at: expiresAt, links } = body;
  if (typeof requestId !== 'string' || typeof expiresAt !== 'string' || !Array.isArray(links)) return null;
  const known = links.flatMap((link) => linkIn(link) ?? []);
  return known.length === links.length && known.length > 0 ? { requestId, expiresAt, links: known } : null;
}

function linkIn(value: unknown): GuardianLink | null {
  const { role, url } = fieldsOf(value);
  const known = GUARDIAN_ROLES.find((each) => each === role);
  return known && typeof url === 'string' && LINK.test(url) && parseUrl(url) ? { role: known, url } : null;
}
