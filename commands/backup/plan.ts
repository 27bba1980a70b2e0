import { join } from 'node:path';
import { basesIn, boundNames, HISTORY, namesIn, SEGMENT, type Store } from '../../server/platform/db/backup/layout.ts';
import { type Manifest, readManifest } from '../../server/platform/db/backup/manifest.ts';
import { BackupError, openSealed, timeOfSealed } from '../../server/platform/db/backup/sealed-file.ts';
import { historyName, numberAt, numberOf, segmentName, timelineOf } from '../../server/platform/db/backup/wal-name.ts';

/** What a recovery reads, decided before anything is written. */
export interface Plan {
  readonly manifest: Manifest;
  readonly timeline: number;
  /** Names of files in the archive. */
  readonly segments: readonly string[];
  readonly histories: readonly string[];
  /** The restored state is that of this time, in ms; later changes are not in the backup. */
  readonly until: number;
}

/** Where a timeline left its parent. */
interface Fork {
  readonly timeline: number;
  /** The segment in which the next timeline begins. */
  readonly endsIn: number;
}

const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * Chooses the base backup and the write-ahead log for a point in time.
 * @param to milliseconds since 1970; null for the end of the archive
 * @param base the id of a base backup; null for the newest that fits
 * @throws {BackupError} if there is none, or a file between them is missing
 */
export async function planRecovery(
  store: Store,
  key: Buffer,
  { to, base }: { readonly to: number | null; readonly base: string | null },
): Promise<Plan> {
  const bases = await basesIn(store);
  if (bases.length === 0) throw new BackupError(`${store.base} holds no complete backup.`);
  const archived = new Set(await namesIn(store.wal));
  const histories = [...archived].filter((name) => HISTORY.test(name));
  const timeline = await timelineAt(store, to, [...bases.map(({ startSegment }) => startSegment), ...archived]);
  // Without its history only base backups of the timeline itself can be used, and they hold it.
  const forks = archived.has(historyName(timeline)) ? await forksOf(store, key, timeline) : [];
  const isOnTimeline = ({ startSegment }: { readonly startSegment: string }) => {
    const own = timelineOf(startSegment);
    return own === timeline || forks.some((fork) => fork.timeline === own && numberOf(startSegment) <= fork.endsIn);
  };
  const named = base === null ? bases : bases.filter(({ id }) => id === base);
  if (named.length === 0) throw new BackupError(`${store.base} holds no backup ${base}.`);
  const usable = named.filter(isOnTimeline).reverse();
  let manifest: Manifest | null = null;
  for (const { id, startedAt } of usable) {
    if (to !== null && startedAt > to) continue;
    const found = await readManifest(store, id, key);
    if (to !== null && Date.parse(found.stoppedAt) > to) continue;
    manifest = found;
    break;
  }
  if (!manifest) {
    const first = usable.at(-1) ?? named[0];
    const complete = first ? (await readManifest(store, first.id, key)).stoppedAt : '';
    throw new BackupError(
      to === null
        ? `No backup in ${store.base} belongs to the newest timeline of its write-ahead log.`
        : `${iso(to)} is before the first backup, which was complete at ${complete}.`,
    );
  }
  return { manifest, timeline, histories, ...(await segmentsFor(store, manifest, { timeline, forks, archived, to })) };
}

/** The timeline that the service wrote at a time. A timeline begins when its history is archived. */
async function timelineAt(store: Store, to: number | null, names: readonly string[]): Promise<number> {
  let last = 1;
  for (const name of names) {
    if (!SEGMENT.test(name) && !HISTORY.test(name)) continue;
    const timeline = timelineOf(name);
    if (timeline <= last) continue;
    const history = join(store.wal, historyName(timeline));
    const began = to === null ? 0 : await timeOfSealed(history).catch(() => 0);
    if (to === null || began <= to) last = timeline;
  }
  return last;
}

async function forksOf(store: Store, key: Buffer, timeline: number): Promise<Fork[]> {
  if (timeline === 1) return [];
  const name = historyName(timeline);
  const pieces: Buffer[] = [];
  for await (const piece of openSealed(join(store.wal, name), key, boundNames.wal(store, name))) pieces.push(piece);
  return Buffer.concat(pieces)
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [, parent, lsn] = /^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/i.exec(line) ?? [];
      return parent && lsn ? [{ timeline: Number(parent), endsIn: numberAt(lsn) }] : [];
    });
}

/** The archived segments from the start of the base on, without a gap. */
async function segmentsFor(
  store: Store,
  manifest: Manifest,
  parts: {
    readonly timeline: number;
    readonly forks: readonly Fork[];
    readonly archived: ReadonlySet<string>;
    readonly to: number | null;
  },
): Promise<Pick<Plan, 'segments' | 'until'>> {
  const { timeline, forks, archived, to } = parts;
  const candidates = (number: number): string[] => [
    segmentName(forks.find(({ endsIn }) => number < endsIn)?.timeline ?? timeline, number),
    // The segment in which a timeline ends may be archived only as its parent's.
    ...forks.filter(({ endsIn }) => endsIn === number).map((fork) => segmentName(fork.timeline, number)),
  ];
  const [first, stop] = [numberOf(manifest.startSegment), numberOf(manifest.stopSegment)];
  const segments: string[] = [];
  let until = Date.parse(manifest.stoppedAt);
  let number = first;
  for (; ; number += 1) {
    const found = candidates(number).find((name) => archived.has(name));
    if (found) {
      segments.push(found);
      until = Math.max(until, await timeOfSealed(join(store.wal, found)));
      if (to !== null && until >= to && number >= stop) return { segments, until: to };
    } else if (number > stop) break;
  }
  const missing = segmentName(timeline, number);
  const isGap = [...archived].some(
    (name) => SEGMENT.test(name) && timelineOf(name) <= timeline && numberOf(name) > number,
  );
  if (isGap && (to === null || to > until)) {
    throw new BackupError(
      `The write-ahead log ${missing} is missing in ${store.wal}: this backup restores up to ${iso(until)}; give --to with that time or an earlier one.`,
    );
  }
  if (to !== null && to > until)
    throw new BackupError(`${iso(to)} is after the last archived change: this backup restores up to ${iso(until)}.`);
  return { segments, until };
}
