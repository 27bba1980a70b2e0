import type { z } from 'zod';
import type { Json } from './canonical-json.ts';
import type { Entities, Entity, EntityKind, Guardian, Instant } from './entities.ts';
import type { DerivedIds } from './ids.ts';

/** The limit groups of the specification that an operation can be charged to. Protocol §6. */
export type WriteLimit =
  | 'relayer'
  | 'consent'
  | 'exchange_submit'
  | 'exchange_read'
  | 'export'
  | 'guardian_invite'
  | 'guardian_link';

export interface Reference {
  readonly kind: EntityKind;
  readonly id: string;
}

/** An accepted operation as a transition sees it, when it happens and on every replay. */
export interface Accepted<Known> {
  readonly entityId: string;
  /** The facts the ledger shows: the signed fields, or for a sealed operation its `public` part. */
  readonly known: Known;
  readonly acceptedAt: Instant;
}

export interface Outcome {
  readonly changes: readonly Entity[];
  /** BEOs whose vault contents end with this operation. Protocol §7. */
  readonly erases?: readonly string[];
}

/** What must be erasable: kept in the vault under the BEO's data key, never on the network in the clear. */
export interface PrivateRow {
  readonly id: string;
  readonly content: Json;
}

export interface Sealing<Known> {
  readonly known: Known;
  readonly rows: readonly PrivateRow[];
  /** The guardians who get an invitation link with this operation. */
  readonly invited: readonly Pick<Guardian, 'guardianId' | 'invitationId' | 'role'>[];
}

export interface Answered {
  readonly entityId: string;
  readonly entities: Entities;
  readonly acceptedAt: Instant;
  readonly invitations: readonly { guardian_id: string; role: string; url: string; expires_at: Instant }[];
}

/**
 * One row of the table of operations: everything the house knows about an operation. Parsing, the signed message, the REST
 * route, the ledger entry, the replay and the browser's signing helper are all derived from it. Protocol §1, §3, §4.
 */
export interface Operation<Fields = unknown, Known = unknown> {
  /** Its name in the table; unique, where `function` may stand for two kinds of entity (rotateKey). */
  readonly name: string;
  /** The literal that is signed. */
  readonly function: string;
  readonly route: { readonly method: 'POST' | 'DELETE'; readonly path: string };
  readonly status: 200 | 201;
  readonly limit: WriteLimit;
  /** The signed fields, strictly; without function, nonce, timestamp and signature. */
  readonly fields: z.ZodType<Fields> & { readonly shape: Readonly<Record<string, z.ZodType>> };
  /** Unsigned fields that are accepted and never recorded as the user's word. */
  readonly hints: Readonly<Record<string, z.ZodType>>;
  /** Which signed field names the entity, or null where the operation creates one. */
  readonly target: { readonly field: string; readonly kind: 'BEO' } | null;
  /** Whose key the signature is checked against: a signed field, or the current key of the target. */
  readonly signer: { readonly field: string } | 'target';
  /** Said in `details.expected_key` when the signature does not fit. */
  readonly expectedKey: string;
  /** Keys and domains that enter the system with these fields and must be acceptable as such. */
  introduces(fields: Fields): { readonly keys: readonly string[]; readonly domains: readonly string[] };
  /** The public facts of an operation whose message goes to the network as it is. */
  known(fields: Fields): Known;
  /** For fields that must not be public: what may be known and what goes into the vault; null where nothing is sealed. */
  seal(fields: Fields, ids: DerivedIds): Sealing<Known> | null;
  /** Checks the public part of a sealed entry on replay. */
  readonly sealedFacts: z.ZodType<Known> | null;
  /** The entities its transition looks at or changes; `target` is the entity as it was read, where there is one. */
  touches(accepted: Pick<Accepted<Known>, 'entityId' | 'known'>, target: Entity | undefined): readonly Reference[];
  /** @throws {ProtocolError} where the state does not allow the operation. Pure: the same on every replay. */
  transition(entities: Entities, accepted: Accepted<Known>): Outcome;
  /** What the answer holds besides transactionId, receipt and salt. Protocol §4. */
  answer(answered: Answered): Record<string, unknown>;
}

/** Fixes the types of one row; the table holds rows of all kinds. */
export const defineOperation = <Fields, Known>(operation: Operation<Fields, Known>): Operation<Fields, Known> =>
  operation;
