import { isTokenId, isUuid } from '../../../../protocol/ids.ts';

/** What a link asks a person to sign. Everything in it was written by whoever made the link. */
export type AskedRequest = { readonly beo: string } & (
  | { readonly ask: 'lockBEO' | 'unlockBEO' | 'revokeAllTokens' | 'destroyBEO' }
  | { readonly ask: 'revokeToken'; readonly tokenId: string }
  | { readonly ask: 'cancelRecovery'; readonly requestId: string }
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
      return null;
  }
}
