import type { z } from 'zod';
import type { BeoView } from '../protocol/entities/beo.ts';
import type { certificationView, IeoView } from '../protocol/entities/ieo.ts';
import type { proposalView } from '../protocol/entities/proposal.ts';
import type { TokenView } from '../protocol/entities/token.ts';
import type { ERRORS } from '../protocol/errors.ts';
import type { eventPage } from '../protocol/event-shapes.ts';
import type { Event } from '../protocol/events.ts';
import type * as guardians from '../protocol/guardian-responses.ts';
import type { Proof as LedgerProof } from '../protocol/ledger/proof.ts';
import type { TypedOperation } from '../protocol/operations.ts';
import type * as reads from '../protocol/read-responses.ts';
import type { BioRecord, SubmittedRecord } from '../protocol/records/record.ts';
import type { RecoveryFields } from '../protocol/shapes.ts';

// Every type here comes from the tables of protocol/. The build of the package writes them out in full, so that they need no zod.

type FieldsOf<Row> = Row extends { readonly fields: z.ZodType<infer Fields> } ? WithRecords<Fields> : never;
/** The schema of submitRecords checks each record by itself. */
type WithRecords<Fields> = Fields extends { records: unknown[] }
  ? Omit<Fields, 'records'> & { readonly records: readonly NewRecord[] }
  : Fields;
type HintsOf<Row> = Row extends { readonly hints?: infer Hints }
  ? { readonly [Name in keyof Hints]?: Hints[Name] extends z.ZodType<infer Hint> ? Hint : never }
  : never;
type AnswerOf<Row> = Row extends { answer(...given: never[]): infer Answer } ? Answer : never;

/** The operations by name: the fields of the request and the members of the response (protocol §1, §4). */
export type Operations = {
  readonly [Row in TypedOperation as Row['name']]: {
    readonly fields: FieldsOf<Row> & HintsOf<Row>;
    readonly answer: AnswerOf<Row>;
  };
};

/** A health record as it is submitted, with any other members (protocol §8). */
export type NewRecord = SubmittedRecord & { readonly collected_at?: string; readonly timestamp?: string };

/** Guardians, as updateBEORecovery takes them (protocol §4). */
export type RecoveryConfiguration = RecoveryFields;

/** The codes of the server's errors (protocol §5). */
export type ErrorCode = keyof typeof ERRORS;

/** An identity (protocol §3). */
export type Beo = BeoView;
/** An institution (protocol §3). */
export type Ieo = IeoView;
/** A consent token (protocol §3). */
export type Token = TokenView;
export type Certification = ReturnType<typeof certificationView>;
/** Everything needed to check one operation offline (docs/audit.md). */
export type Proof = LedgerProof;
/** An event of an institution: ids and times (protocol §9). */
export type InstitutionEvent = Event;
export type Proposal = ReturnType<typeof proposalView>;
/** A health record as it is read (protocol §8). */
export type HealthRecord = BioRecord;
/** How far an operation has reached (protocol §4). */
export type LedgerStatus = TokenView['ledger']['status'];

// The responses of reads (protocol §4).

/** The public events of an identity or an institution, newest first: JSON Feed 1.1. The `cursor` of the next page is in next_url. */
export type Feed = z.output<typeof reads.jsonFeed>;
/** Where a holder's alerts go, and what they are about. */
export type AlertList = z.output<typeof reads.alertList>;
/** Whether an address receives the alerts of an identity. */
export type AlertLink = z.output<typeof reads.alertLink>;
export type IeoPage = z.output<typeof reads.ieoPage>;
export type TokenVerdict = z.output<typeof reads.tokenVerdict>;
export type TokenPage = z.output<typeof reads.tokenPage>;
export type ReceivedPage = z.output<typeof reads.receivedPage>;
/** A proposal with the institution that it is about. */
export type ListedProposal = z.output<typeof reads.listedProposal>;
export type ProposalPage = z.output<typeof reads.proposalPage>;
/** What an institution asked the institute for, and what became of it. */
export type OwnCertificationRequest = z.output<typeof reads.ownCertificationRequest>;
/** The open requests, oldest first, each with the message that the institution signed. */
export type CertificationRequestPage = z.output<typeof reads.certificationRequestPage>;
/** A long request for a consent, as it is kept. */
export type KeptConsentRequest = z.output<typeof reads.keptConsentRequest>;
/** Its text, and whether one for one person was accepted. */
export type ConsentRequestState = z.output<typeof reads.consentRequestState>;
/** A share as its holder sees it. */
export type OwnShare = z.output<typeof reads.ownShare>;
export type OwnShares = z.output<typeof reads.ownShares>;
/** With the address of the manifest. */
export type CreatedShare = z.output<typeof reads.createdShare>;
/** Oldest first. */
export type EventPage = Omit<z.output<typeof eventPage>, 'events'> & { readonly events: readonly InstitutionEvent[] };
/** The receiver's response to one message. */
export type WebhookResponse = z.output<typeof reads.recentResponse>;
export type Webhook = z.output<typeof reads.webhookState>;
/** With the response, where a message was sent. */
export type WebhookAfterwards = z.output<typeof reads.webhookAfterwards>;
export type Jwk = z.output<typeof reads.jwks>['keys'][number];
/** What a guardian's invitation is about. */
export type Invitation = z.output<typeof guardians.openInvitation>;
/** What a guardian is asked to confirm. */
export type RecoveryConfirmation = z.output<typeof guardians.openConfirmation>;
/** With a link for each guardian. The links are returned once: send them at once, or store them. */
export type RecoveryRequest = z.output<typeof guardians.openedRequest>;
export type RecordPage = Omit<z.output<typeof reads.recordPage>, 'records'> & {
  readonly records: readonly HealthRecord[];
};
export type Export = z.output<typeof reads.exportBody>;
export type AccessPage = z.output<typeof reads.accessPage>;
/** Names and contacts are null where the service has none, as after a restore. */
export type GuardianList = z.output<typeof guardians.guardianList>;
export type GuardedList = z.output<typeof guardians.guardedList>;
export type StartedPractice = z.output<typeof guardians.startedPractice>;
export type PractisedRecovery = z.output<typeof guardians.practisedRecovery>;
export type GuardianAttestation = z.output<typeof guardians.guardianAttestation>;
export type Health = Omit<z.output<typeof reads.healthState>, 'version'> & { readonly version: string };
/** Each part, with its problem. `degraded`: writes are accepted, but a part fails. `unavailable`: writes are refused. */
export type Readiness = z.output<typeof reads.readinessState> & { readonly [part: string]: unknown };
