import { INTENTS, type Intent, type TokenView } from '../../../protocol/entities/token.ts';

export interface ReceivedFilter {
  readonly status: TokenView['status'] | null;
  readonly intent: Intent | null;
  /** A part of the person's domain or id. */
  readonly holder: string;
}

export const EVERYTHING: ReceivedFilter = { status: null, intent: null, holder: '' };

export const STATES: readonly TokenView['status'][] = ['ACTIVE', 'EXPIRED', 'REVOKED'];

export const isFiltered = ({ status, intent, holder }: ReceivedFilter): boolean =>
  status !== null || intent !== null || holder.trim() !== '';

/** The consents that match a filter, in their order. */
export function filtered(consents: readonly TokenView[], { status, intent, holder }: ReceivedFilter): TokenView[] {
  const part = holder.trim().toLowerCase();
  return consents.filter(
    (consent) =>
      (status === null || consent.status === status) &&
      (intent === null || consent.scope.intents.includes(intent)) &&
      (part === '' || (consent.beo_domain ?? consent.beo_id).includes(part)),
  );
}

/** The intents of consents, in the order of the protocol. */
export const intentsOf = (consents: readonly TokenView[]): Intent[] =>
  INTENTS.filter((intent) => consents.some(({ scope }) => scope.intents.includes(intent)));

/** The consents in force with an intent. */
export const usableFor = (consents: readonly TokenView[], intent: Intent): TokenView[] =>
  filtered(consents, { status: 'ACTIVE', intent, holder: '' });
