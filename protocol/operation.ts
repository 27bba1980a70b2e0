import type { z } from 'zod';
import type { Json } from './canonical-json.ts';
import type { Entities, Entity, EntityKind } from './entities.ts';
import type { ProtocolError } from './errors.ts';
import type { Guardian } from './guardian.ts';
import type { DerivedIds, TransactionId } from './ids.ts';
import type { JsonObject, SignedRequest } from './message.ts';
import type { SubmittedRecord } from './record.ts';
import type { Instant } from './recorded.ts';

/** The limit groups of the specification that an operation can be charged to. Protocol §6. */
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
  /** Which field a parameter of the path stands for. */
  readonly takes?: Readonly<Record<string, string>>;
  /** What the `:token` of the path is a link of: it says who may send the request. Protocol §4. */
  readonly link?: LinkKind;
}

/** The two kinds of guardian links: to an invitation, and to a recovery request. */
export type LinkKind = 'invitation' | 'recovery';

/** An entity by its id; the unrevoked tokens under a scopeKey; or all unrevoked tokens of a holder, with their grantees. */
export type Reference =
  | { readonly kind: EntityKind; readonly id: string }
  | { readonly scopeKey: string }
  | { readonly tokensOf: string };

export type SubjectKind = Exclude<EntityKind, 'NAME'>;

/** What part an entity plays in an operation: `holder`, `grantee`, `token`… */
export type Role = string;

/** An entity that an operation is about. */
export type Subject =
  | {
      readonly kind: SubjectKind;
      /** The field that names it by any form of the alias rule (protocol §2). */
      readonly field: string;
      /** The role whose entity may be named instead: a holder grants to itself. */
      readonly orRole?: Role;
      /** It may have been destroyed: consent can be withdrawn from what is no more. */
      readonly mayBeDestroyed?: boolean;
    }
  | {
      readonly kind: SubjectKind;
      /** The role of the entity whose member names it: by id, or by kind and id. */
      readonly of: Role;
      readonly member: string;
    };

/** The ids of an operation's subjects, by role. */
export type SubjectIds = Readonly<Record<Role, string>>;

/** An operation's subjects as they were read, by role. */
export type Subjects = Readonly<Record<Role, Entity>>;

/** An accepted operation as a transition sees it, when it happens and on every replay. */
export interface Accepted<PublicFacts> {
  /** The entity that the ledger entry is about. */
  readonly entityId: string;
  readonly subjects: SubjectIds;
  /** What the ledger shows: what follows from the signed message, or for a sealed entry its `public` part. */
  readonly publicFacts: PublicFacts;
  /** The key that signed, hex; null where the institute decides. */
  readonly signer: string | null;
  /** What the service chose: see `assigns`. */
  readonly assigned: Readonly<Record<string, string>>;
  readonly acceptedAt: Instant;
}

export interface Outcome {
  readonly changes: readonly Entity[];
  /** Vault rows that serve nothing any more. */
  readonly rowsToDelete?: readonly string[];
  /** Vault rows that serve until a time, unless something makes them needed again. */
  readonly rowsToExpire?: readonly { readonly rowId: string; readonly at: Instant }[];
  /** Entities whose vault contents end with this operation. Protocol §7. */
  readonly vaultsToErase?: readonly string[];
  /** Guardians to be told of the operation. */
  readonly notices?: readonly Notice[];
}

/** What a guardian is told: another guardian confirmed a recovery request, or the identity was recovered by it. */
export interface Notice {
  readonly kind: 'confirmed' | 'recovered';
  readonly beoId: string;
  readonly guardianId: string;
  readonly requestId: string;
}

/** What must be erasable: kept in the vault under the entity's data key, never on the network in the clear. */
export interface PrivateRow {
  readonly id: string;
  readonly content: Json;
}

/** A health record on its way to the vault. Protocol §7, §8. */
export interface SealedRecord {
  readonly recordId: string;
  /** Exactly as it was sent. */
  readonly submitted: SubmittedRecord;
  /** Hex, 32 bytes: with it the entry's commitment can be opened. */
  readonly salt: string;
  /** Hex SHA-256 of the canonical JSON as submitted. */
  readonly dataHash: string;
}

export interface Sealing<PublicFacts> {
  readonly publicFacts: PublicFacts;
  readonly rows: readonly PrivateRow[];
  readonly records?: readonly SealedRecord[];
  /** The guardians who get an invitation link with this operation. */
  readonly invited: readonly Pick<Guardian, 'guardianId' | 'invitationId' | 'role'>[];
}

/** What an accepted operation can answer with. */
export interface Answered<PublicFacts = unknown> {
  readonly transactionId: TransactionId;
  /** Of the HTTP request. */
  readonly requestId: string;
  readonly entityId: string;
  readonly publicFacts: PublicFacts;
  /** As the operation left them; what it did not change is as it was read. */
  readonly entities: Pick<Entities, 'get'>;
  /** What the operation changed. */
  readonly changes: readonly Entity[];
  readonly subjects: SubjectIds;
  readonly acceptedAt: Instant;
  /** The links of the guardians whom the operation invited. */
  readonly invitations: readonly Invitation[];
  /** The ids of the records that the operation submitted. */
  readonly recordIds: readonly string[];
}

export interface Invitation {
  readonly guardian_id: string;
  readonly role: string;
  readonly url: string;
  readonly expires_at: Instant;
}

/** Completes fields from the vault of the entity that the operation is about; what was signed stays as it is. */
export interface Recall<Fields> {
  /** The vault rows that are needed; often none. */
  rows(fields: Fields, subjects: Subjects): readonly string[];
  /** @throws {ProtocolError} where a field is missing that the vault does not have. */
  complete(fields: Fields, subjects: Subjects, rows: ReadonlyMap<string, Json>): Fields;
}

/**
 * Who must sign: the key in a signed field; the current key of the entity in a role; the guardian of that entity whom the link, or
 * the id in a field, names (the transition decides whether that guardian is eligible); or the institute, which does not sign.
 */
export type Authority =
  | { readonly field: string }
  | { readonly role: Role }
  | { readonly guardianOf: Role; readonly idField?: string }
  | 'institute';

/** The message and the signature of a request, with its fields. */
type Signed<Fields> = Pick<SignedRequest, 'message' | 'signature'> & { readonly fields: Fields };

/**
 * One row of the operation table. The REST route, parsing, the signed message, the ledger entry, the replay and the browser's
 * signing all derive from it. Every operation has these members; what only some need is a trait. Protocol §1, §3, §4.
 */
interface OperationBase<Fields, PublicFacts> {
  /** Unique in the table; two operations may share a `function`, such as rotateKey of a person and of an institution. */
  readonly name: string;
  /** The literal that is signed. */
  readonly function: string;
  readonly routes: readonly WriteRoute[];
  readonly status: 200 | 201;
  /** The signed fields, strictly; without function, nonce, timestamp and signature. */
  readonly fields: z.ZodType<Fields> & { readonly shape: Readonly<Record<string, z.ZodType>> };
  readonly subjects: Readonly<Record<Role, Subject>>;
  /** What the ledger entry is about: a new entity, or the one in a role. */
  readonly about: { readonly creates: SubjectKind } | { readonly role: Role };
  readonly signer: Authority;
  /** Returned as `details.expected_key` when the signature does not verify. */
  readonly expectedKey: string;
  /** What the ledger shows of an operation whose message is public. */
  publicFacts(request: Signed<Fields>): PublicFacts;
  /** @throws {ProtocolError} where the state does not allow the operation. Pure: the same on every replay. */
  transition(entities: Entities, accepted: Accepted<PublicFacts>): Outcome;
  /** The response besides transactionId, receipt and salt. Protocol §4. */
  answer(answered: Answered<PublicFacts>): Record<string, unknown>;
}

/** For fields that must not be public: the entry shows a digest of the message instead. Protocol §7. */
export interface Sealed<Fields, PublicFacts> {
  /** What the entry may show and what goes into the vault; null where this request needs no sealing. */
  seal(fields: Fields, ids: DerivedIds, subjects: Subjects, newSalt: () => Uint8Array): Sealing<PublicFacts> | null;
  /** Checks the public part of a sealed entry on replay. */
  readonly publicFacts: z.ZodType<PublicFacts>;
}

/** Members that only some operations need; each may be left out. */
interface OperationTraits<Fields, PublicFacts> {
  /** Unsigned fields that are accepted, but never recorded as signed. */
  readonly hints: Readonly<Record<string, z.ZodType>>;
  /** A hint or field that must name the entity in a role. Otherwise the request fails with `code`, before the signature is checked. */
  readonly mustName: { readonly field: string; readonly role: Role; readonly code: 'NOT_TOKEN_OWNER' };
  /** Keys and domains that enter the system with these fields; each is checked strictly. */
  introduces(fields: Fields): { readonly keys?: readonly string[]; readonly domains?: readonly string[] };
  /** What is wrong with the fields beyond their shape, with an error code of its own; `now` in ms since 1970. */
  examine(fields: Fields, now: number): ProtocolError | null;
  /** The message that some deployed clients sign instead; it covers less, so the operator must allow it. Protocol §1. */
  countOnlyMessage(message: JsonObject): JsonObject;
  /** What the request may leave out because the vault has it. */
  readonly recalls: Recall<Fields>;
  readonly sealed: Sealed<Fields, PublicFacts>;
  /** Names of values that the service chooses and a replay needs, kept in the entry's `assigned`. */
  readonly assigns: readonly string[];
  /** The entities that the transition reads or changes, besides its subjects and the one it creates. */
  touches(accepted: Pick<Accepted<PublicFacts>, 'entityId' | 'publicFacts'>, subjects: Subjects): readonly Reference[];
  /**
   * Rules that are younger than existing ledgers: applied to new operations after the transition, never on a replay. Protocol §10.
   * @throws {ProtocolError}
   */
  admit(entities: Entities, accepted: Accepted<PublicFacts>): void;
}

export type Operation<Fields = unknown, PublicFacts = unknown> = OperationBase<Fields, PublicFacts> &
  Partial<OperationTraits<Fields, PublicFacts>>;

/** A row that keeps the literal type of its name and function, and the type of its answer, which clients infer. */
export type Defined<
  Fields,
  PublicFacts,
  Row extends { readonly name: string; readonly function: string; answer(...given: never[]): unknown },
> = Omit<Operation<Fields, PublicFacts>, 'name' | 'function' | 'answer'> & {
  readonly name: Row['name'];
  readonly function: Row['function'];
  answer(answered: Answered<PublicFacts>): ReturnType<Row['answer']>;
};

/** Checks a row of the table against its types. Curried, so that the types of the row are inferred beside the two given. */
export const defineOperation =
  <Fields, PublicFacts = Fields>() =>
  <const Row extends Operation<Fields, PublicFacts>>(row: Row): Defined<Fields, PublicFacts, Row> =>
    row as unknown as Defined<Fields, PublicFacts, Row>;

/** The public facts of a sealed operation, without the timestamp that every sealed entry shows. */
export const withoutTimestamp = <Shown extends { timestamp: string }>({
  timestamp: _,
  ...publicFacts
}: Shown): Omit<Shown, 'timestamp'> => publicFacts;
