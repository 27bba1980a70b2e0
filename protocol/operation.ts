import type { z } from 'zod';
import type { Json } from './canonical-json.ts';
import type { Digests } from './digests.ts';
import type { Entities, Entity, EntityKind } from './entities.ts';
import type { ProtocolError } from './errors.ts';
import type { Guardian } from './guardian.ts';
import type { DerivedIds } from './ids.ts';
import type { JsonObject, SignedRequest } from './message.ts';
import type { SubmittedRecord } from './record.ts';
import type { Instant } from './recorded.ts';
import type { Revocation } from './token.ts';

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

/** A guardian's link: to an invitation, or to a request for recovery. */
export type LinkKind = 'invitation' | 'recovery';

/**
 * An entity by its id, or the tokens under a scopeKey. `isNew`: where there is one that nobody has let go, the operation is
 * refused; else it puts one.
 */
export type Reference =
  | { readonly kind: EntityKind; readonly id: string; readonly isNew?: true }
  | { readonly scopeKey: string };

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
      readonly evenDestroyed?: boolean;
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
export interface Accepted<Known> {
  /** The entity that the ledger entry is about. */
  readonly entityId: string;
  readonly subjects: SubjectIds;
  /** The facts the ledger shows: what follows from the signed message, or for a sealed operation its `public` part. */
  readonly known: Known;
  /** The key behind it, hex; null where the institute decides. */
  readonly signer: string | null;
  /** What the service chose: see `assigns`. */
  readonly assigned: Readonly<Record<string, string>>;
  readonly acceptedAt: Instant;
}

export interface Outcome {
  readonly changes: readonly Entity[];
  /** Tokens that end with this operation, in whatever number. */
  readonly revokes?: Revocation;
  /** Vault rows that serve nothing any more. */
  readonly forgets?: readonly string[];
  /** Vault rows that serve until a time, unless something makes them needed again. */
  readonly lapses?: readonly { readonly rowId: string; readonly at: Instant }[];
  /** Entities whose vault contents end with this operation. Protocol §7. */
  readonly erases?: readonly string[];
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

export interface Sealing<Known> {
  readonly known: Known;
  readonly rows: readonly PrivateRow[];
  readonly records?: readonly SealedRecord[];
  /** The guardians who get an invitation link with this operation. */
  readonly invited: readonly Pick<Guardian, 'guardianId' | 'invitationId' | 'role'>[];
}

export interface Answered<Known = unknown> {
  readonly entityId: string;
  readonly known: Known;
  /** As the operation left them; what it did not change is as it was read. */
  readonly entities: Pick<Entities, 'get'>;
  readonly subjects: SubjectIds;
  readonly acceptedAt: Instant;
  readonly invitations: readonly { guardian_id: string; role: string; url: string; expires_at: Instant }[];
  /** How many tokens `revokes` of the outcome has ended. */
  readonly revokedCount: number;
}

/** Completes fields from the vault of the entity that the operation is about; what was signed stays as it is. */
export interface Recall<Fields> {
  /** The vault rows that are needed; often none. */
  rows(fields: Fields, subjects: Subjects): readonly string[];
  /** @throws {ProtocolError} where something is left out that the vault does not have. */
  complete(fields: Fields, subjects: Subjects, rows: ReadonlyMap<string, Json>): Fields;
}

/**
 * Whose word an operation is: the holder of a key, which a field shows or an entity has; a guardian of the BEO in a role, who is
 * named by the link or by the id in a field, and of whom the transition decides whether the word counts; or the institute.
 */
export type Authority =
  | { readonly field: string }
  | { readonly role: Role }
  | { readonly guardianOf: Role; readonly idField?: string }
  | 'institute';

/**
 * One row of the table of operations: everything the house knows about an operation. Parsing, the signed message, the REST
 * route, the ledger entry, the replay and the browser's signing helper are all derived from it. Protocol §1, §3, §4.
 */
export interface Operation<Fields = unknown, Known = unknown> {
  /** Its name in the table; unique, where `function` may stand for two kinds of entity (rotateKey). */
  readonly name: string;
  /** The literal that is signed. */
  readonly function: string;
  readonly routes: readonly WriteRoute[];
  readonly status: 200 | 201;
  /** The signed fields, strictly; without function, nonce, timestamp and signature. */
  readonly fields: z.ZodType<Fields> & { readonly shape: Readonly<Record<string, z.ZodType>> };
  /** Unsigned fields that are accepted and never recorded as the user's word. */
  readonly hints: Readonly<Record<string, z.ZodType>>;
  readonly subjects: Readonly<Record<Role, Subject>>;
  /** What the ledger entry is about: a new entity, or the one in a role. */
  readonly about: { readonly creates: SubjectKind } | { readonly role: Role };
  /** Whose key the signature is checked against: a signed field, or the current key of a subject. */
  readonly signer: Authority;
  /** Said in `details.expected_key` when the signature does not fit. */
  readonly expectedKey: string;
  /** Keys and domains that enter the system with these fields and must be acceptable as such. */
  introduces(fields: Fields): { readonly keys: readonly string[]; readonly domains: readonly string[] };
  /** What is wrong with the fields beyond their shape, with a code of its own; `now` in ms. */
  examine?(fields: Fields, now: number): ProtocolError | null;
  /** What some deployed clients sign in place of the message: it covers less. Taken only where the operator says so. Protocol §1. */
  lesserMessage?(message: JsonObject): JsonObject;
  /** A hint or field that must name the entity in a role, asked before the signature; else `refusal` is the answer. */
  readonly hinted?: { readonly hint: string; readonly role: Role; readonly refusal: 'NOT_TOKEN_OWNER' };
  /** The public facts of an operation whose message goes to the network as it is. */
  known(request: Pick<SignedRequest, 'message' | 'signature'> & { readonly fields: Fields }, digests?: Digests): Known;
  /** What the request may leave out because the vault has it. */
  readonly recalls?: Recall<Fields>;
  /** For fields that must not be public: what may be known and what goes into the vault; null where nothing is sealed. */
  seal(
    fields: Fields,
    ids: DerivedIds,
    subjects: Subjects,
    newSalt?: () => Uint8Array,
    digests?: Digests,
  ): Sealing<Known> | null;
  /** Checks the public part of a sealed entry on replay. */
  readonly sealedFacts: z.ZodType<Known> | null;
  /** What the service chooses and a replay needs, besides the ids of subjects: names of texts in the entry's `assigned`. */
  readonly assigns?: readonly string[];
  /** The entities its transition looks at or changes, besides its subjects and the one it creates. */
  touches(accepted: Pick<Accepted<Known>, 'entityId' | 'known'>, subjects: Subjects): readonly Reference[];
  /** @throws {ProtocolError} where the state does not allow the operation. Pure: the same on every replay. */
  transition(entities: Entities, accepted: Accepted<Known>): Outcome;
  /**
   * Rules that are younger than ledgers: asked of new operations once the transition allows them, never on a replay, which takes all
   * that was accepted. Protocol §10. @throws {ProtocolError}
   */
  admit?(entities: Entities, accepted: Accepted<Known>): void;
  /** What the answer holds besides transactionId, receipt and salt. Protocol §4. */
  answer(answered: Answered<Known>): Record<string, unknown>;
}

/** Fixes the types of one row; the table holds rows of all kinds. */
export const defineOperation = <Fields, Known>(operation: Operation<Fields, Known>): Operation<Fields, Known> =>
  operation;
