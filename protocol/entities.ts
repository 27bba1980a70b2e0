import type { Beo } from './beo.ts';
import { DOMAIN_HOLD_MS } from './domains.ts';
import { refusal } from './errors.ts';
import type { BeoId, IeoId } from './ids.ts';
import type { Ieo } from './ieo.ts';
import type { Proposal } from './proposal.ts';
import { type Instant, type Recorded, UNRECORDED } from './recorded.ts';
import type { Token } from './token.ts';

/** One name of the namespace that BEOs and IEOs share: held by an entity, or resting until it can be taken again. */
export interface Name extends Recorded {
  readonly kind: 'NAME';
  readonly id: string;
  readonly holder: { readonly kind: 'BEO'; readonly id: BeoId } | { readonly kind: 'IEO'; readonly id: IeoId } | null;
  readonly availableAt: Instant | null;
}

export type Entity = Beo | Ieo | Token | Proposal | Name;
export type EntityKind = Entity['kind'];
export type EntityOf<Kind extends EntityKind> = Extract<Entity, { kind: Kind }>;

/** What a transition may read: the subjects of its operation and what `touches` names, nothing else. */
export interface Entities {
  get<Kind extends EntityKind>(kind: Kind, id: string): EntityOf<Kind> | undefined;
  /** The tokens under one scopeKey that are not revoked. */
  granted(scopeKey: string): readonly Token[];
  /** The tokens of a holder that are not revoked. */
  tokensOf(beoId: string): readonly Token[];
}

/**
 * The name as its new holder has it.
 * @throws DOMAIN_TAKEN while it is held, or rests at `at`.
 */
export function claimName(entities: Entities, domain: string, holder: NonNullable<Name['holder']>, at: Instant): Name {
  const name = entities.get('NAME', domain);
  if (name?.holder) throw refusal('DOMAIN_TAKEN');
  if (name?.availableAt && Date.parse(at) < Date.parse(name.availableAt)) {
    throw refusal('DOMAIN_TAKEN', 'The domain was given up a moment ago and can be taken again shortly.', {
      available_at: name.availableAt,
    });
  }
  return { kind: 'NAME', id: domain, holder, availableAt: null, ...UNRECORDED };
}

/** When a destroyed holder's domain can be taken again; `at` is the acceptance of the destruction. */
export const domainAvailableAt = (at: Instant): Instant => new Date(Date.parse(at) + DOMAIN_HOLD_MS).toISOString();
