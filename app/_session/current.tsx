'use client';

import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useDeferredValue } from 'react';
import type { BeoView } from '../../protocol/entities/beo.ts';
import type { IeoView } from '../../protocol/entities/ieo.ts';
import type { KeptIdentity } from '../_keys/identities.ts';
import { type Failure, failureOf } from '../_trpc/failure.ts';
import { useTRPC } from '../_trpc/query-provider.tsx';

interface Current<View> {
  /** As last read from the service. */
  readonly view: View;
  /** As stored in this browser. */
  readonly kept: KeptIdentity;
  /** Why the view could not be read again; it may then be out of date. */
  readonly failure: Failure | null;
}

const HolderContext = createContext<Current<BeoView> | null>(null);
const InstitutionContext = createContext<Current<IeoView> | null>(null);

const MOVING_MS = 3_000;
const QUIET_MS = 20_000;

type Watched = { readonly ledger: { readonly status: string } };
const pace = (view: Watched | undefined): number => (view && view.ledger.status !== 'FINAL' ? MOVING_MS : QUIET_MS);

interface Read<View> {
  /** Undefined until it was read. */
  readonly view: View | undefined;
  /** Why it could not be read again. */
  readonly error: unknown;
}

/**
 * The public state of a stored identity, polled. A response is rendered as a transition, which keeps the page responsive.
 */
export function useHolderView(kept: KeptIdentity | null | undefined): Read<BeoView> {
  const trpc = useTRPC();
  const { data, error } = useQuery(
    trpc.identity.queryOptions(
      { reference: kept?.id ?? '' },
      { enabled: Boolean(kept), refetchInterval: ({ state }) => pace(state.data) },
    ),
  );
  const view = useDeferredValue(data);
  return { view: view?.beo_id === kept?.id ? view : undefined, error };
}

export function useInstitutionView(kept: KeptIdentity | null | undefined): Read<IeoView> {
  const trpc = useTRPC();
  const { data, error } = useQuery(
    trpc.institution.queryOptions(
      { reference: kept?.id ?? '' },
      { enabled: Boolean(kept), refetchInterval: ({ state }) => pace(state.data) },
    ),
  );
  const view = useDeferredValue(data);
  return { view: view?.ieo_id === kept?.id ? view : undefined, error };
}

type ProviderProps<View> = { view: View; kept: KeptIdentity; error: unknown; children: ReactNode };

const failed = (error: unknown): Failure | null => (error ? failureOf(error) : null);

type HolderProviderProps = { holder: Omit<Current<BeoView>, 'failure'> | null; error: unknown; children: ReactNode };

/** `holder`: null until it is read, for pages that begin without it. */
export function HolderProvider({ holder, error, children }: HolderProviderProps) {
  return <HolderContext value={holder && { ...holder, failure: failed(error) }}>{children}</HolderContext>;
}

export function InstitutionProvider({ view, kept, error, children }: ProviderProps<IeoView>) {
  return <InstitutionContext value={{ view, kept, failure: failed(error) }}>{children}</InstitutionContext>;
}

/** The holder of the current pages; null until it is read, on pages that begin without it. */
export const useHolderOnceRead = (): Current<BeoView> | null => use(HolderContext);

/** The holder of the current pages. Only below the layout of /me. */
export function useHolder(): Current<BeoView> {
  const holder = useHolderOnceRead();
  if (!holder) throw new Error('useHolder needs a HolderProvider above it.');
  return holder;
}

/** The institution of the current pages. Only below the layout of /institution. */
export function useInstitution(): Current<IeoView> {
  const institution = use(InstitutionContext);
  if (!institution) throw new Error('useInstitution needs an InstitutionProvider above it.');
  return institution;
}
