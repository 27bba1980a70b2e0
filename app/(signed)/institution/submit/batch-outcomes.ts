import { fingerprintOf } from '../../../_keys/sent-records.ts';
import { isAccepted } from './batch-states.ts';
import type { Batch, Item } from './use-submission-sending.ts';

/** Each is computed once, although the outcomes are asked for after every batch. */
const computed = new WeakMap<Item, string>();

function fingerprint(item: Item): string {
  const known = computed.get(item) ?? fingerprintOf(item.consent.beo_id, item.record);
  computed.set(item, known);
  return known;
}

/** Without response, or on its way: it may have been accepted if the page is closed now. */
const isUnknown = ({ state: { kind } }: Batch): boolean => kind === 'unknown' || kind === 'now';

/** The fingerprints of the records that were accepted, were not, or of which that is not known. */
export function outcomesOf(batches: readonly Batch[]) {
  const of = (is: (batch: Batch) => boolean) => batches.filter(is).flatMap(({ items }) => items.map(fingerprint));
  return {
    accepted: of(isAccepted),
    failed: of((batch) => !isAccepted(batch) && !isUnknown(batch)),
    unknown: of(isUnknown),
  };
}
