import type { IdentityKind } from '../../_keys/identities.ts';

/** Where the pages of an identity begin. */
export const homeOf = (kind: IdentityKind): string => (kind === 'holder' ? '/me' : '/institution');
