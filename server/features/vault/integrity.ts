import { ERRORS, ProtocolError } from '../../../protocol/errors.ts';

/**
 * Stored data fails its integrity check: it was altered, exchanged or removed outside this service. Protocol §7.
 */
export class IntegrityFailure extends ProtocolError {
  /** The altered data, for the operator's log only: ids, never content. */
  readonly altered: string;

  constructor(altered: string) {
    super('INTEGRITY_FAILED', ERRORS.INTEGRITY_FAILED[1], undefined);
    this.altered = altered;
  }
}
