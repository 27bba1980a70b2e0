import type { z } from 'zod';
import type { RecordWarning } from './clinical/record-warnings.ts';
import type { Beo } from './entities/beo.ts';
import type { Admission, Entities, Entity, EntityKind } from './entities/entities.ts';
import type { Guardian } from './entities/guardian.ts';
import type { Instant } from './entities/recorded.ts';
import type { Revocation } from './entities/revocation.ts';
import type { invitation } from './entities/views.ts';
import type { ErrorCode, ProtocolError } from './errors.ts';
import type { EventType } from './event-shapes.ts';
import type { DerivedIds, GuardianId, TransactionId } from './ids.ts';
import type { SubmittedRecord } from './records/record.ts';
import type { Json } from './signing/canonical-json.ts';
import type { JsonObject, SignedRequest } from './signing/message.ts';

/** The rate-limit groups of operations. Protocol §6. */
export type WriteLimit =
  | 'relayer'
  | 'consent'
  | 'exchange_submit'
  | 'exchange_read'
  | 'export'
  | 'guardian_invite'
  | 'guardian_link';

export interface WriteRoute {
  readonly method: 'POST' | 'DELETE';
  /** Segments that begin with a colon are parameters. */
  readonly path: string;
  readonly limit: WriteLimit;
  /** The field that each parameter of the path sets. */
  readonly takes?: Readonly<Record<string, string>>;
  /** The kind of guardian link that `:token` in the path belongs to; the link authorizes the request. Protocol §4. */
  readonly link?: LinkKind;
}

/** The two kinds of guardian links: to an invitation, and to a recovery request. */
export type LinkKind = 'invitation' | 'recovery';

/** An entity by its id; the unrevoked tokens under a scopeKey; or the number of live tokens of a holder. */
export type Reference =
  | { readonly kind: EntityKind; readonly id: string }
  | { readonly scopeKey: string }
  | { readonly liveTokensOf: string };

export type SubjectKind = Exclude<EntityKind, 'NAME'>;

/** The role of an entity in an operation: `holder`, `grantee`, `token`… */
export type Role = string;

/** An entity that an operation names. */
export type Subject =
  | {
      readonly kind: SubjectKind;
      /** The field that names it by any form of the alias rule (protocol §2). */
      readonly field: string;
      /** The role whose entity may be named instead: a holder can grant a consent to itself. */
      readonly orRole?: Role;
      /** Whether a destroyed entity is accepted: consents to it can still be withdrawn. */
      readonly mayBeDestroyed?: boolean;
    }
  | {
      readonly kind: SubjectKind;
      /** The role of the entity whose member names this one, by id or by kind and id. */
      readonly of: Role;
      readonly member: string;
    };

/** The ids of an operation's subjects, by role. */
export type SubjectIds = Readonly<Record<Role, string>>;

/** The subjects of an operation as read, by role. */
export type Subjects = Readonly<Record<Role, Entity>>;

/** The input of a transition: the same when the operation is accepted and on every replay. */
export interface Accepted<PublicFacts> {
  /** The entity that the ledger entry is about. */
  readonly entityId: string;
  readonly subjects: SubjectIds;
  /** The public part of the operation: derived from the signed message, or the `public` part of a sealed entry. */
  readonly publicFacts: PublicFacts;
  /** The key that signed, hex; null for operations of the institute. */
  readonly signer: string | null;
  /** The values that the service chose: see `assigns`. */
  readonly assigned: Readonly<Record<string, string>>;
  readonly acceptedAt: Instant;
}

export interface Outcome {
  readonly changes: readonly Entity[];
  /** The tokens that end, which are not among the changes. */
  readonly revocation?: Revocation;
  /** The ids of vault rows to delete. */
  readonly rowsToDelete?: readonly string[];
  /** Vault rows to delete at a time, unless they are needed again by then. */
  readonly rowsToExpire?: readonly { readonly rowId: string; readonly at: Instant }[];
  /** The ids of entities whose vault contents are erased. Protocol §7. */
  readonly vaultsToErase?: readonly string[];
  /** Guardians to notify. */
  readonly notices?: readonly Notice[];
}

/** A notification for a guardian: another guardian confirmed a recovery request, it recovered the identity, or the holder cancelled it. */
export interface Notice {
  readonly kind: 'confirmed' | 'recovered' | 'cancelled';
  readonly beoId: string;
  readonly guardianId: string;
  readonly requestId: string;
}

/** Erasable data: stored in the vault under the entity's data key, never on the network in the clear. */
export interface PrivateRow {
  readonly id: string;
  readonly content: Json;
}

/** A health record to store in the vault. Protocol §7, §8. */
export interface SealedRecord {
  readonly recordId: string;
  /** As it was sent. */
  readonly submitted: SubmittedRecord;
  /** Hex, 32 bytes: needed to check the entry's commitment. */
  readonly salt: string;
  /** Hex SHA-256 of the canonical JSON as submitted. */
  readonly dataHash: string;
}

export interface Sealing<PublicFacts> {
  readonly publicFacts: PublicFacts;
  readonly rows: readonly PrivateRow[];
  readonly records?: readonly SealedRecord[];
  /** The guardians to whom the service sends an invitation link. */
  readonly invited: readonly Pick<Guardian, 'guardianId' | 'invitationId' | 'role'>[];
  /** The guardians that stay: if one is not ACTIVE when the operation is ordered, it was sealed for an outdated state. */
  readonly kept?: readonly GuardianId[];
}

/** The input of `answer`, which builds the response to an accepted operation. */
export interface Answered<PublicFacts = unknown> {
  readonly transactionId: TransactionId;
  /** The id of the HTTP request. */
  readonly requestId: string;
  readonly entityId: string;
  readonly publicFacts: PublicFacts;
  /** The entities after the operation. */
  readonly entities: Pick<Entities, 'get'>;
  /** The number of tokens that its `revocation` ended. */
  readonly revokedCount: number;
  readonly subjects: SubjectIds;
  readonly acceptedAt: Instant;
  /** The links of the guardians whom the operation invited. */
  readonly invitations: readonly Invitation[];
  /** The ids of the records that the operation submitted. */
  readonly recordIds: readonly string[];
  /** What is unusual about them. */
  readonly warnings: readonly RecordWarning[];
}

export type Invitation = z.output<typeof invitation>;

/** Completes fields from the vault of the entity that the operation is about; the signed message does not change. */
export interface Recall<Fields> {
  /** The ids of the vault rows that are needed. */
  rows(fields: Fields, subjects: Subjects): readonly string[];
  /** @throws {ProtocolError} if a field is missing in the request and in the vault */
  complete(fields: Fields, subjects: Subjects, rows: ReadonlyMap<string, Json>): Fields;
}

/**
 * Who must sign: the key in a signed field; the current key of the entity in a role; a guardian of that entity, named by the link
 * or by an id in a field (the transition checks whether the guardian is eligible); or the institute, which does not sign.
 */
export type Authority =
  | { readonly field: string }
  | { readonly role: Role }
  | { readonly guardianOf: Role; readonly idField?: string }
  | 'institute';

/** The message and the signature of a request, with its fields. */
type Signed<Fields> = Pick<SignedRequest, 'message' | 'signature'> & { readonly fields: Fields };

/**
 * One row of the operation table. REST routes, parsing, the signed message, the ledger entry, the replay and signing in the browser
 * derive from it. Members that only some operations need are traits. Protocol §1, §3, §4.
 */
interface OperationBase<Fields, PublicFacts, Response extends z.ZodObject> {
  /** Unique in the table; two operations may share a `function`, such as rotateKey of a person and of an institution. */
  readonly name: string;
  /** The value of the signed member `function`. */
  readonly function: string;
  /** What it does, as the heading of its description: a verb and its object. */
  readonly title: string;
  readonly routes: readonly WriteRoute[];
  readonly status: 200 | 201;
  /** The strict schema of the signed fields, without function, nonce, timestamp and signature. */
  readonly fields: z.ZodType<Fields> & { readonly shape: Readonly<Record<string, z.ZodType>> };
  readonly subjects: Readonly<Record<Role, Subject>>;
  /** The entity that the ledger entry is about: a new one, or the one in a role. */
  readonly about: { readonly creates: SubjectKind } | { readonly role: Role };
  readonly signer: Authority;
  /** Returned as `details.expected_key` when the signature does not verify. */
  readonly expectedKey: string;
  /** The public facts of an operation whose message is public. */
  publicFacts(request: Signed<Fields>): PublicFacts;
  /** Pure. @throws {ProtocolError} if the state does not allow the operation */
  transition(entities: Entities, accepted: Accepted<PublicFacts>): Outcome;
  /** The error codes of its own rules; those that follow from its other members are not repeated. */
  readonly errors: readonly ErrorCode[];
  /** The members of the response besides transactionId, receipt and salt. Protocol §4. */
  readonly response: Response;
  answer(answered: Answered<PublicFacts>): z.output<Response>;
}

/** For operations with private fields: the entry contains a digest instead of the message. Protocol §7. */
export interface Sealed<Fields, PublicFacts> {
  /** Splits the fields into public facts and vault rows; null if the request has nothing private. */
  seal(fields: Fields, ids: DerivedIds, subjects: Subjects, newSalt: () => Uint8Array): Sealing<PublicFacts> | null;
  /** The schema of the public part of a sealed entry; the replay checks it. */
  readonly publicFacts: z.ZodType<PublicFacts>;
}

/** Optional members of an operation. */
export interface OperationTraits<Fields, PublicFacts> {
  /** Unsigned fields that a request may have; they are not part of the message. */
  readonly hints: Readonly<Record<string, z.ZodType>>;
  /** A hint or field that must name the entity in a role; else the request fails with `code`, before the signature check. */
  readonly mustName: { readonly field: string; readonly role: Role; readonly code: 'NOT_TOKEN_OWNER' };
  /** New keys and domains in the fields; each is checked strictly. */
  introduces(fields: Fields): { readonly keys?: readonly string[]; readonly domains?: readonly string[] };
  /**
   * Checks of the fields of a new request that have their own error code or sentence; not on a replay.
   * @param now in ms since 1970
   * @param ownNames the names of the service and its operator
   */
  examine(fields: Fields, now: number, ownNames: readonly string[]): ProtocolError | null;
  /** The message that some deployed clients sign instead. It covers less, so the operator must allow it. Protocol §1. */
  countOnlyMessage(message: JsonObject): JsonObject;
  /** Fields that a request may leave out because the vault has them. */
  readonly recalls: Recall<Fields>;
  readonly sealed: Sealed<Fields, PublicFacts>;
  /** Names of values that the service chooses and stores in the entry's `assigned` for the replay. */
  readonly assigns: readonly string[];
  /** The entities that the transition reads or changes, besides its subjects and the one it creates. */
  touches(accepted: Pick<Accepted<PublicFacts>, 'entityId' | 'publicFacts'>, subjects: Subjects): readonly Reference[];
  /**
   * Rules that existing ledgers may violate: applied to new operations after the transition, not on a replay. Protocol §10.
   * @throws {ProtocolError}
   */
  admit(entities: Admission, accepted: Accepted<PublicFacts>): void;
  /**
   * Whether it only takes rights away or recovers an identity. It is then accepted beyond the operator's limits, from a reserve
   * of the identity, and put into a batch before others. Not used on a replay. Protocol §6.
   */
  readonly reserved: true | ((publicFacts: PublicFacts, subjects: Subjects) => boolean);
  /** Whether some of its uses need no ledger entry: a plug-in then answers the request. Not used on a replay. */
  readonly mayNeedNoEntry: true;
  /** The types of the events that institutions derive from the operation. Protocol §9. */
  readonly events: readonly EventType[];
  /** Whether it yields its events, from the identity before and after; without this member it always does. */
  yieldsEvents(before: Beo, after: Beo): boolean;
}

export type Operation<
  Fields = unknown,
  PublicFacts = unknown,
  Response extends z.ZodObject = z.ZodObject,
> = OperationBase<Fields, PublicFacts, Response> & Partial<OperationTraits<Fields, PublicFacts>>;

/** The literal types of a row's name and function, which clients infer. */
export interface Named<Name extends string, Function extends string> {
  readonly name: Name;
  readonly function: Function;
}

/** The unsigned fields of a row, with their own types. */
export interface Hinted<Hints> {
  readonly hints?: Hints;
}

export type NoHints = Readonly<Record<never, z.ZodType>>;

/** A row with its literal types and the type of its response. */
export type Defined<
  Fields,
  PublicFacts,
  Name extends string,
  Function extends string,
  Response extends z.ZodObject,
  Hints = NoHints,
> = Omit<Operation<Fields, PublicFacts, Response>, 'name' | 'function' | 'hints'> &
  Named<Name, Function> &
  Hinted<Hints>;

/** Checks the types of a row. Curried, because TypeScript infers either all type arguments of a call or none. */
export const defineOperation =
  <Fields, PublicFacts = Fields>() =>
  <const Name extends string, const Function extends string, Response extends z.ZodObject, Hints = NoHints>(
    row: Operation<Fields, PublicFacts, Response> & Named<Name, Function> & Hinted<Hints>,
  ): Defined<Fields, PublicFacts, Name, Function, Response, Hints> =>
    row;

/** The public facts without the timestamp, which every sealed entry has. */
export const withoutTimestamp = <Shown extends { timestamp: string }>({
  timestamp: _,
  ...publicFacts
}: Shown): Omit<Shown, 'timestamp'> => publicFacts;
