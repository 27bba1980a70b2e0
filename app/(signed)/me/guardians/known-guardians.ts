'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Answers } from '../../../../server/http/trpc/router.ts';
import { useHolder } from '../../../_session/current.tsx';
import { useSession } from '../../../_session/session.tsx';
import { useSignedBody } from '../../../_session/write.tsx';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPCClient } from '../../../_trpc/query-provider.tsx';
import { NO_CONTACT, type Person } from './guardian-settings.ts';

type OpenRequest = Answers['guardians']['open_requests'][number];
interface Attestation {
  readonly on: string | null;
  readonly practised: string | null;
}

type People = ReadonlyMap<string, Person>;

/** What only the holder can read of the guardians (listGuardians). Dropped when the key is locked. */
export interface KnownGuardians {
  /** By guardian_id; only those whose name is in the vault. */
  readonly people: People;
  /** The ids of the eligible guardians; null until they are read. */
  readonly eligible: ReadonlySet<string> | null;
  /** By guardian_id, the last day on which each checked the key, and the last practice in which each took part. */
  readonly attested: ReadonlyMap<string, Attestation>;
  /** The open requests for a recovery, also those without a confirmation; empty until they are read. */
  readonly requests: readonly OpenRequest[];
  readonly isReading: boolean;
  readonly failure: Failure | null;
  /** Opens the key, or retries a failed read. */
  show(): void;
}

interface GuardiansRead {
  readonly requests: readonly OpenRequest[];
  readonly people: People;
  readonly eligible: ReadonlySet<string>;
  readonly attested: KnownGuardians['attested'];
}

const EMPTY_PERSON: People = new Map();
const NOT_READ: KnownGuardians['attested'] = new Map();
const QUERY_KEY = 'known guardians';

/** The names of the guardians, read once the key is open and they are `wanted`, and again after each change. */
export function useKnownGuardians(wanted = true): KnownGuardians {
  const { view, kept } = useHolder();
  const { isOpen, signer } = useSession();
  const signedBody = useSignedBody();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const beoId = kept.id;
  const isOwn = view.status !== 'DESTROYED' && view.public_key === kept.publicKey;
  const { enabled, confirmed_only, guardians } = view.recovery;
  const confirmed = view.active_recovery?.request_id;

  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [QUERY_KEY, beoId, JSON.stringify([enabled, confirmed_only, guardians, confirmed])],
    queryFn: async (): Promise<GuardiansRead> => {
      const body = await signedBody('listGuardians', { beoId });
      if (!body) throw new Error('The key was not opened.');
      const { recovery, open_requests: requests } = await client.guardians.mutate({ body });
      const named = recovery.guardians.flatMap(({ guardian_id: id, name, contact }) =>
        name === null ? [] : [[id, { name, contact: contact === NO_CONTACT ? '' : (contact ?? '') }] as const],
      );
      const eligible = recovery.guardians.filter(({ eligible }) => eligible).map(({ guardian_id: id }) => id as string);
      const attested = recovery.guardians.map(
        ({ guardian_id: id, attested_on: on, practised }) => [id as string, { on, practised }] as const,
      );
      return { people: new Map(named), eligible: new Set(eligible), attested: new Map(attested), requests };
    },
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isOpen && isOwn && wanted,
    placeholderData: (before) => before,
    refetchOnWindowFocus: false,
  });

  useEffect(() => {
    if (!isOpen) queries.removeQueries({ queryKey: [QUERY_KEY] });
  }, [isOpen, queries]);

  const known = isOpen ? data : undefined;
  return {
    people: known?.people ?? EMPTY_PERSON,
    eligible: isPlaceholderData ? null : (known?.eligible ?? null),
    attested: known?.attested ?? NOT_READ,
    requests: known?.requests ?? [],
    isReading: isOpen && isFetching && !known,
    failure: isOpen && error && !known ? failureOf(error) : null,
    show: () => void (isOpen ? refetch() : signer()),
  };
}
