import type { Ieo } from '../../client/types.ts';
import type { Doubt, ViewedRecord } from './contents.ts';

/**
 * What the registry has about an institution now, for a kind of result; `stopped` with its status if it is not active. What it was when
 * it signed is not in the registry: a renewal or a withdrawal replaces the certification.
 */
export type Certified =
  | { readonly now: 'yes'; readonly since: string | null }
  | { readonly now: 'beyond' | 'no' }
  | { readonly now: 'stopped'; readonly status: Exclude<Ieo['status'], 'ACTIVE'> };

export type Verdict =
  | { readonly state: 'checking' }
  /** The record has no proof. */
  | { readonly state: 'none' }
  /** It is what the institution signed. */
  | {
      readonly state: 'proved';
      /** The domain of the person; null once the identity has ended. */
      readonly holder: string | null;
      readonly institution: Pick<Ieo, 'domain' | 'display_name'>;
      readonly certified: Certified;
    }
  | { readonly state: 'altered'; readonly why: Doubt | 'entry' | 'holder' | 'institution' }
  /** This ledger has no such entry. */
  | { readonly state: 'missing' }
  /** The service did not answer, or was asked for enough entries already. */
  | { readonly state: 'unchecked' };

/** What is known of a record before the ledger is asked. */
export function firstVerdict({ proof, doubt }: ViewedRecord): Verdict {
  if (!proof) return { state: 'none' };
  return doubt ? { state: 'altered', why: doubt } : { state: 'checking' };
}
