import type { Beo } from './beo.ts';
import type { Entities } from './entities.ts';
import { refusal } from './errors.ts';
import type { Ieo } from './ieo.ts';
import type { SubjectIds } from './operation.ts';
import { livingBeo, refuseLocked } from './operations/beo-key-operation.ts';
import { ieoThatIs } from './operations/ieo-key-operation.ts';
import type { Instant } from './recorded.ts';
import { beyondType, type Intent, type Token, tokenState } from './token.ts';

export interface TokenUse {
  readonly token: Token;
  readonly holder: Beo;
  readonly grantee: Ieo | Beo;
}

/**
 * Whether a token allows a use at present, asked of the state on every request, in the order of protocol §5.
 * @throws TOKEN_NOT_FOUND, BEO_LOCKED, BEO_DESTROYED, IEO_LOCKED, IEO_NOT_ACTIVE, IEO_DESTROYED, TOKEN_REVOKED, TOKEN_EXPIRED,
 * INTENT_NOT_AUTHORIZED, INTENT_NOT_ALLOWED_FOR_TYPE
 */
export function refuseUse(
  entities: Pick<Entities, 'get'>,
  subjects: SubjectIds,
  intent: Intent,
  at: Instant,
): TokenUse {
  const token = entities.get('TOKEN', subjects.token ?? '');
  if (!token) throw refusal('TOKEN_NOT_FOUND');
  const holder = livingBeo(entities, token.beoId);
  refuseLocked(holder);
  const grantee = token.grantee.kind === 'BEO' ? holder : ieoThatIs(['ACTIVE'], entities, token.grantee.id);
  const { status, revokedAt } = tokenState(token, { beo: holder, grantee }, Date.parse(at));
  if (status === 'REVOKED') throw refusal('TOKEN_REVOKED', undefined, { revoked_at: revokedAt });
  if (status === 'EXPIRED') throw refusal('TOKEN_EXPIRED', undefined, { expired_at: token.expiresAt });
  if (!token.scope.intents.includes(intent))
    throw refusal('INTENT_NOT_AUTHORIZED', `The consent does not allow ${intent}.`);
  if (intent === 'SUBMIT_RECORD' && grantee.kind === 'BEO') {
    throw refusal('INTENT_NOT_ALLOWED_FOR_TYPE', 'Records are submitted by institutions.');
  }
  const beyond =
    grantee.kind === 'IEO'
      ? beyondType(grantee.ieoType, { ...token.scope, intents: [intent] }, token.expiresAt !== null)
      : null;
  if (beyond) throw refusal('INTENT_NOT_ALLOWED_FOR_TYPE', beyond);
  return { token, holder, grantee };
}
