import { INTENTS, type Intent } from '../../../protocol/entities/intents.ts';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { folded } from '../../../protocol/folded-text.ts';

export interface ReceivedFilter {
  readonly status: TokenView['status'] | null;
  readonly intent: Intent | null;
  /** A part of the person's name, id or local reference. */
  readonly holder: string;
}

type References = ReadonlyMap<string, string>;

const NO_REFERENCES: References = new Map();

export const EVERYTHING: ReceivedFilter = { status: null, intent: null, holder: '' };

export const STATES: readonly TokenView['status'][] = ['ACTIVE', 'EXPIRED', 'REVOKED'];

export const isFiltered = ({ status, intent, holder }: ReceivedFilter): boolean =>
  status !== null || intent !== null || holder.trim() !== '';

/** A filter without the person as the parameters of an address, and back; what an address has of another version is ignored. */
export const parametersOf = ({ status, intent }: ReceivedFilter) => ({
  status: status ?? '',
  can: intent ?? '',
});

export const filterIn = (parameters: Pick<URLSearchParams, 'get'>): ReceivedFilter => ({
  holder: '',
  status: STATES.find((status) => status === parameters.get('status')) ?? null,
  intent: INTENTS.find((intent) => intent === parameters.get('can')) ?? null,
});

/** The consents that match a filter, in their order. */
export function filtered(
  consents: readonly TokenView[],
  { status, intent, holder }: ReceivedFilter,
  references = NO_REFERENCES,
): TokenView[] {
  const part = folded(holder.trim());
  const named = ({ beo_domain, beo_id }: TokenView) =>
    [beo_domain ?? beo_id, references.get(beo_id) ?? ''].some((text) => folded(text).includes(part));
  return consents.filter(
    (consent) =>
      (status === null || consent.status === status) &&
      (intent === null || consent.scope.intents.includes(intent)) &&
      (part === '' || named(consent)),
  );
}

/** The intents of consents, in the order of the protocol. */
export const intentsOf = (consents: readonly TokenView[]): Intent[] =>
  INTENTS.filter((intent) => consents.some(({ scope }) => scope.intents.includes(intent)));

/** The consents in force with an intent. */
export const usableFor = (consents: readonly TokenView[], intent: Intent): TokenView[] =>
  filtered(consents, { status: 'ACTIVE', intent, holder: '' });

/** The numbers of consents that every page shows. */
export function countsOf(consents: readonly TokenView[]) {
  const active = consents.filter(({ status }) => status === 'ACTIVE');
  return { active: active.length, people: new Set(active.map(({ beo_id }) => beo_id)).size, all: consents.length };
}
