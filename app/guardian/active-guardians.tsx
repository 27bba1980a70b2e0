'use client';

import { createContext, type ReactNode, use } from 'react';
import type { GuardianRole } from '../../protocol/entities/guardian.ts';

/** A guardian who has accepted, with their key in hex. */
export interface ActiveGuardian {
  readonly role: GuardianRole;
  readonly publicKey: string;
}

const Guardians = createContext<readonly ActiveGuardian[]>([]);

/** Provides the guardians of the identity that a link is about, as the ledger shows them. */
export function ActiveGuardians({
  guardians,
  children,
}: {
  guardians: readonly ActiveGuardian[];
  children: ReactNode;
}) {
  return <Guardians value={guardians}>{children}</Guardians>;
}

export const useActiveGuardians = (): readonly ActiveGuardian[] => use(Guardians);
