import type { ClientBase } from 'pg';
import type { Entity } from '../../protocol/entities/entities.ts';
import type { Instant } from '../../protocol/entities/recorded.ts';
import type { Answered, Outcome, PrivateRow } from '../../protocol/operation.ts';
import type { ChainedEntry } from '../ledger/chain.ts';
import type { Statement } from '../platform/db/statement.ts';
import type { Batch } from './batch.ts';
import type { Authorized, Submission, VerifiedRequest } from './submission.ts';

/** What a plug-in adds to one submission before it is ordered. */
export interface Contribution<Part> {
  /** Kept with the submission for this plug-in: see partOf. */
  readonly part: Part;
  /** Public members of a sealed entry, besides the operation's. */
  readonly publicFacts?: Readonly<Record<string, unknown>>;
  /** Rows for the entity's vault. */
  readonly privateRows?: readonly PrivateRow[];
  /** Bytes of ciphertext that the plug-in stores in its own rows. */
  readonly ciphertextBytes?: number;
  /** The id of the entity whose quota the bytes count against; by default the owner. */
  readonly storedBy?: string;
  /** The data key that the plug-in encrypted with, if the owner had none; 32 bytes. */
  readonly freshKey?: Buffer | null;
}

/** The place of an operation in the ledger. */
export interface Placed {
  readonly entry: ChainedEntry;
  readonly changes: readonly Entity[];
  readonly outcome: Required<Pick<Outcome, 'rowsToDelete' | 'rowsToExpire' | 'vaultsToErase' | 'notices'>>;
}

/**
 * A part of the service that stores rows beside the ledger: records, guardians, mail, vault. The pipeline calls the
 * members in the order below and knows no plug-in by name. `Part` is what a plug-in adds to a submission, `State` its
 * data for a batch.
 */
export interface PlugIn<Part = unknown, State = unknown> {
  /** Answers a verified request that needs no ledger entry; null if it needs one. For operations of which some uses need none. */
  answerAlone?(request: VerifiedRequest): Promise<Readonly<Record<string, unknown>> | null>;
  /** Does slow work for one submission, such as encryption, outside the transaction. */
  prepare?(request: Authorized): Promise<Contribution<Part> | null> | Contribution<Part> | null;
  /** Loads what the batch needs, in the round trip of the read set. The state also collects the pending writes. */
  load(client: ClientBase, submissions: readonly Submission[]): Promise<State>;
  /** Refuses a submission before its transition runs. Changes nothing. @throws {ProtocolError} */
  check?(batch: Batch, submission: Submission): void;
  /** Refuses a submission that its transition allows. Changes nothing. @throws {ProtocolError} */
  admit?(batch: Batch, submission: Submission): void;
  /** Adds what an accepted submission writes to the state. Must not fail. */
  apply(batch: Batch, submission: Submission, placed: Placed): void;
  /** The statements that write the state. They run in the order of the plug-ins. */
  write(batch: Batch): readonly Statement[];
  /** The statements that erase the rows of entities that the batch destroyed; they run last. */
  erase?(ownerIds: readonly string[], at: Instant): readonly Statement[];
  /** The plug-in's part of the response. */
  answer?(submission: Submission, acceptedAt: Instant): Partial<Pick<Answered, 'invitations' | 'recordIds'>>;
}

/** What a plug-in added to a submission; null for nothing. */
export const partOf = <Part, State>(plugIn: PlugIn<Part, State>, { parts }: Pick<Submission, 'parts'>): Part | null =>
  (parts.get(plugIn as PlugIn) as Part | undefined) ?? null;

/** A plug-in's state for a batch. */
export function stateOf<Part, State>(plugIn: PlugIn<Part, State>, { states }: Pick<Batch, 'states'>): State {
  if (!states.has(plugIn as PlugIn)) throw new Error('The plug-in is not part of the pipeline.');
  // `load` of the same plug-in returned this value.
  return states.get(plugIn as PlugIn) as State;
}
