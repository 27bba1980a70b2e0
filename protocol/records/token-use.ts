import type { Beo } from '../entities/beo.ts';
import type { Entities } from '../entities/entities.ts';
import type { Ieo, IeoType } from '../entities/ieo.ts';
import type { Intent } from '../entities/intents.ts';
import type { Instant } from '../entities/recorded.ts';
import {
  type Token,
  type TokenParties,
  TYPE_RESTRICTIONS,
  type TypeRestriction,
  tokenState,
  typeRestriction,
} from '../entities/token.ts';
import { refusal } from '../errors.ts';
import type { SubjectIds } from '../operation.ts';
import { requireBeo, requireUnlocked } from '../operations/beo-key-operation.ts';
import { requireIeo, requireIeoIn } from '../operations/ieo-key-operation.ts';
import { covers, type Place } from './coverage.ts';

export interface TokenUse {
  readonly token: Token;
  readonly holder: Beo;
  readonly grantee: Ieo | Beo;
  /** The user of the token: the grantee or the holder. */
  readonly user: Ieo | Beo;
}

/** The reasons why a token does not allow a use, in the order of protocol §4. */
export const TOKEN_PROBLEMS = [
  'TOKEN_REVOKED',
  'TOKEN_EXPIRED',
  'BEO_NOT_ACTIVE',
  'IEO_NOT_ACTIVE',
  'INTENT_NOT_AUTHORIZED',
  'CATEGORY_NOT_AUTHORIZED',
] as const;
type TokenProblem = (typeof TOKEN_PROBLEMS)[number];

export interface Use extends Place {
  readonly intent?: Intent | undefined;
}

/** The first reason why a token does not allow its grantee a use at `now` (ms), in the order of protocol §4, or null. */
export function tokenProblem(token: Token, parties: TokenParties, use: Use, now: number): TokenProblem | null {
  const { intent, category, level } = use;
  const { status } = tokenState(token, parties, now);
  if (status === 'REVOKED') return 'TOKEN_REVOKED';
  if (status === 'EXPIRED') return 'TOKEN_EXPIRED';
  if (parties.beo.status !== 'ACTIVE') return 'BEO_NOT_ACTIVE';
  if (parties.grantee.status !== 'ACTIVE') return 'IEO_NOT_ACTIVE';
  const type = parties.grantee.kind === 'IEO' ? parties.grantee.ieoType : null;
  const allowed = !intent || (token.scope.intents.includes(intent) && granteeRestriction(token, type, intent) === null);
  if (!allowed) return 'INTENT_NOT_AUTHORIZED';
  if ((category || level) && !covers(token.scope, type, use)) return 'CATEGORY_NOT_AUTHORIZED';
  return null;
}

/**
 * Why a grantee may not use a token for an intent in its scope, or null. Checked at use as well, because a ledger can have tokens older
 * than a rule. `type` is null for the holder.
 */
const granteeRestriction = (
  { scope, expiresAt }: Token,
  type: IeoType | null,
  intent: Intent,
): TypeRestriction | null =>
  typeRestriction(type, { intents: [intent], categories: scope.categories }, expiresAt !== null);

/**
 * Returns the parties of a token if it allows a use now; checks in the order of protocol §5. The holder, too, may use any live token
 * within its scope (protocol §3).
 * @throws TOKEN_NOT_FOUND, BEO_LOCKED, BEO_DESTROYED, IEO_LOCKED, IEO_NOT_ACTIVE, IEO_DESTROYED, TOKEN_REVOKED, TOKEN_EXPIRED,
 * INTENT_NOT_AUTHORIZED, INTENT_NOT_ALLOWED_FOR_TYPE
 */
export function requireTokenUse(
  entities: Pick<Entities, 'get'>,
  subjects: SubjectIds,
  intent: Intent,
  at: Instant,
  by: 'grantee' | 'holder' = 'grantee',
): TokenUse {
  const token = entities.get('TOKEN', subjects.token ?? '');
  if (!token) throw refusal('TOKEN_NOT_FOUND');
  const holder = requireBeo(entities, token.beoId);
  requireUnlocked(holder);
  const grantee = granteeOf(entities, token, holder, by);
  const { status, revokedAt } = tokenState(token, { beo: holder, grantee }, Date.parse(at));
  if (status === 'REVOKED') throw refusal('TOKEN_REVOKED', undefined, { revoked_at: revokedAt });
  if (status === 'EXPIRED') throw refusal('TOKEN_EXPIRED', undefined, { expired_at: token.expiresAt });
  if (!token.scope.intents.includes(intent))
    throw refusal('INTENT_NOT_AUTHORIZED', `The consent does not allow ${intent}.`);
  const user = by === 'holder' ? holder : grantee;
  const restriction = granteeRestriction(token, user.kind === 'IEO' ? user.ieoType : null, intent);
  if (restriction) throw refusal('INTENT_NOT_ALLOWED_FOR_TYPE', TYPE_RESTRICTIONS[restriction]);
  return { token, holder, grantee, user };
}

/** The institution's status does not limit the holder. */
function granteeOf(entities: Pick<Entities, 'get'>, token: Token, holder: Beo, by: 'grantee' | 'holder'): Ieo | Beo {
  if (token.grantee.kind === 'BEO') return holder;
  return by === 'holder'
    ? requireIeo(entities, token.grantee.id)
    : requireIeoIn(['ACTIVE'], entities, token.grantee.id);
}
