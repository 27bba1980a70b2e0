'use client';

import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use } from 'react';
import type { BeoView } from '../../protocol/beo.ts';
import type { IeoView } from '../../protocol/ieo.ts';
import type { KeptIdentity } from '../session/identities.ts';
import { type Failure, failureOf } from '../trpc/failure.ts';
import { useTRPC } from '../trpc/provider.tsx';

interface Current<View> {
  /** As the service serves it now. */
  readonly view: View;
  /** As this browser keeps it. */
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

/** The public state of a kept identity, read again and again. */
export function useHolderView({ id }: KeptIdentity) {
  const trpc = useTRPC();
  return useQuery(trpc.identity.queryOptions({ reference: id }, { refetchInterval: ({ state }) => pace(state.data) }));
}

export function useInstitutionView({ id }: KeptIdentity) {
  const trpc = useTRPC();
  return useQuery(
    trpc.institution.queryOptions({ reference: id }, { refetchInterval: ({ state }) => pace(state.data) }),
  );
}

type ProviderProps<View> = { view: View; kept: KeptIdentity; error: unknown; children: ReactNode };

const failed = (error: unknown): Failure | null => (error ? failureOf(error) : null);

export function HolderProvider({ view, kept, error, children }: ProviderProps<BeoView>) {
  return <HolderContext value={{ view, kept, failure: failed(error) }}>{children}</HolderContext>;
}

export function InstitutionProvider({ view, kept, error, children }: ProviderProps<IeoView>) {
  return <InstitutionContext value={{ view, kept, failure: failed(error) }}>{children}</InstitutionContext>;
}

/** The holder whose pages these are. Only below the layout of /me. */
export function useHolder(): Current<BeoView> {
  const holder = use(HolderContext);
  if (!holder) throw new Error('useHolder needs a HolderProvider above it.');
  return holder;
}

/** The institution whose pages these are. Only below the layout of /institution. */
export function useInstitution(): Current<IeoView> {
  const institution = use(InstitutionContext);
  if (!institution) throw new Error('useInstitution needs an InstitutionProvider above it.');
  return institution;
}
