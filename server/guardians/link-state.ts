import type { Instant } from '../../protocol/entities/recorded.ts';
import type { GuardianRole } from '../../protocol/ids.ts';
import type { LostLink } from './lost-link.ts';

/** Where an invitation stands, as its page needs it. */
export type InvitationState =
  | {
      readonly state: 'open';
      readonly invitation_id: string;
      readonly beo_id: string;
      readonly beo_domain: string;
      readonly role: GuardianRole;
      readonly expires_at: Instant;
      /** The key that the holder has bound it to, hex: only that one can accept. */
      readonly bound_key: string | null;
    }
  /** The identity is locked: nobody can become its guardian until it is unlocked. */
  | { readonly state: 'locked'; readonly beo_domain: string; readonly expires_at: Instant }
  /** `public_key` accepted, hex: a browser that holds it knows that its own acceptance has arrived. */
  | { readonly state: 'used'; readonly beo_id: string; readonly beo_domain: string; readonly public_key: string | null }
  | { readonly state: 'expired'; readonly beo_domain: string }
  /** Withdrawn by the holder, or replaced by another invitation. */
  | { readonly state: 'superseded' }
  /** Nothing is known of the link itself: see lost-link.ts. */
  | { readonly state: LostLink };

/** Where a guardian's part in a recovery stands, as its page needs it. */
export type ConfirmationState =
  | {
      readonly state: 'open';
      readonly request_id: string;
      readonly beo_id: string;
      readonly beo_domain: string;
      readonly new_public_key: string;
      readonly confirmations: number;
      readonly confirmations_needed: number;
      readonly expires_at: Instant;
      readonly role: GuardianRole;
      /** The key that this guardian registered, hex. */
      readonly guardian_key: string;
    }
  /** This guardian has confirmed; others are still needed. */
  | {
      readonly state: 'confirmed';
      readonly beo_domain: string;
      readonly confirmations: number;
      readonly confirmations_needed: number;
      readonly expires_at: Instant;
    }
  /** A recovery was executed: this one, or another that came before it. */
  | { readonly state: 'closed'; readonly beo_domain: string; readonly executed: boolean }
  | { readonly state: 'expired'; readonly beo_domain: string }
  /** This guardian has been removed for longer than the 72 hours. */
  | { readonly state: 'superseded'; readonly beo_domain: string }
  /** Nothing is known of the link itself: see lost-link.ts. */
  | { readonly state: LostLink };
