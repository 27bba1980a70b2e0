import { DOMAIN_HOLD_MS } from '../domains.ts';
import { refusal } from '../errors.ts';
import type { BeoId, IeoId } from '../ids.ts';
import type { Beo } from './beo.ts';
import type { Ieo } from './ieo.ts';
import type { Proposal } from './proposal.ts';
import { type Instant, type Recorded, UNRECORDED } from './recorded.ts';
import type { Token } from './token.ts';

/** A domain of the namespace that BEOs and IEOs share: held by an entity, or not available until `availableAt`. */
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
  if (name?.availableAt && Date.parse(at) < Date.parse(name.availableAt)) {
    throw refusal(
      'DOMAIN_TAKEN',
      'The domain was released less than 10 minutes ago; try again after the time in available_at.',
      {
        available_at: name.availableAt,
      },
    );
  }
  return { kind: 'NAME', id: domain, holder, availableAt: null, ...UNRECORDED };
}

/** When the domain of a destroyed holder becomes available; `at` is when destroyBEO was accepted. */
export const domainAvailableAt = (at: Instant): Instant => new Date(Date.parse(at) + DOMAIN_HOLD_MS).toISOString();
