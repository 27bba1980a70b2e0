'use client';

import { useCallback } from 'react';
import type { IdentityKind } from '../_keys/identities.ts';
import { type Failure, failureOf } from '../_trpc/failure.ts';
import { useTRPCClient } from '../_trpc/query-provider.tsx';

/** The identity whose key is about to be brought. */
export interface Owner {
  readonly id: string;
  readonly kind: IdentityKind;
  readonly domain: string;
  /** The current key, lower-case hex. */
  readonly publicKey: string;
}

export type Lookup =
  | { readonly owner: Owner }
  /** No identity has this domain, or it is destroyed. */
  | { readonly problem: 'unknown' | 'destroyed' }
  | { readonly problem: 'failed'; readonly failure: Failure };

const NOT_FOUND = new Set(['BEO_NOT_FOUND', 'IEO_NOT_FOUND', 'DOMAIN_INVALID', 'VALIDATION_FAILED']);

/** Finds the identity of a domain: a person's or an institution's. */
export function useLookup(): (reference: string) => Promise<Lookup> {
  const client = useTRPCClient();
  return useCallback(
    async (reference) => {
      const found = await Promise.allSettled([
        client.identity.query({ reference }),
        client.institution.query({ reference }),
      ]);
      const [holder, institution] = found;
      if (holder.status === 'fulfilled') {
        const { beo_id: id, domain, public_key: publicKey } = holder.value;
        return ownerOf({ id, kind: 'holder', domain, publicKey });
      }
      if (institution.status === 'fulfilled') {
        const { ieo_id: id, domain, public_key: publicKey, status } = institution.value;
        return ownerOf({ id, kind: 'institution', domain, publicKey: status === 'DESTROYED' ? null : publicKey });
      }
      const failures = [holder.reason, institution.reason].map(failureOf);
      const failure = failures.find(({ code }) => !NOT_FOUND.has(code));
      return failure ? { problem: 'failed', failure } : { problem: 'unknown' };
    },
    [client],
  );
}

type Found = Omit<Owner, 'domain' | 'publicKey'> & {
  readonly domain: string | null;
  readonly publicKey: string | null;
};

const ownerOf = ({ id, kind, domain, publicKey }: Found): Lookup =>
  domain === null || publicKey === null ? { problem: 'destroyed' } : { owner: { id, kind, domain, publicKey } };

/** Finds the identities and institutions whose current key is a public key, lower-case hex. @throws a tRPC error */
export function useOwnersOf(): (publicKey: string) => Promise<readonly Owner[]> {
  const client = useTRPCClient();
  return useCallback(
    async (publicKey) => {
      const { matches } = await client.search.query({ typed: publicKey });
      return matches.flatMap((match): Owner[] => {
        if (match.kind === 'identity') return [{ id: match.id, kind: 'holder', domain: match.domain, publicKey }];
        if (match.kind !== 'institution') return [];
        const { ieo_id: id, domain } = match.institution;
        return [{ id, kind: 'institution', domain, publicKey }];
      });
    },
    [client],
  );
}
