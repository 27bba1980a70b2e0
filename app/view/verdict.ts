import type { Ieo } from '../../client/types.ts';
import type { Doubt, ViewedRecord } from './contents.ts';

/** When the registry's certification of the institution held. */
export type Certified = 'then' | 'later' | 'beyond' | 'no';

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
  /** The service did not answer. */
  | { readonly state: 'unreachable' };

/** What is known of a record before the ledger is asked. */
export function firstVerdict({ proof, doubt }: ViewedRecord): Verdict {
  if (!proof) return { state: 'none' };
  return doubt ? { state: 'altered', why: doubt } : { state: 'checking' };
}
