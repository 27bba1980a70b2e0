import { z } from 'zod';
import { refusal } from '../../../protocol/errors.ts';
import { formatNote } from '../../../protocol/transparency/note.ts';
import { entryBundleAt, parseTilePath, tileAt } from '../../../protocol/transparency/tiles.ts';
import { proofSchema, readProof } from '../../ledger/proof.ts';
import { readCheckpoint } from '../../ledger/transparency/checkpoints.ts';
import { proveEntry } from '../../ledger/transparency/prove-entry.ts';
import { readEntryBundle, readTile } from '../../ledger/transparency/tiles.ts';
import { available } from '../../platform/db/pool.ts';
import type { Context } from '../context.ts';
import { IMMUTABLE } from '../etag.ts';
import { jsonResponse } from '../http.ts';
import { prefersJson } from './accept-header.ts';
import { json, rawQuery } from './rest-endpoint.ts';

const TEXT = 'text/plain; charset=utf-8';
const BYTES = 'application/octet-stream';
/** Of a tile on a devnet, which can begin again and then serves other bytes at the same address. */
const FOR_A_MOMENT = 'public, max-age=10';

/** @throws NOT_FOUND if this service has no key for checkpoints */
function logOf({ transparencyLog }: Context) {
  if (transparencyLog) return transparencyLog;
  throw refusal('NOT_FOUND', 'This service publishes no checkpoints: it has no key for them.');
}

async function published(context: Context) {
  const log = logOf(context);
  const checkpoint = await available(() => readCheckpoint(context.listPool, log));
  if (checkpoint) return checkpoint;
  throw refusal('NOT_FOUND', 'There is no checkpoint yet; try again shortly.');
}

export const checkpoint = rawQuery({
  revalidates: true,
  title: 'Read the latest checkpoint of the transparency log',
  description: 'A signed note: C2SP tlog-checkpoint. `checkpoint_key` of `GET /api/ledger` verifies it.',
  answers: [{ status: 200, description: 'The checkpoint.', type: TEXT, schema: z.string() }],
  errors: ['NOT_FOUND'],
  async answer(context) {
    const { note } = await published(context);
    return { status: 200, headers: { 'content-type': TEXT }, body: formatNote(note) };
  },
});

export const tile = rawQuery({
  revalidates: true,
  title: 'Read a tile of the transparency log',
  description: 'C2SP tlog-tiles: hashes of a level, or with the level `entries` the ids of entries.',
  path: {
    tileLevel: z.string().meta({ description: '0 and more, or `entries`.' }),
    tileIndex: z.string().meta({ description: 'With slashes, as in `x001/234` or `x001/234.p/56`.' }),
  },
  answers: [{ status: 200, description: 'The bytes of the tile.', type: BYTES, schema: z.string() }],
  errors: ['NOT_FOUND'],
  async answer(context, { params: { tileLevel, tileIndex } }) {
    const wanted = parseTilePath(`tile/${tileLevel}/${tileIndex}`);
    const { size } = await published(context);
    const found =
      wanted &&
      (wanted.level === 'entries' ? entryBundleAt(wanted.index, size) : tileAt(wanted.level, wanted.index, size));
    if (!wanted || !found || wanted.width > found.width) throw refusal('NOT_FOUND');
    const { listPool: pool, network } = context;
    const body = await available(() =>
      wanted.level === 'entries'
        ? readEntryBundle(pool, { ...wanted, level: 'entries' })
        : readTile(pool, { ...wanted, level: wanted.level }),
    );
    const caching = network.kind === 'arweave' ? IMMUTABLE : FOR_A_MOMENT;
    return { status: 200, headers: { 'content-type': BYTES, 'cache-control': caching }, body };
  },
});

export const proof = rawQuery({
  revalidates: true,
  title: 'Read the proof that an entry is in the transparency log',
  description: 'C2SP tlog-proof, with the entry as extra data. docs/transparency.md describes how to verify it.',
  path: { id: z.string().meta({ description: 'The id of the transaction.' }) },
  answers: [{ status: 200, description: 'The proof.', type: TEXT, schema: z.string() }],
  errors: ['TRANSACTION_NOT_FOUND', 'NOT_FOUND'],
  async answer(context, { params }) {
    const text = await proveEntry(context.pool, logOf(context), params.id ?? '');
    if (text === null) throw refusal('NOT_FOUND', 'The entry is not in the tree yet. It is added once it is FINAL.');
    return { status: 200, headers: { 'content-type': TEXT }, body: text };
  },
});

/** Clients that are older than the log ask for JSON. */
export const ledgerProof = rawQuery({
  revalidates: true,
  mayLag: true,
  title: 'Read the proof of a ledger entry',
  description:
    'Everything that is needed to check the entry without this service. An entry that is in the transparency log has a small file (C2SP tlog-proof). Others, and requests that prefer `application/json` (`Accept`), have the chain of the entries around it (docs/audit.md).',
  path: { id: z.string().meta({ description: 'The id of the transaction.' }) },
  answers: [
    { status: 200, description: 'The proof that the entry is in the log.', type: TEXT, schema: z.string() },
    json(proofSchema, 200, 'The chain of entries.'),
  ],
  errors: ['TRANSACTION_NOT_FOUND'],
  async answer(context, { params, header }) {
    const { pool, transparencyLog: log } = context;
    const id = params.id ?? '';
    const vary = { vary: 'accept' };
    const text = log && !prefersJson(header('accept')) ? await proveEntry(pool, log, id) : null;
    if (text === null) return jsonResponse(200, await readProof(context, id), vary);
    return { status: 200, headers: { 'content-type': TEXT, ...vary }, body: text };
  },
});
