import { ERRORS, ProtocolError } from '../../protocol/errors.ts';

/**
 * Stored data does not match its seal: something other than this service altered, exchanged or removed it. Protocol §7.
 */
export class IntegrityFailure extends ProtocolError {
  /** The altered data, for the operator's log only: ids, never content. */
  readonly altered: string;

  constructor(altered: string) {
    super('INTEGRITY_FAILED', ERRORS.INTEGRITY_FAILED[1], undefined);
    this.altered = altered;
  }
}
