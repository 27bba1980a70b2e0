import type { TokenView } from '../../../../protocol/entities/token.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';

/** The most records that the protocol accepts in one submission. */
export const MAX_RECORDS = 100;
/** Below the limit of a request, to leave room for the other fields. */
const MAX_BYTES = 1_000_000;

/** Splits records in their order into batches that fit one request. */
export function batchesOf<Item extends { readonly record: Json }>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const size = new TextEncoder().encode(JSON.stringify(item.record)).length + 1;
    const last = batches.at(-1);
    if (last && last.length < MAX_RECORDS && size <= room) last.push(item);
    else {
      batches.push([item]);
      room = MAX_BYTES;
    }
    room -= size;
  }
  return batches;
}

type Consented = { readonly record: Json; readonly consent: Pick<TokenView, 'token_id'> };

/** The batches of each consent, in the order of its first record. */
export function batchesByConsent<Item extends Consented>(items: readonly Item[]): Item[][] {
  const byConsent = new Map<string, Item[]>();
  for (const item of items) {
    const { token_id: id } = item.consent;
    const group = byConsent.get(id);
    if (group) group.push(item);
    else byConsent.set(id, [item]);
  }
  return [...byConsent.values()].flatMap((group) => batchesOf(group));
}
