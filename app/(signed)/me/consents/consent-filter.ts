import { INTENTS, type Intent } from '../../../../protocol/entities/intents.ts';
import { revocationCovers } from '../../../../protocol/entities/revocation.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { folded } from '../../../../protocol/folded-text.ts';
import { inForce } from './consents-in-force.ts';

export interface Filter {
  /** Null for every state. */
  readonly state: 'inForce' | 'ended' | null;
  /** ieo_id; for own consents the holder's beo_id. */
  readonly grantee: string | null;
  readonly intent: Intent | null;
  readonly text: string;
}

export const NO_FILTER: Filter = { state: null, grantee: null, intent: null, text: '' };

export const isFiltering = ({ state, grantee, intent, text }: Filter): boolean =>
  state !== null || grantee !== null || intent !== null || text.trim() !== '';

/** What the text filter searches: the words of a consent, and the grantees whose name matches. */
export interface Words {
  of(consent: TokenView): string;
  readonly granteeIds: ReadonlySet<string>;
}

/** The matching consents: those in force first, each group the newest first. */
export function arranged(consents: readonly TokenView[], filter: Filter, words: Words): TokenView[] {
  const terms = folded(filter.text).split(/\s+/).filter(Boolean);
  const matching = consents.filter(
    (consent) =>
      (filter.state === null || inForce(consent) === (filter.state === 'inForce')) &&
      (filter.grantee === null || consent.ieo_id === filter.grantee) &&
      (filter.intent === null || consent.scope.intents.includes(filter.intent)) &&
      (terms.length === 0 || words.granteeIds.has(consent.ieo_id) || hasAll(folded(words.of(consent)), terms)),
  );
  return [...matching.filter(inForce), ...matching.filter((consent) => !inForce(consent))];
}

const hasAll = (text: string, terms: readonly string[]): boolean => terms.every((term) => text.includes(term));

export interface GranteeCount {
  readonly id: string;
  readonly domain: string | null;
  readonly inForce: number;
  readonly all: number;
}

/** The grantees, those with the most consents in force first. */
export function granteesOf(consents: readonly TokenView[]): GranteeCount[] {
  const counts = new Map<string, GranteeCount>();
  for (const consent of consents) {
    const { ieo_id: id, ieo_domain: domain } = consent;
    const before = counts.get(id) ?? { id, domain, inForce: 0, all: 0 };
    counts.set(id, { ...before, inForce: before.inForce + Number(inForce(consent)), all: before.all + 1 });
  }
  const name = ({ domain, id }: GranteeCount) => domain ?? id;
  return [...counts.values()].sort((a, b) => b.inForce - a.inForce || b.all - a.all || name(a).localeCompare(name(b)));
}

/** The number of consents in force that a withdrawal by each intent ends. */
export function intentCounts(consents: readonly TokenView[]): { readonly intent: Intent; readonly inForce: number }[] {
  const live = consents.filter(inForce);
  return INTENTS.map((intent) => ({
    intent,
    inForce: live.filter(({ ieo_id, scope }) =>
      revocationCovers({ intent }, { granteeId: ieo_id, intents: scope.intents }),
    ).length,
  }));
}
