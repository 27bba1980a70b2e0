import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amount } from '../test-amount.ts';
import {
  appendLeaves,
  EMPTY_FRONTIER,
  type Frontier,
  frontierOf,
  frontierRoot,
  type Hash,
  leafHash,
  subtreesOf,
} from './merkle.ts';
import { consistencyProof, consistencySubtrees, inclusionProof, inclusionSubtrees } from './merkle-proof.ts';
import { bundleOf, NaiveTree, pathOfTile } from './test-second-implementation.ts';
import {
  decodeEntryBundle,
  encodeEntryBundle,
  entryBundleAt,
  extendTiles,
  hashesInTiles,
  newTiles,
  parseTilePath,
  TILE_WIDTH,
  type Tile,
  tileAt,
  tilePath,
  tilesOf,
} from './tiles.ts';
import { TransparencyError } from './transparency-error.ts';

const data = Array.from({ length: 1_024 }, (_, index) => Buffer.from(`entry ${index}`));
/** Of any size: the data repeats. */
const naive = new NaiveTree(data);
const leafHashAt = (index: number): Hash => leafHash(data[index % data.length] ?? Buffer.alloc(0));
const allOf = (proof: readonly Uint8Array[]) => Buffer.concat(proof).toString('hex');

/** Reads from the tiles of the second implementation, and records which. */
function recordingReader(size: number) {
  const read = new Set<string>();
  const hashOf = hashesInTiles(size, (tile) => {
    read.add(tilePath(tile));
    return naive.tile(tile.level, tile.index, size);
  });
  return { read, hashOf };
}

const sizes = fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 3_000_000 }));

describe('hashes in tiles', () => {
  test('give the root and every proof, from exactly the tiles that are named for it', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (size, one, other) => {
        const [index, oldSize] = [one % size, other % (size + 1)];
        const root = recordingReader(size);
        expect(frontierRoot(frontierOf(size, root.hashOf))).toEqual(naive.mth(0, size));
        expect([...root.read].sort()).toEqual(tilesOf(subtreesOf(0, size), size).map(tilePath).sort());

        const inclusion = recordingReader(size);
        expect(allOf(inclusionProof(index, size, inclusion.hashOf))).toBe(allOf(naive.path(index, 0, size)));
        expect([...inclusion.read].sort()).toEqual(tilesOf(inclusionSubtrees(index, size), size).map(tilePath).sort());

        const consistency = recordingReader(size);
        const expected = oldSize === 0 ? [] : naive.proof(oldSize, size);
        expect(allOf(consistencyProof(oldSize, size, consistency.hashOf))).toBe(allOf(expected));
        expect([...consistency.read].sort()).toEqual(
          tilesOf(consistencySubtrees(oldSize, size), size).map(tilePath).sort(),
        );
      }),
      { numRuns: amount(20, 60) },
    );
  });

  test('of a proof among a million entries are in at most six tiles', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.nat(), (size, index) => {
        expect(tilesOf(inclusionSubtrees(index % size, size), size).length).toBeLessThanOrEqual(6);
        expect(tilesOf(consistencySubtrees((index % size) + 1, size), size).length).toBeLessThanOrEqual(6);
      }),
    );
  });

  test('are read from a full tile in place of a partial one, and from nothing else', () => {
    const hashesFrom = (bytes: Uint8Array) => hashesInTiles(300, () => bytes)({ level: 2, index: 64 });
    const full = naive.tile(0, 1, 512);
    expect(hashesFrom(full)).toEqual(naive.mth(256, 260));
    expect(hashesFrom(full.subarray(0, 44 * 32))).toEqual(naive.mth(256, 260));
    for (const bytes of [full.subarray(0, 43 * 32), full.subarray(1), Buffer.concat([full, full]), Buffer.alloc(0)]) {
      expect(() => hashesFrom(bytes)).toThrow(TransparencyError);
    }
  });

  test('of a subtree that is not complete are not read', () => {
    const hashOf = hashesInTiles(300, () => naive.tile(0, 0, 256));
    for (const subtree of [
      { level: 0, index: 300 },
      { level: 3, index: 37 },
      { level: 8, index: 1 },
      { level: 16, index: 0 },
    ]) {
      expect(() => hashOf(subtree)).toThrow(TransparencyError);
    }
  });
});

describe('extending tiles', () => {
  test('appends to each level what makes the tiles of the larger tree', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400), { maxLength: 6 }), (steps) => {
        const levels: Hash[][] = [];
        let frontier: Frontier = EMPTY_FRONTIER;
        for (const step of steps) {
          const added = Array.from({ length: step }, (_, at) => leafHashAt(frontier.size + at));
          const extended = extendTiles(frontier, added);
          for (const { level, start, hashes } of extended.appended) {
            const before = levels[level] ?? [];
            expect(before.length).toBe(start);
            levels[level] = [...before, ...hashes];
          }
          expect(extended.frontier).toEqual(appendLeaves(frontier, added));
          frontier = extended.frontier;
        }
        for (const { level, index, width } of newTiles(0, frontier.size)) {
          const hashes = levels[level]?.slice(index * TILE_WIDTH, index * TILE_WIDTH + width) ?? [];
          expect(allOf(hashes)).toBe(naive.tile(level, index, frontier.size).toString('hex'));
        }
      }),
      { numRuns: 30 },
    );
  });

  test('changes exactly the tiles that are new or wider', () => {
    /** From the definition of C2SP tlog-tiles. */
    const tilesWith = (size: number): string[] =>
      [0, 1, 2].flatMap((level) => {
        const hashes = Math.floor(size / 256 ** level);
        return Array.from({ length: Math.ceil(hashes / 256) }, (_, index) =>
          pathOfTile(level, index, Math.min(256, hashes - index * 256)),
        );
      });
    fc.assert(
      fc.property(fc.nat(200_000), fc.nat(2_000), (oldSize, added) => {
        const before = new Set(tilesWith(oldSize));
        const expected = tilesWith(oldSize + added).filter((path) => !before.has(path));
        expect([...newTiles(oldSize, oldSize + added)].map(tilePath)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  test('to 70 000 entries makes 277, as C2SP counts them', () => {
    const widths = [...newTiles(0, 70_000)].map(({ level, width }) => `${level}:${width}`);
    const countOf = (key: string) => widths.filter((width) => width === key).length;
    expect(['0:256', '0:112', '1:256', '1:17', '2:1'].map(countOf)).toEqual([273, 1, 1, 1, 1]);
    expect(widths.length).toBe(277);
  });
});

describe('a path', () => {
  const tiles = fc.record({
    level: fc.nat(63),
    index: fc.oneof(fc.nat(2_000), fc.nat(Number.MAX_SAFE_INTEGER)),
    width: fc.integer({ min: 1, max: 256 }),
  });

  test('is that of the second implementation, and parsed to the same tile', () => {
    fc.assert(
      fc.property(tiles, fc.boolean(), (tile: Tile, isBundle) => {
        const address = isBundle ? ({ ...tile, level: 'entries' } as const) : tile;
        const path = tilePath(address);
        expect(path).toBe(pathOfTile(address.level, tile.index, tile.width));
        expect(parseTilePath(path)).toEqual(address);
      }),
    );
  });

  test('that names neither a tile nor a bundle is not parsed', () => {
    const parts = fc.constantFrom(
      'tile',
      '/',
      '0',
      '00',
      '000',
      'x000',
      'x001',
      '.p',
      '255',
      '256',
      'entries',
      '-1',
      ' ',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (list) => {
        const path = list.join('');
        const tile = parseTilePath(path);
        if (tile) expect(tilePath(tile)).toBe(path);
      }),
      { numRuns: amount(400, 2_000) },
    );
    expect(parseTilePath(`tile/0/${'x000/'.repeat(100_000)}000`)).toBeNull();
  });

  test('of a tile or bundle that a tree does not have is not made', () => {
    expect([tileAt(0, 1, 256), tileAt(1, 0, 255), tileAt(0, 0, 0), entryBundleAt(2, 512)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(entryBundleAt(1, 257)).toEqual({ level: 'entries', index: 1, width: 1 });
  });
});

describe('an entry bundle', () => {
  const entries = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });

  test('has the bytes of the second implementation, and is decoded to the same entries', () => {
    fc.assert(
      fc.property(entries, (list) => {
        const bytes = encodeEntryBundle(list);
        expect(Buffer.from(bytes)).toEqual(bundleOf(list));
        expect(decodeEntryBundle(bytes, list.length).map((entry) => [...entry])).toEqual(
          list.map((entry) => [...entry]),
        );
      }),
    );
  });

  test('is rejected if it is cut off, has more bytes, or has another number of entries', () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 5 }), (list, count) => {
        const bytes = encodeEntryBundle(list);
        const wrong = [
          [bytes, list.length + count],
          [bytes, list.length - count],
          [bytes.subarray(0, -count), list.length],
          [new Uint8Array([...bytes, ...new Array<number>(count).fill(0)]), list.length],
        ] as const;
        for (const [bad, width] of wrong) {
          if (bad.length === bytes.length && width === list.length) continue;
          expect(() => decodeEntryBundle(bad, width)).toThrow(TransparencyError);
        }
      }),
    );
  });

  test('is not made of entries that are too long', () => {
    expect(encodeEntryBundle([new Uint8Array(65_535)]).length).toBe(65_537);
    expect(() => encodeEntryBundle([new Uint8Array(65_536)])).toThrow(TransparencyError);
  });
});
