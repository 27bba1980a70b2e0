import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readPolicy, verifyCheckpoint } from '../../../protocol/transparency/checkpoint.ts';
import { inclusionSubtrees } from '../../../protocol/transparency/merkle-proof.ts';
import { verifyProofFile } from '../../../protocol/transparency/proof-file.ts';
import { readHashes } from '../../../server/ledger/transparency/tiles.ts';
import { readRunningFile } from '../../../server/platform/data-folder/running-file.ts';
import { createPool } from '../../../server/platform/db/pool.ts';
import { fetchFrom, getJson } from '../api.ts';
import type { Figure } from '../figures.ts';
import { fillEntries } from '../fill.ts';
import { untilPosted } from '../ledger-state.ts';
import { inPairedRounds, pairedFigure, processorFigures } from '../paired-rounds.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Measurement, Scenario, Session } from '../session.ts';

/** Entries of one measurement become FINAL during the next ones, so that checkpoints are made all the time. */
const DEVNET_BLOCK_MS = '100';
const MAX_TREE_SECONDS = 600;
/** Places in the tree whose proofs are measured. */
const PLACES = 200;

/** createBEO on a service that publishes checkpoints, and on one that does not, in pairs. */
export const checkpointing: Scenario = {
  name: 'transparency: checkpoints',
  async run(session) {
    const keys = join(dirname(session.server().env.DATA_DIR ?? ''), 'keys');
    mkdirSync(keys, { recursive: true });
    const newKeyFile = (name: string) => {
      const file = join(keys, name);
      writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
      return file;
    };
    const start = (name: string, settings: Readonly<Record<string, string>>) =>
      session.startAnother(name, {
        settings: { DEVNET_BLOCK_MS, RELAYER_KEY_FILE: newKeyFile(`${name}.key`), ...settings },
      });
    // A service whose relayer key is given creates no key for checkpoints, and publishes none without one.
    const without = await start('without-checkpoints', {});
    const publishing = await start('with-checkpoints', { CHECKPOINT_KEY_FILE: newKeyFile('checkpoint.key') });
    const [createWithout, createWith] = [creating(session, without), creating(session, publishing)];
    const { warmUp, writes } = session.settings;
    await createWithout(warmUp);
    await createWith(warmUp);
    const sizes = [await sizeOfTree(publishing)];
    const rounds = await inPairedRounds(session, {
      title: 'createBEO with checkpoints',
      reference: () => createWithout(writes),
      server: async () => {
        const measurement = await createWith(writes);
        sizes.push(await sizeOfTree(publishing));
        return measurement;
      },
    });
    if (sizes.some((size, round) => round > 0 && size <= (sizes[round - 1] ?? 0)))
      throw new Error(`The tree did not grow in each round: ${sizes.join(', ')} entries.`);
    await without.stop();
    await publishing.stop();
    const targets = [{ of: 'ratio', atLeast: 0.97 }] as const;
    return [
      pairedFigure(rounds, 'createBEO with checkpoints, against without', '/s', ({ perSecond }) => perSecond, targets),
      ...processorFigures(rounds, 'createBEO with checkpoints, against without'),
    ];
  },
};

function creating(session: Session, server: ServerProcess): (count: number) => Promise<Measurement> {
  let created = 0;
  return async (count) => {
    const workload = { kind: 'createBEO', from: 3_000_000 + created, count } as const;
    created += count;
    const measurement = await session.measure(server, { workload });
    await untilPosted(server.url);
    return measurement;
  };
}

const ledgerShape = z.object({ checkpoint_key: z.string() });

async function readText(url: string): Promise<string> {
  const response = await fetchFrom(url);
  if (!response.ok) throw new Error(`The response to ${url} was ${response.status}.`);
  return response.text();
}

async function policyOf({ url }: ServerProcess) {
  const { checkpoint_key: log } = await getJson(`${url}/api/ledger`, ledgerShape);
  return readPolicy({ log: [log], witnesses: [], quorum: 0 });
}

async function sizeOfTree(server: ServerProcess): Promise<number> {
  const policy = await policyOf(server);
  return verifyCheckpoint(Buffer.from(await readText(`${server.url}/tlog/checkpoint`)), policy).checkpoint.size;
}

/** Proofs in a large tree, whose entries are written into the database of the server as copies of one. */
export const proofs: Scenario = {
  name: 'transparency: proofs',
  async run(session) {
    const entries = session.settings.identities ?? session.settings.manyIdentities;
    const first = await session.startAnother('proofs');
    await session.measure(first, { workload: { kind: 'createBEO', from: 0, count: 1 } });
    await untilPosted(first.url);
    await first.stop();
    const { transactionIds } = await fillEntries(String(first.env.DATA_DIR), entries, session.log);
    const server = await session.startAnother('proofs');
    const seconds = await untilInTree(server, entries);
    const size = await sizeOfTree(server);
    const bytes = await proofSizes(server, transactionIds);
    const tiles = await tilesRead(server, size);
    const paths = transactionIds.map((id) => `/tlog/proof/${id}`);
    const rates: number[] = [];
    for (let round = 1; round <= session.settings.rounds; round++) {
      const count = Math.ceil(session.settings.reads / 8);
      rates.push((await session.measure(server, { workload: { kind: 'get', paths, count } })).perSecond);
    }
    await server.stop();
    const among = `a proof among ${size} entries`;
    return [
      { name: `${among}, without its entry: largest`, unit: 'bytes', rounds: [bytes], targets: [below(4_000)] },
      { name: `${among}: most tiles read`, unit: 'tiles', rounds: [tiles], targets: [below(64)] },
      { name: `GET ${among}`, unit: '/s', rounds: rates },
      { name: `the first checkpoints of ${size} entries, from the start of the service`, unit: 's', rounds: [seconds] },
    ] satisfies Figure[];
  },
};

const below = (atMost: number) => ({ of: 'value', atMost }) as const;

/** @returns the seconds from the start of the service until all entries were in its tree */
async function untilInTree(server: ServerProcess, entries: number): Promise<number> {
  const begun = performance.now();
  while ((await sizeOfTree(server).catch(() => 0)) < entries) {
    if (performance.now() - begun > MAX_TREE_SECONDS * 1000) throw new Error('The tree did not grow to all entries.');
    await sleep(200);
  }
  return server.startSeconds + (performance.now() - begun) / 1000;
}

/** The size of the largest proof without its entry. The first entry is no copy, so its proof is verified. */
async function proofSizes(server: ServerProcess, ids: readonly string[]): Promise<number> {
  const firstLine = z.object({ id: z.string() });
  const [line = ''] = (await readText(`${server.url}/api/ledger/entries?limit=1`)).split('\n');
  const { id } = firstLine.parse(JSON.parse(line));
  const proof = Buffer.from(await readText(`${server.url}/tlog/proof/${id}`));
  verifyProofFile(proof, await policyOf(server));
  const sizes = [withoutEntry(proof.toString())];
  const step = Math.ceil(ids.length / PLACES);
  for (let at = 0; at < ids.length; at += step)
    sizes.push(withoutEntry(await readText(`${server.url}/tlog/proof/${ids[at]}`)));
  return Math.max(...sizes);
}

const withoutEntry = (proof: string): number => Buffer.byteLength(proof.replace(/^extra .*\n/m, ''));

/** The most tiles that the service's code reads from the database for one proof: one query for each. */
async function tilesRead(server: ServerProcess, size: number): Promise<number> {
  const url = readRunningFile(String(server.env.DATA_DIR))?.database_url ?? '';
  const pool = createPool(url, 1, () => undefined);
  try {
    const counts: number[] = [];
    const places = Array.from({ length: PLACES }, (_, place) => Math.floor((place * size) / PLACES));
    for (const index of [...places, size - 1]) {
      let read = 0;
      const query = pool.query.bind(pool);
      const counting = Object.assign(Object.create(pool) as typeof pool, {
        query: (...given: Parameters<typeof query>) => {
          read += 1;
          return query(...given);
        },
      });
      await readHashes(counting, inclusionSubtrees(index, size), size);
      counts.push(read);
    }
    return Math.max(...counts);
  } finally {
    await pool.end();
  }
}
