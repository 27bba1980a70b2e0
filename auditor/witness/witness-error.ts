/** Why the witness cannot run, in a sentence for its operator. */
export class WitnessError extends Error {
  override readonly name = 'WitnessError';
}
