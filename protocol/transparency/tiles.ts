import { concatBytes } from '../signing/encoding.ts';
import {
  appendLeaves,
  type Frontier,
  HASH_BYTES,
  type Hash,
  type HashOf,
  isSize,
  rootOf,
  type Subtree,
  splitHashes,
} from './merkle.ts';
import { malformed } from './transparency-error.ts';

/** C2SP tlog-tiles: a full tile has 256 hashes, the leaves of a subtree of height 8. */
export const TILE_WIDTH = 256;
export const TILE_HEIGHT = 8;
const MAX_TILE_LEVEL = 63;

/** A tile of hashes. Those of level L are the hashes of complete subtrees of 256^L leaves. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  /** The number of hashes: 1 to 255 in a partial tile, 256 in a full one. */
  readonly width: number;
}

/** The data of the leaves whose hashes are in the tile of level 0 with the same index and width. */
export interface EntryBundle {
  readonly level: 'entries';
  readonly index: number;
  readonly width: number;
}

/* Addresses ------------------------------------------------------------------------------------------------------ */

/** The path below the prefix of the log, like `tile/0/x001/x234/067.p/112`. */
export function tilePath({ level, index, width }: Tile | EntryBundle): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? [];
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level}/${path}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

const PATH = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/;

/** The tile or bundle of a path; null unless the path is the one that tilePath makes for it. */
export function parseTilePath(path: string): Tile | EntryBundle | null {
  const [, name, groups = '', partial] = PATH.exec(path) ?? [];
  if (name === undefined) return null;
  const index = Number(groups.replace(/[x/]/g, ''));
  const width = partial === undefined ? TILE_WIDTH : Number(partial);
  if (!isSize(index) || width < 1 || width > TILE_WIDTH || Number(name) > MAX_TILE_LEVEL) return null;
  const tile: Tile | EntryBundle =
    name === 'entries' ? { level: name, index, width } : { level: Number(name), index, width };
  return tilePath(tile) === path ? tile : null;
}

/* Which tiles a tree has ----------------------------------------------------------------------------------------- */

/** The number of hashes in all tiles of a level. */
const hashesAt = (level: number, size: number): number => Math.floor(size / TILE_WIDTH ** level);

/** The tile in a tree of `size` leaves; null if the tree does not have it. */
export function tileAt(level: number, index: number, size: number): Tile | null {
  const width = Math.min(TILE_WIDTH, hashesAt(level, size) - index * TILE_WIDTH);
  return width > 0 ? { level, index, width } : null;
}

/** The bundle in a tree of `size` leaves; null if the tree does not have it. */
export function entryBundleAt(index: number, size: number): EntryBundle | null {
  const tile = tileAt(0, index, size);
  return tile && { ...tile, level: 'entries' };
}

/** The tiles of the tree of `size` leaves that the tree of `oldSize` does not have, or has narrower; by level and index. */
export function* newTiles(oldSize: number, size: number): Generator<Tile> {
  for (let level = 0; hashesAt(level, size) > hashesAt(level, oldSize); level++) {
    for (let index = Math.floor(hashesAt(level, oldSize) / TILE_WIDTH); ; index++) {
      const tile = tileAt(level, index, size);
      if (!tile) break;
      yield tile;
    }
  }
}

/** Where the hash of a subtree is: in one tile, as one hash or as a power of two of hashes to be joined. */
function placeOf({ level, index }: Subtree, size: number): { tile: Tile; from: number; count: number } {
  const tileLevel = Math.floor(level / TILE_HEIGHT);
  const count = 2 ** (level % TILE_HEIGHT);
  const first = index * count;
  const tile = tileAt(tileLevel, Math.floor(first / TILE_WIDTH), size);
  const from = first % TILE_WIDTH;
  if (!tile || from + count > tile.width) {
    throw malformed(`A tree of ${size} leaves has no complete subtree ${index} of level ${level}.`);
  }
  return { tile, from, count };
}

/** The tiles in which the hashes of subtrees are, each once. @throws {TransparencyError} for a subtree that is not complete */
export function tilesOf(subtrees: readonly Subtree[], size: number): Tile[] {
  const tiles = new Map(subtrees.map((subtree) => placeOf(subtree, size).tile).map((tile) => [tilePath(tile), tile]));
  return [...tiles.values()];
}

/**
 * Reads the hashes of subtrees from the tiles of a tree of `size` leaves. `read` returns the bytes of a tile, or those of a
 * wider one with the same level and index (C2SP tlog-tiles: the full tile stands in for a partial one).
 * @throws {TransparencyError} from the returned function, for bytes that are no such tile
 */
export const hashesInTiles =
  (size: number, read: (tile: Tile) => Uint8Array): HashOf =>
  (subtree) => {
    const { tile, from, count } = placeOf(subtree, size);
    const bytes = read(tile);
    const hashes = bytes.length / HASH_BYTES;
    if (!Number.isInteger(hashes) || hashes < tile.width || hashes > TILE_WIDTH) {
      throw malformed(`${tilePath(tile)} has ${tile.width} hashes of ${HASH_BYTES} bytes, not ${bytes.length} bytes.`);
    }
    return rootOf(splitHashes(bytes.subarray(from * HASH_BYTES, (from + count) * HASH_BYTES)));
  };

/* Extending ------------------------------------------------------------------------------------------------------ */

/** Hashes that are appended to the tiles of a level; `start` is the position of the first one in the level. */
export interface Appended {
  readonly level: number;
  readonly start: number;
  readonly hashes: readonly Hash[];
}

/** Appends leaves, and returns what is to be appended to the tiles of each level. */
export function extendTiles(
  frontier: Frontier,
  leafHashes: Iterable<Hash>,
): { readonly frontier: Frontier; readonly appended: readonly Appended[] } {
  const levels: Hash[][] = [];
  const extended = appendLeaves(frontier, leafHashes, ({ level }, hash) => {
    if (level % TILE_HEIGHT !== 0) return;
    const hashes = levels[level / TILE_HEIGHT] ?? [];
    hashes.push(hash);
    levels[level / TILE_HEIGHT] = hashes;
  });
  const appended = levels.map((hashes, level) => ({ level, start: hashesAt(level, frontier.size), hashes }));
  return { frontier: extended, appended };
}

/* Entry bundles -------------------------------------------------------------------------------------------------- */

const MAX_LEAF_BYTES = 0xffff;

/** The data of leaves, each after its length as a big-endian uint16 (C2SP tlog-tiles). @throws {TransparencyError} for data that is too long */
export function encodeEntryBundle(leaves: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concatBytes(
    ...leaves.flatMap((data) => {
      if (data.length > MAX_LEAF_BYTES)
        throw malformed(`A leaf has ${data.length} bytes; ${MAX_LEAF_BYTES} are allowed.`);
      return [Uint8Array.of(data.length >> 8, data.length & 0xff), data];
    }),
  );
}

/** The data of the `width` leaves of a bundle, as views of its bytes. @throws {TransparencyError} unless they fill it exactly */
export function decodeEntryBundle(bytes: Uint8Array, width: number): Uint8Array[] {
  const leaves: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length && leaves.length < width) {
    const [high = 0, low] = bytes.subarray(at, at + 2);
    const end = low === undefined ? bytes.length + 1 : at + 2 + high * 256 + low;
    if (end > bytes.length) throw malformed('The bundle ends inside an entry.');
    leaves.push(bytes.subarray(at + 2, end));
    at = end;
  }
  if (at !== bytes.length || leaves.length !== width)
    throw malformed(`The bundle does not have exactly ${width} entries.`);
  return leaves;
}
