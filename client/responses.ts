import type { Beo, Certification, HealthRecord, Ieo, InstitutionEvent, Proposal, Token } from './types.ts';

// The responses of reads (protocol §4), as the API returns them.

export interface IeoPage {
  readonly ieos: readonly Ieo[];
  /** All matches, on every page. */
  readonly count: number;
  readonly next_cursor: string | null;
}

export interface TokenVerdict {
  readonly valid: boolean;
  /** Why it is not valid. */
  readonly reason?: string;
  readonly token?: Token;
}

export interface TokenPage {
  readonly tokens: readonly Token[];
  readonly count: number;
  readonly next_cursor: string | null;
}

export interface ReceivedPage {
  readonly tokens: readonly Token[];
  /** The holders among them whose identity is locked. */
  readonly locked_beos: readonly string[];
  readonly next_cursor: string | null;
}

/** A proposal with the institution that it is about. */
export interface ListedProposal extends Omit<Proposal, 'institution'> {
  readonly institution: {
    readonly ieo_id: string;
    readonly domain: string;
    readonly display_name: string | null;
    readonly status: string;
  };
}

export interface ProposalPage {
  readonly proposals: readonly ListedProposal[];
  readonly next_cursor: string | null;
}

export interface EventPage {
  /** Oldest first. */
  readonly events: readonly InstitutionEvent[];
  /** The next page, or later events, continue from it. */
  readonly next_cursor: string;
  /** Whether to continue at once. */
  readonly has_more: boolean;
}

/** The receiver's response to one message. */
export interface WebhookResponse {
  readonly at: string;
  readonly sent: 'event' | 'test' | 'resend';
  readonly event_id: string;
  readonly event_type: string;
  readonly event_at: string;
  /** Null if there was no complete response; `problem` is then the reason. */
  readonly status: number | null;
  readonly problem: string | null;
  readonly ms: number;
  /** The first 512 bytes. */
  readonly body: string;
}

export interface Webhook {
  readonly ieo_id: string;
  readonly webhook_url: string | null;
  /** OFF: the service sends no events. NONE: the institution has no webhook. */
  readonly status: 'OFF' | 'NONE' | 'ACTIVE' | 'FAILING' | 'PAUSED';
  readonly paused_at: string | null;
  /** GONE: the receiver answered 410. FAILING: it failed for three days. */
  readonly pause_reason: 'REQUESTED' | 'GONE' | 'FAILING' | null;
  readonly failures: number;
  readonly failing_since: string | null;
  readonly next_attempt_at: string | null;
  readonly replaying_until: string | null;
  /** The place after the last delivered event, as `events` takes it. */
  readonly cursor: string | null;
  readonly waiting: { readonly events: number; readonly more: boolean };
  /** The last 20, newest first. */
  readonly responses: readonly WebhookResponse[];
}

export interface WebhookAfterwards extends Webhook {
  /** Where a message was sent. */
  readonly response: WebhookResponse | null;
}

export interface Jwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
  readonly use: string;
  readonly alg: string;
}

/** What a guardian's invitation is about. */
export interface Invitation {
  readonly invitation_id: string;
  readonly beo_id: string;
  readonly beo_domain: string | null;
  readonly role: string;
  readonly expires_at: string;
}

/** What a guardian is asked to confirm. */
export interface RecoveryConfirmation {
  readonly request_id: string;
  readonly beo_id: string;
  readonly beo_domain: string | null;
  readonly new_public_key: string;
  readonly confirmations: number;
  readonly expires_at: string;
}

export interface RecoveryRequest {
  readonly request_id: string;
  readonly expires_at: string;
  /** Six words that the guardians compare. */
  readonly fingerprint: string;
  readonly confirmations_needed: number;
  /** One for each guardian. Returned once: send them at once, or store them. */
  readonly links: readonly { readonly role: string; readonly url: string; readonly former?: boolean }[];
}

export interface RecordPage {
  readonly request_id: string;
  readonly beo_id: string;
  readonly records: readonly HealthRecord[];
  readonly total: number;
  readonly has_more: boolean;
}

export interface Export {
  readonly request_id: string;
  readonly format: string;
  readonly record_count: number;
  readonly data: string;
}

export interface AccessPage {
  readonly beo_id: string;
  readonly events: readonly {
    readonly at: string;
    readonly kind: 'submit' | 'read' | 'export';
    readonly token_id: string;
    readonly grantee_id: string;
    readonly grantee_domain: string | null;
    readonly records: number;
    readonly format?: string;
  }[];
  readonly next_cursor: string | null;
}

type Guardian = Beo['recovery']['guardians'][number];

export interface GuardianList {
  readonly beo_id: string;
  readonly recovery: Omit<Beo['recovery'], 'guardians'> & {
    /** Name and contact are null where the service has none, as after a restore. */
    readonly guardians: readonly (Guardian & {
      readonly name: string | null;
      readonly contact: string | null;
      /** Whether this guardian may confirm a recovery now. */
      readonly eligible: boolean;
    })[];
  };
}

export interface GuardedList {
  readonly public_key: string;
  readonly guarded: readonly {
    readonly beo_id: string;
    readonly beo_domain: string | null;
    readonly beo_status: Beo['status'];
    readonly guardian_id: string;
    readonly role: string;
    readonly status: string;
    readonly confirmed: boolean;
    readonly eligible: boolean;
    readonly eligible_until: string | null;
    readonly accepted_at: string | null;
    readonly eligible_guardians: number;
    readonly confirmations_needed: number;
  }[];
  readonly has_more: boolean;
}

export interface Health {
  readonly status: 'ok';
  readonly service: string;
  readonly version: string;
}

/** `degraded`: writes are accepted, but a part fails. `unavailable`: writes are refused. */
export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  /** Each part, with its problem. */
  readonly [part: string]: unknown;
}

export type { Beo, Certification, Ieo, Token };
