import type { Beo } from '../../protocol/entities/beo.ts';
import type { Entities, Entity } from '../../protocol/entities/entities.ts';
import type { RecordedRevocation } from '../../protocol/entities/revocation.ts';
import type { SubjectKind } from '../../protocol/operation.ts';

/**
 * The state that the entries of a ledger change: what a replay needs, without what a comparison needs. The replay calls it
 * synchronously, so a store that reads asynchronously must load what the next entries refer to before.
 */
export interface LedgerState extends Entities {
  put(entity: Entity): void;
  /** Ends the tokens of a revocation. */
  revoke(revocation: RecordedRevocation): void;
  /** Removes proposals and reserved names that have expired at `at` (ms). */
  prune(at: number): void;
  /** Whether an entity has this id, or an expired proposal had it. */
  isTaken(kind: SubjectKind, id: string): boolean;
  /** Records a nonce used at `at` (ms, roughly increasing). True if it was used in the ten minutes before. */
  isNonceUsed(nonce: string, at: number): boolean;
  /** The identities with a pending invitation or a request for recovery, which a new epoch ends. May yield others too. */
  withOpenRecovery(): Iterable<Beo>;
}
