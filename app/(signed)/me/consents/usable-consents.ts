import type { TokenView } from '../../../../protocol/entities/token.ts';
import type { SelfIntent } from '../../../_session/self-consent-fields.ts';
import { inForce, isOwn } from './consents-in-force.ts';

export interface UsableConsents {
  /** One that covers everything, or else all that allow the intent. */
  readonly tokens: readonly TokenView[];
  readonly coverEverything: boolean;
}

/**
 * The consents under which a holder's own key reads or exports: their own, and those of institutions, within their scopes
 * (protocol §3).
 */
export function usableConsents(intent: SelfIntent, consents: readonly TokenView[]): UsableConsents {
  const allowing = consents.filter((consent) => inForce(consent) && consent.scope.intents.includes(intent));
  const full = allowing.filter(coversEverything);
  const best = full.find(isOwn) ?? full[0];
  return best ? { tokens: [best], coverEverything: true } : { tokens: allowing, coverEverything: false };
}

const coversEverything = ({ scope }: TokenView): boolean =>
  scope.categories.includes('*') && scope.levels.length === 0 && scope.period === null && scope.max_records === null;
