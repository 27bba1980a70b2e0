// Apart from record-filter.ts, which reads times: the provider of every page of a person needs only this.

/** The records that are shown. */
export interface RecordFilter {
  readonly category: string | null;
  /** Milliseconds since 1970, both included. */
  readonly from: number | null;
  readonly to: number | null;
}

export const EVERY_RECORD: RecordFilter = { category: null, from: null, to: null };
