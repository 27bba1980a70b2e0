/** A signed request of the API. */
export interface SignedFunction {
  readonly id: string;
  readonly title: string;
  /** The value of the signed member `function`. */
  readonly function: string;
  /** The names of the signed members. */
  readonly members: readonly string[];
  readonly unsigned: readonly string[];
}
