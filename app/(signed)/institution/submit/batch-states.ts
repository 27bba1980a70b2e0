import type { Batch } from './use-submission-sending.ts';

export const isAccepted = ({ state: { kind } }: Batch): boolean => kind === 'accepted' || kind === 'acceptedUnseen';

/** Refusals that sending again does not change. `RECORD_INVALID` is of some records, and the others can be sent. */
const FINAL = /^(TOKEN|CATEGORY|PERIOD|INTENT|RECORD)_|^(NOT_TOKEN_OWNER|BEO_DESTROYED)$/;

const isFinal = ({ state }: Batch): boolean => state.kind === 'refused' && FINAL.test(state.failure.code);

/** The consents that allow nothing more. */
const endedConsents = (batches: readonly Batch[]): ReadonlySet<string> =>
  new Set(
    batches.flatMap((batch) =>
      batch.state.kind === 'refused' && isFinal(batch) && batch.state.failure.code !== 'RECORD_INVALID'
        ? [batch.consent.token_id]
        : [],
    ),
  );

/** The batches that can be sent now: of no consent that has ended, and not refused for good. */
export function sendable(batches: readonly Batch[]): ReadonlySet<Batch> {
  const ended = endedConsents(batches);
  return new Set(
    batches.filter((batch) => !isAccepted(batch) && !isFinal(batch) && !ended.has(batch.consent.token_id)),
  );
}

/** The batches of which the server rejected some records, in two: those records, and the others, which wait. */
export const withoutInvalid = (batches: readonly Batch[]): Batch[] =>
  batches.flatMap((batch): Batch[] => {
    const { state, items } = batch;
    const invalid = new Set(state.kind === 'refused' ? state.invalid.map(({ row }) => row) : []);
    const others = items.filter(({ row }) => !invalid.has(row));
    if (invalid.size === 0 || others.length === 0) return [batch];
    return [
      { ...batch, items: items.filter(({ row }) => invalid.has(row)) },
      { ...batch, items: others, state: { kind: 'waiting' } },
    ];
  });

/** Where the records of one person were refused. */
export interface Stop {
  readonly batch: Batch;
  readonly row: number;
}

/** The first refusal of each person. */
export function stopsIn(batches: readonly Batch[]): Stop[] {
  const stops = new Map<string, Stop>();
  for (const batch of batches) {
    const { state, items, consent } = batch;
    if (state.kind !== 'refused' || stops.has(consent.beo_id)) continue;
    const row = state.invalid[0]?.row ?? items[0]?.row;
    if (row !== undefined) stops.set(consent.beo_id, { batch, row });
  }
  return [...stops.values()];
}
