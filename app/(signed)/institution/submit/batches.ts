import type { Json } from '../../../../protocol/signing/canonical-json.ts';

/** Of a submission: how many records the protocol takes at once, and how much room they have beside what surrounds them. */
export const MOST_RECORDS = 100;
const MOST_BYTES = 1_000_000;

/** Splits records in their order into batches that fit one request. */
export function batchesOf<Item extends { readonly record: Json }>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const size = new TextEncoder().encode(JSON.stringify(item.record)).length + 1;
    const last = batches.at(-1);
    if (last && last.length < MOST_RECORDS && size <= room) last.push(item);
    else {
      batches.push([item]);
      room = MOST_BYTES;
    }
    room -= size;
  }
  return batches;
}
