import { GUARDIAN_ROLES } from '../../protocol/ids.ts';
import { type Answer, fieldsOf } from '../_session/post.ts';
import type { GuardianLink, KeptRequest } from './kept-recovery.ts';

const LINK = /^https?:\/\/[^/]+\/api\/guardian\/confirm-recovery\/[\w-]+$/;

/** What request-recovery answered (protocol §4), or null where that is not in it. */
export function requestIn({ body }: Extract<Answer, { ok: true }>): KeptRequest | null {
  const { request_id: requestId, expires_at: expiresAt, links } = body;
  if (typeof requestId !== 'string' || typeof expiresAt !== 'string' || !Array.isArray(links)) return null;
  const known = links.flatMap((link) => linkIn(link) ?? []);
  return known.length === links.length && known.length > 0 ? { requestId, expiresAt, links: known } : null;
}

function linkIn(value: unknown): GuardianLink | null {
  const { role, url } = fieldsOf(value);
  const known = GUARDIAN_ROLES.find((each) => each === role);
  return known && typeof url === 'string' && LINK.test(url) ? { role: known, url } : null;
}
