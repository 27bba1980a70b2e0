import { z } from 'zod';
import { refusal } from '../../../protocol/errors.ts';
import { closingLine, streamLine } from '../../ledger/stream.ts';
import type { Context } from '../context.ts';
import { MAX_STREAMS_PER_ADDRESS } from '../limits/connection-counts.ts';
import { wholeNumber } from './parameters.ts';
import { rawQuery } from './rest-endpoint.ts';

const LINES = 'application/jsonl; charset=utf-8';
/** A page of a stream is at most about 400 kB, which the slowest link that is useful takes in this time. */
const SLOW_MS = 30_000;
/** How long a slow reader has to read the line that tells it so. */
const LAST_LINE_MS = 2_000;
const RETRY_SECONDS = 60;

export const ledgerStream = rawQuery({
  title: 'Follow the ledger',
  description:
    'JSON Lines that do not end: the entries after `after`, oldest first, then new ones as they are accepted. The first line has the signed `head`, as in `GET /api/ledger`, and so has one every 15 seconds. The last line names the reason if the service closes the stream: open another one after the last entry that you have. The status of an entry is the one at that moment; later changes are not sent.',
  parameters: z.strictObject({
    after: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }).meta({
      description: 'The `seq` of the last entry that you have.',
    }),
  }),
  answers: [{ status: 200, description: 'One JSON value a line.', type: LINES, schema: streamLine }],
  async answer(context, { parameters: { after }, address }) {
    const leave = await enter(context, address);
    try {
      const stream = await context.streams.open(after);
      return {
        status: 200,
        // A proxy that buffers would hold entries back.
        headers: { 'content-type': LINES, 'x-accel-buffering': 'no' },
        body: {
          [Symbol.asyncIterator]: () => stream.lines[Symbol.asyncIterator](),
          leave() {
            stream.leave();
            leave();
          },
          slow: { afterMs: SLOW_MS, lastLine: closingLine('too_slow'), lastLineMs: LAST_LINE_MS },
        },
      };
    } catch (error) {
      leave();
      throw error;
    }
  },
});

/** Counts the stream until the returned function is called. @throws RATE_LIMITED, UNAVAILABLE */
async function enter({ streamCounts, config }: Context, address: string): Promise<() => void> {
  const client = config.RATE_LIMIT ? address : null;
  const verdict = await Promise.resolve(streamCounts.opened(client)).catch(() => 'total' as const);
  if (verdict === 'address') {
    throw refusal(
      'RATE_LIMITED',
      `Your address has ${MAX_STREAMS_PER_ADDRESS} streams open, which is the maximum; close one first.`,
      { retry_after_seconds: RETRY_SECONDS },
    );
  }
  if (verdict === 'total') throw refusal('UNAVAILABLE', 'Too many streams are open; try again later.');
  let counted = true;
  return () => {
    if (counted) streamCounts.closed(client);
    counted = false;
  };
}
