import { MAX_CONSENT_DAYS } from '../../../../protocol/days.ts';
import { INTENTS, type Intent } from '../../../../protocol/entities/intents.ts';
import { isTokenId, isUuid } from '../../../../protocol/ids.ts';
import { isCategory } from '../../../../protocol/records/taxonomy.ts';

/** What a link asks a person to sign. Everything in it was written by whoever made the link. */
export type AskedRequest = { readonly beo: string } & (
  | { readonly ask: 'lockBEO' | 'unlockBEO' | 'revokeAllTokens' | 'destroyBEO' }
  | { readonly ask: 'revokeToken'; readonly tokenId: string }
  | { readonly ask: 'cancelRecovery'; readonly requestId: string }
  | {
      readonly ask: 'grantConsent';
      /** The domain of the institution. */
      readonly ieo: string;
      readonly intents: readonly Intent[];
      /** Codes of categories, or `*`. */
      readonly categories: readonly string[];
      /** Null if the person chooses. */
      readonly days: number | null;
    }
);

const DOMAIN = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,4}$/;

/** The request in the query of a link; null if it is incomplete or unknown. */
export function readAskedRequest(search: URLSearchParams): AskedRequest | null {
  const of = (name: string): string => search.get(name) ?? '';
  const beo = of('beo').toLowerCase();
  if (!DOMAIN.test(beo)) return null;
  const ask = of('ask');
  switch (ask) {
    case 'lockBEO':
    case 'unlockBEO':
    case 'revokeAllTokens':
    case 'destroyBEO':
      return { ask, beo };
    case 'revokeToken':
      return isTokenId(of('token')) ? { ask, beo, tokenId: of('token').toLowerCase() } : null;
    case 'cancelRecovery':
      return isUuid(of('request')) ? { ask, beo, requestId: of('request').toLowerCase() } : null;
    case 'grantConsent': {
      const ieo = of('ieo').toLowerCase();
      const intents = listed(of('intents'), (name): name is Intent => INTENTS.some((known) => known === name));
      const categories = listed(of('categories'), (code): code is string => code === '*' || isCategory(code));
      const days = search.has('days') ? daysOf(of('days')) : null;
      if (!DOMAIN.test(ieo) || !intents || !categories || days === undefined) return null;
      return { ask, beo, ieo, intents, categories, days };
    }
    default:
      return null;
  }
}

/** The operation that the page of the request signs; null if the person signs it on another page. Protocol §1. */
export function operationFor(request: AskedRequest, beoId: string) {
  switch (request.ask) {
    case 'lockBEO':
    case 'unlockBEO':
    case 'revokeAllTokens':
      return { operation: request.ask, fields: { beoId } };
    case 'revokeToken':
      return { operation: request.ask, fields: { tokenId: request.tokenId } };
    case 'cancelRecovery':
      return { operation: request.ask, fields: { beoId, requestId: request.requestId } };
    case 'destroyBEO':
    case 'grantConsent':
      return null;
  }
}

/** The values separated by commas; null unless there is at least one and all are known. */
function listed<Value extends string>(text: string, isKnown: (value: string) => value is Value): Value[] | null {
  const values = [...new Set(text.split(','))];
  return values.every(isKnown) ? values : null;
}

/** Undefined unless it is a number of days that a consent can have. */
function daysOf(text: string): number | undefined {
  const days = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Number.NaN;
  return days <= MAX_CONSENT_DAYS ? days : undefined;
}
