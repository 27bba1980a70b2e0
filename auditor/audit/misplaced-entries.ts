import type { ListedBundle } from './bundle-list.ts';
import { reportEquivocation } from './chain-order.ts';
import type { CheckedEntry } from './checked.ts';
import type { Findings } from './findings.ts';
import { type ReadParts, readBundle } from './read-bundles.ts';
import type { RelayerKeys } from './relayer-keys.ts';

/** Entries that came after later ones, because the tags of their bundle are wrong. */
export interface MisplacedEntries {
  readonly none: boolean;
  add(entry: CheckedEntry, bundle: ListedBundle | null): void;
  /** Reads the entries in the places of the misplaced ones: a different entry is equivocation. */
  compare(parts: ReadParts, bundles: readonly ListedBundle[]): Promise<void>;
}

const MAX_COMPARED = 100;

export function createMisplacedEntries(findings: Findings, keys: Pick<RelayerKeys, 'isRelayers'>): MisplacedEntries {
  const kept: { entry: CheckedEntry; bundle: ListedBundle | null }[] = [];

  function report(entry: CheckedEntry, bundle: ListedBundle | null): void {
    const where = bundle ? ` in bundle ${bundle.id}` : '';
    const sentence = `It is misplaced${where}: later entries came before it.`;
    findings.add({ kind: 'BUNDLE_TAGS', sentence }, entry);
  }

  return {
    get none() {
      return kept.length === 0;
    },
    add(entry, bundle) {
      if (kept.length < MAX_COMPARED) kept.push({ entry, bundle });
      else report(entry, bundle);
    },
    async compare(parts, bundles) {
      for (const { entry, bundle } of kept) {
        const other = await entryInPlace(parts, bundles, entry, bundle, keys);
        if (!other) report(entry, bundle);
        else if (other.id !== entry.id) reportEquivocation(findings, entry, other.id);
      }
    },
  };
}

/** The entry with the same epoch and seq in a bundle whose tags include it. */
async function entryInPlace(
  parts: ReadParts,
  bundles: readonly ListedBundle[],
  { seq, epoch }: CheckedEntry,
  own: ListedBundle | null,
  keys: Pick<RelayerKeys, 'isRelayers'>,
): Promise<CheckedEntry | null> {
  const announced = bundles.filter(({ id, firstSeq, lastSeq }) => id !== own?.id && firstSeq <= seq && seq <= lastSeq);
  for (const bundle of announced) {
    const { items } = await readBundle(parts, bundle);
    const item = items.find(
      ({ genuine, entry }) => genuine && entry?.seq === seq && entry.epoch === epoch && keys.isRelayers(entry),
    );
    if (item?.entry) return item.entry;
  }
  return null;
}
