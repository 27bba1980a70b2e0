import { readHead } from '../ledger/head.ts';
import { pageAfter, readSignedHead } from '../ledger/read.ts';
import { createEntryStreams, type EntryStreams } from '../ledger/stream.ts';
import type { Context } from './context.ts';

/** A stream may be behind: it has no reader whose own writes it must contain. */
const ANY_READER = { address: '', minSeq: 0 };

/**
 * Streams of the ledger, whose entries may come from a standby.
 * @param context of the process, which contains the streams
 */
export const openStreams = (maxMs: number, context: () => Context): EntryStreams =>
  createEntryStreams({
    maxMs,
    latestSeq: async () => (await readHead(context().pool)).seq,
    signedHead: () => readSignedHead(context()),
    async pageAfter(seq) {
      const { publicReads } = context();
      return publicReads.run(context(), ANY_READER, (services) => pageAfter(services, seq));
    },
  });
