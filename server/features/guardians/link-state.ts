import type { GuardianRole } from '../../../protocol/entities/guardian.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import type { LostLink } from './lost-link.ts';

/** The state of an invitation, for its page. */
export type InvitationState =
  | {
      readonly state: 'open';
      readonly invitation_id: string;
      readonly beo_id: string;
      readonly beo_domain: string;
      readonly role: GuardianRole;
      readonly expires_at: Instant;
      /** The key that the holder bound the invitation to, hex: only that key can accept. */
      readonly bound_key: string | null;
    }
  /** The identity is locked: an invitation cannot be accepted until it is unlocked. */
  | { readonly state: 'locked'; readonly beo_domain: string; readonly expires_at: Instant }
  /** `public_key` accepted, hex: a browser that holds this key knows that its acceptance arrived. */
  | {
      readonly state: 'used';
      readonly beo_id: string;
      readonly beo_domain: string;
      readonly role: GuardianRole | null;
      readonly public_key: string | null;
    }
  | { readonly state: 'expired'; readonly beo_domain: string }
  /** Withdrawn by the holder, or replaced by a newer invitation. */
  | { readonly state: 'superseded' }
  /** Nothing is known of the link itself: see lost-link.ts. */
  | { readonly state: LostLink };

/** The state of a guardian's confirmation, for its page. */
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
      readonly beo_id: string;
      readonly beo_domain: string;
      readonly role: GuardianRole;
      /** The key that this guardian registered, hex. */
      readonly guardian_key: string;
      readonly confirmations: number;
      readonly confirmations_needed: number;
      readonly expires_at: Instant;
    }
  /** A recovery was executed: this one or an earlier one. */
  | { readonly state: 'closed'; readonly beo_domain: string; readonly executed: boolean }
  /** The holder closed the request. */
  | { readonly state: 'cancelled'; readonly beo_domain: string; readonly cancelled_at: Instant }
  | { readonly state: 'expired'; readonly beo_domain: string }
  /** The guardian was removed more than 72 hours ago. */
  | { readonly state: 'superseded'; readonly beo_domain: string }
  /** Nothing is known of the link itself: see lost-link.ts. */
  | { readonly state: LostLink };
