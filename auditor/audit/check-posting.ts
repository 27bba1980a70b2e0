import type { Audit } from './audit.ts';
import { type ListedBundle, UNPLACED } from './bundle-list.ts';
import type { Placed } from './checked.ts';
import type { Findings } from './findings.ts';
import type { FetchedBundle } from './read-bundles.ts';

/** The entries of a bundle must be consecutive and match its tags. */
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
  const tags = bundle.firstSeq === UNPLACED ? 'name no range' : `name ${bundle.firstSeq} to ${bundle.lastSeq}`;
  return `The bundle contains entries ${first} to ${last}, but its tags ${tags}.`;
}

/** Tolerance for the clocks of miners, who set the time of a block. */
const BLOCKS_DIFFER_MS = 15 * 60_000;

/** A relayer that postdates entries makes periods end early in which people could still act. */
export function checkPostdating(bundle: ListedBundle, placed: readonly Placed[], findings: Findings): void {
  const early = placed.find(({ entry }) => Date.parse(entry.acceptedAt) - bundle.minedAt > BLOCKS_DIFFER_MS);
  if (!early) return;
  const minedAt = new Date(bundle.minedAt).toISOString();
  const sentence = `Its time of acceptance is ${early.entry.acceptedAt}, but it was mined before, at ${minedAt}.`;
  findings.add({ kind: 'POSTDATED', sentence }, early.entry);
}

/** Reports one finding per bundle, because its entries were posted together. */
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
/** Reports an entry that is not on the network after the published maximum. `now` in ms. */
export function checkOverdue({ findings, firstBeyond }: Audit, maxDelayMs: number, now: number): void {
  if (!firstBeyond) return;
  const waited = now - Date.parse(firstBeyond.acceptedAt);
  if (waited <= maxDelayMs) return;
  const sentence = `It was accepted at ${firstBeyond.acceptedAt} and is still not on the network, after ${Math.round(waited / 1000)} seconds.`;
  findings.add({ kind: 'LATE_POSTING', sentence }, firstBeyond);
}
