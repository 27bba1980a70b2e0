import type { ListedBundle } from './bundle-list.ts';
import { reportEquivocation } from './chain-order.ts';
import type { CheckedEntry } from './checked.ts';
import type { Findings } from './findings.ts';
import { readBundle, type WalkParts } from './walk.ts';

/** Entries that turned up where their bundle's tags did not announce them, too late to be compared with their place. */
export interface Strays {
  add(entry: CheckedEntry, bundle: ListedBundle | null): void;
  /** Reads again what has their places: the same entry is only paid twice, another one is equivocation. */
  lookUp(parts: WalkParts, bundles: readonly ListedBundle[]): Promise<void>;
}

const LOOKED_UP = 100;

export function createStrays(findings: Findings): Strays {
  const strays: { entry: CheckedEntry; bundle: ListedBundle | null }[] = [];

  function misplaced(entry: CheckedEntry, bundle: ListedBundle | null): void {
    const where = bundle ? ` in bundle ${bundle.id}` : '';
    const sentence = `It is out of its place${where}: later entries came before it.`;
    findings.add({ kind: 'BUNDLE_TAGS', sentence }, entry);
  }

  return {
    add(entry, bundle) {
      if (strays.length < LOOKED_UP) strays.push({ entry, bundle });
      else misplaced(entry, bundle);
    },
    async lookUp(parts, bundles) {
      for (const { entry, bundle } of strays) {
        const holder = await holderOf(parts, bundles, entry, bundle);
        if (!holder) misplaced(entry, bundle);
        else if (holder.id !== entry.id) reportEquivocation(findings, entry, holder.id);
      }
    },
  };
}

async function holderOf(
  parts: WalkParts,
  bundles: readonly ListedBundle[],
  { seq, epoch }: CheckedEntry,
  found: ListedBundle | null,
): Promise<CheckedEntry | null> {
  const announced = bundles.filter(
    ({ id, firstSeq, lastSeq }) => id !== found?.id && firstSeq <= seq && seq <= lastSeq,
  );
  for (const bundle of announced) {
    const { items } = await readBundle(parts, bundle);
    const holder = items.find((item) => item.genuine && item.entry?.seq === seq && item.entry.epoch === epoch);
    if (holder?.entry) return holder.entry;
  }
  return null;
}
