import { type ListedBundle, UNPLACED } from './bundle-list.ts';
import type { Placed } from './checked.ts';
import type { Findings } from './findings.ts';
import type { FetchedBundle } from './read-bundles.ts';

/** The items of a bundle are consecutive, and its tags say which they are. */
export function checkRange(fetched: FetchedBundle, findings: Findings): void {
  const sentence = rangeProblem(fetched);
  if (sentence !== null) findings.add({ kind: 'BUNDLE_TAGS', sentence }, { id: fetched.bundle.id });
}

export function rangeProblem({ bundle, items }: Pick<FetchedBundle, 'bundle' | 'items'>): string | null {
  const seqs = items.flatMap(({ entry }) => entry?.seq ?? []);
  const [first] = seqs;
  if (seqs.length < items.length) return null;
  if (first === undefined) return 'The bundle is empty.';
  if (seqs.some((seq, index) => seq !== first + index)) return 'The entries of the bundle are not consecutive.';
  const last = first + seqs.length - 1;
  if (bundle.firstSeq === first && bundle.lastSeq === last) return null;
  const says = bundle.firstSeq === UNPLACED ? 'do not say which' : `say ${bundle.firstSeq} to ${bundle.lastSeq}`;
  return `The bundle holds entries ${first} to ${last}; its tags ${says}.`;
}

/** A block's time is its miner's, and follows no other clock exactly. */
const BLOCKS_DIFFER_MS = 15 * 60_000;

/** Whoever dates what it accepts ahead of time lets periods run out in which somebody could still have acted. */
export function checkPostdating(bundle: ListedBundle, placed: readonly Placed[], findings: Findings): void {
  const early = placed.find(({ entry }) => Date.parse(entry.acceptedAt) - bundle.minedAt > BLOCKS_DIFFER_MS);
  if (!early) return;
  const minedAt = new Date(bundle.minedAt).toISOString();
  const sentence = `It says that it was accepted at ${early.entry.acceptedAt}, and was mined before that, at ${minedAt}.`;
  findings.add({ kind: 'POSTDATED', sentence }, early.entry);
}

/** One finding a bundle: what was posted late was posted late together. */
export function checkPostingDelay(
  bundle: ListedBundle,
  placed: readonly Placed[],
  maxDelayMs: number,
  findings: Findings,
): void {
  const late = placed.filter(({ entry }) => bundle.minedAt - Date.parse(entry.acceptedAt) > maxDelayMs);
  const [oldest] = late;
  if (!oldest) return;
  const minedAt = new Date(bundle.minedAt).toISOString();
  const sentence =
    `It was accepted at ${oldest.entry.acceptedAt} and mined at ${minedAt}, more than ${maxDelayMs / 1000} seconds later` +
    `${late.length > 1 ? `, like ${late.length - 1} more of bundle ${bundle.id}` : ''}.`;
  findings.add({ kind: 'LATE_POSTING', sentence }, oldest.entry);
}
