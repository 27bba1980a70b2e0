import { ERRORS, ProtocolError } from '../../protocol/errors.ts';

/** Stored data that does not match its seal: it was altered, exchanged or removed by another than this service. Protocol §7. */
export class IntegrityFailure extends ProtocolError {
  /** What it was, for the operator's log alone: ids, never content. */
  readonly altered: string;

  constructor(altered: string) {
    super('INTEGRITY_FAILED', ERRORS.INTEGRITY_FAILED[1], undefined);
    this.altered = altered;
  }
}
