import type { RecoveryRequest } from '../../client/types.ts';
import { GUARDIAN_ROLES } from '../../protocol/entities/guardian.ts';
import { parseUrl } from '../../protocol/parse-url.ts';
import type { OpenedKey } from '../_keys/secret.ts';
import { read } from '../_session/send.ts';
import { signerOfOpen } from '../_session/signer.ts';
import type { GuardianLink, KeptRequest } from './kept-recovery.ts';

const LINK = /^https?:\/\/[^/]+\/api\/guardian\/confirm-recovery\/[\w-]+$/;

export type Requested =
  | { readonly request: KeptRequest }
  /** `KEY_UNCHANGED`: the identity has this key already. */
  | { readonly refused: string }
  /** The server returned other words than the key has. */
  | 'mismatch';

/** Signs and sends a request for recovery, and compares the words in the response with those of the key. */
export async function requestRecovery(beoId: string, newKey: OpenedKey): Promise<Requested> {
  const sent = read((client) => client.requestRecovery({ beoId }, { key: signerOfOpen(newKey) }));
  const [answer, list] = await Promise.all([sent, import('../_keys/crypto.ts').catch(() => null)]);
  if (!list) return { refused: 'UNREACHABLE' };
  if (!answer.ok) return { refused: answer.failure.code };
  if (answer.body.fingerprint !== list.recoveryWords(beoId, newKey.publicKey).join(' ')) return 'mismatch';
  const request = requestIn(answer.body);
  return request ? { request } : { refused: 'INTERNAL' };
}

/** The request with its links; null where a link is none of a guardian, because the person is to open and pass on each. */
export function requestIn({ request_id: requestId, expires_at: expiresAt, links }: Opened): KeptRequest | null {
  const known = links.flatMap((link) => linkIn(link) ?? []);
  return known.length === links.length && known.length > 0 ? { requestId, expiresAt, links: known } : null;
}

type Opened = Pick<RecoveryRequest, 'request_id' | 'expires_at'> & {
  readonly links: readonly { readonly role: string; readonly url: string }[];
};

function linkIn({ role, url }: Opened['links'][number]): GuardianLink | null {
  const known = GUARDIAN_ROLES.find((each) => each === role);
  return known && LINK.test(url) && parseUrl(url) ? { role: known, url } : null;
}
