import { type Chain, type ChainRecord, createChain } from './devnet-chain.ts';
import { type Journal, openJournal } from './journal.ts';
import { createWeaveData, type WeaveData } from './weave-data.ts';

/** A gateway has an index of tags and serves data at /raw; a node has neither, and answers 400 to an unknown path. */
export type DevnetKind = 'gateway' | 'node';

export type DevnetState = {
  chain: Chain;
  weave: WeaveData;
  journal: Journal;
  /** Size of the incomplete record that a crash left at the end of the journal. */
  cutBytes: number;
  /** The height at the last post of a transaction, accepted or not: a refused client waits for new blocks. */
  postedAtHeight: number | null;
  kind: DevnetKind;
  /** Applies a record immediately; resolves when it is on disk. @throws {JournalError} if the write fails */
  commit(record: ChainRecord, body?: Uint8Array): Promise<void>;
};

/** Rebuilds the devnet's state from its journal. */
export async function openState(path: string): Promise<DevnetState> {
  const chain = createChain();
  const weave = createWeaveData(() => journal);

  function apply(record: ChainRecord, at: number): void {
    if (record.kind === 'chunk') {
      weave.addChunk(record.data_root, record.data_size, { at, start: record.start, length: record.length });
      return;
    }
    chain.apply(record, at);
    if (record.kind === 'transaction') {
      weave.expect(record.transaction.data_root, Number(record.transaction.data_size));
    }
  }

  const opened = await openJournal(path, ({ at, header }) => apply(header as ChainRecord, at));
  const journal: Journal = opened;
  return {
    chain,
    weave,
    journal,
    cutBytes: opened.cutBytes,
    postedAtHeight: null,
    kind: 'gateway',
    async commit(record, body) {
      const { at, durable } = journal.append(record, body);
      apply(record, at);
      await durable;
    },
  };
}
