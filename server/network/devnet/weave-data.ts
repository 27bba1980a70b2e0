import { splitData } from '../arweave-transaction.ts';
import type { ChainTransaction } from './devnet-chain.ts';
import type { Journal } from './journal.ts';

type StoredChunk = { at: number; start: number; length: number };

export type WeaveData = ReturnType<typeof createWeaveData>;

/** Locates the data of transactions in the journal: in the transaction's own record, or in one record per chunk. */
export function createWeaveData(journal: () => Journal) {
  const chunksByRoot = new Map<string, Map<number, StoredChunk>>();
  const keyOf = (dataRoot: string, dataSize: number) => `${dataRoot}:${dataSize}`;

  /** The data's records in order, or undefined while chunks are missing. */
  function recordsOf({ at, inline, dataRoot, dataSize }: ChainTransaction): number[] | undefined {
    if (dataSize === 0) return [];
    if (inline) return [at];
    const chunks = chunksByRoot.get(keyOf(dataRoot, dataSize));
    const sorted = [...(chunks?.values() ?? [])].sort((a, b) => a.start - b.start);
    const stored = sorted.reduce((total, { length }) => total + length, 0);
    return stored === dataSize ? sorted.map((chunk) => chunk.at) : undefined;
  }

  return {
    /** Accepts chunks of this root from now on. */
    expect(dataRoot: string, dataSize: number): void {
      const key = keyOf(dataRoot, dataSize);
      if (!chunksByRoot.has(key)) chunksByRoot.set(key, new Map());
    },
    expects: (dataRoot: string, dataSize: number) => chunksByRoot.has(keyOf(dataRoot, dataSize)),
    chunk: (dataRoot: string, dataSize: number, start: number) =>
      chunksByRoot.get(keyOf(dataRoot, dataSize))?.get(start),
    addChunk(dataRoot: string, dataSize: number, chunk: StoredChunk): void {
      chunksByRoot.get(keyOf(dataRoot, dataSize))?.set(chunk.start, chunk);
    },

    /** The data as a stream, or undefined while chunks are missing. */
    pieces(transaction: ChainTransaction): AsyncIterable<Buffer> | undefined {
      const records = recordsOf(transaction);
      return records && readAll(journal(), records);
    },

    /** The chunk with the byte at `offset` (from 0) and its proof, or undefined if it is missing. */
    async provenChunk(transaction: ChainTransaction, offset: number) {
      const pieces = this.pieces(transaction);
      if (!pieces) return undefined;
      const parts: Buffer[] = [];
      for await (const piece of pieces) parts.push(piece);
      const data = Buffer.concat(parts);
      const { chunks } = await splitData(data);
      const chunk = chunks.find(({ start, end }) => start <= offset && offset < end);
      return chunk && { bytes: data.subarray(chunk.start, chunk.end), dataPath: chunk.dataPath };
    },
  };
}

async function* readAll(journal: Journal, records: readonly number[]): AsyncIterable<Buffer> {
  for (const at of records) yield await journal.body(at);
}
