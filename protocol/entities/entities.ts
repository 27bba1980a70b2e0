import { DOMAIN_HOLD_MS } from '../domains.ts';
import { refusal } from '../errors.ts';
import type { BeoId, IeoId } from '../ids.ts';
import type { Beo } from './beo.ts';
import type { Ieo } from './ieo.ts';
import type { Proposal } from './proposal.ts';
import { type Instant, type Recorded, UNRECORDED } from './recorded.ts';
import type { Token } from './token.ts';

/**
 * A domain of the namespace that BEOs and IEOs share: held by an entity, or released. A replay accepts a released one again from
 * `availableAt` on; without that time it is one of which the service keeps only a digest.
 */
export interface Name extends Recorded {
  readonly kind: 'NAME';
  readonly id: string;
  readonly holder: { readonly kind: 'BEO'; readonly id: BeoId } | { readonly kind: 'IEO'; readonly id: IeoId } | null;
  readonly availableAt: Instant | null;
}

export type Entity = Beo | Ieo | Token | Proposal | Name;
export type EntityKind = Entity['kind'];
export type EntityOf<Kind extends EntityKind> = Extract<Entity, { kind: Kind }>;

/** The entities that a transition may read: the subjects of its operation and those that `touches` returns. */
export interface Entities {
  get<Kind extends EntityKind>(kind: Kind, id: string): EntityOf<Kind> | undefined;
  /** The tokens under one scopeKey that are not revoked. */
  granted(scopeKey: string): readonly Token[];
}

/** What `admit` may read besides. */
export interface Admission extends Entities {
  /** The number of live tokens of a holder; expired ones may count until there are MAX_LIVE_TOKENS. */
  liveTokens(beoId: string): number;
}

/**
 * The name, assigned to a new holder.
 * @throws DOMAIN_TAKEN if it has a holder or is not available yet at `at`
 */
export function claimName(entities: Entities, domain: string, holder: NonNullable<Name['holder']>, at: Instant): Name {
  const name = entities.get('NAME', domain);
  if (name?.holder) throw refusal('DOMAIN_TAKEN');
  if (name?.availableAt && Date.parse(at) < Date.parse(name.availableAt)) throw refusal('DOMAIN_TAKEN');
  return { kind: 'NAME', id: domain, holder, availableAt: null, ...UNRECORDED };
}

/**
 * For `admit`: a domain that had a holder is never given again, or another person would pass for the former one. Older ledgers
 * have some that were, so claimName accepts it. Protocol §2.
 * @throws DOMAIN_TAKEN
 */
export function requireNewName(entities: Pick<Entities, 'get'>, domain: string): void {
  if (entities.get('NAME', domain)) throw refusal('DOMAIN_TAKEN');
}

/** When a replay accepts the domain of a destroyed holder again; `at` is when destroyBEO was accepted. */
export const domainAvailableAt = (at: Instant): Instant => new Date(Date.parse(at) + DOMAIN_HOLD_MS).toISOString();
