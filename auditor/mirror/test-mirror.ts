import { createPrivateKey, sign } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { LedgerId, TransactionId } from '../../protocol/ids.ts';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import { formatCheckpoint } from '../../protocol/transparency/checkpoint.ts';
import { leafHashOf, originOf } from '../../protocol/transparency/ledger-log.ts';
import { type Hash, rootOf } from '../../protocol/transparency/merkle.ts';
import { formatNote } from '../../protocol/transparency/note.ts';
import { signNote } from '../../protocol/transparency/note-signatures.ts';
import { testKey } from '../../protocol/transparency/test-keys.ts';
import { formatVerifierKey, NOTE_TYPE } from '../../protocol/transparency/verifier-key.ts';
import type { SignedHead } from '../../server/ledger/read.ts';
import type { Devnet } from '../../server/network/devnet/devnet.ts';
import { clientOf, testDevnet } from '../../server/network/devnet/test-devnet.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { migratedDatabase } from '../../server/platform/db/test-database.ts';
import { createForgingRelayer, type ForgingRelayer, type Written } from '../audit/test-relayer.ts';
import { builtWorker } from '../audit/test-worker.ts';
import { type MirrorOptions, type RunningMirror, startMirror } from './mirror.ts';

export interface TestMirror extends RunningMirror {
  readonly dataDir: string;
  readonly notes: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  get(path: string, init?: RequestInit): Promise<{ status: number; headers: Headers; body: any }>;
  /** Resolves once the mirror has verified this entry. */
  reached(seq: number): Promise<void>;
  /** Stops it; another one may be started with the same place. */
  stop(): Promise<void>;
  /** The contents of its files of evidence. */
  evidence(): string[];
}

export interface MirrorPlace {
  readonly dataDir: string;
  readonly databaseUrl: string;
}

export async function mirrorPlace(newDatabase = migratedDatabase): Promise<MirrorPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-mirror-`));
  const { url, drop } = await newDatabase();
  onTestFinished(async () => {
    await drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { dataDir, databaseUrl: url };
}

/** A mirror in this process, which ends with the test. */
export async function testMirror(options: MirrorOptions, place?: MirrorPlace): Promise<TestMirror> {
  const { dataDir, databaseUrl } = place ?? (await mirrorPlace());
  const notes: string[] = [];
  const steps: (() => Promise<unknown>)[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      for (const step of steps.reverse()) await step();
    })();
    return stopping;
  };
  onTestFinished(stop);
  const running = await startMirror(
    { port: 0, allowPrivate: true, ...options },
    {
      env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' },
      note: (line) => void notes.push(line),
      addStep: (_, step) => void steps.push(step),
      workerFile: await builtWorker('check.worker'),
    },
  );
  return {
    ...running,
    dataDir,
    notes,
    stop,
    async get(path, init = {}) {
      const response = await fetch(`${running.url}${path}`, init);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json;') ?? false;
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    reached: (seq) =>
      expect.poll(running.following.verifiedTo, { message: notes.join('\n') }).toBeGreaterThanOrEqual(seq),
    evidence: () =>
      readdirSync(join(dataDir, 'evidence')).map((name) => readFileSync(join(dataDir, 'evidence', name), 'utf8')),
  };
}

/** A service whose keys the test holds: it serves what it is told to. */
export interface FalseService {
  readonly url: string;
  readonly relayer: ForgingRelayer;
  readonly devnet: Devnet;
  /** The entries that it serves; a test may replace them. */
  entries: Written[];
  /** How many entries it sends in one page. */
  pageSize: number;
  /** What it serves as the checkpoint of its log. */
  checkpoint: string | null;
  /** A checkpoint that the log signs, with the root of the entries or another one. */
  signCheckpoint(entries: readonly Written[], root?: Hash): string;
  /** Signs a head and sends it to each open stream. */
  sendHead(place: { epoch: number; seq: number; id: string | null }, at?: number): SignedHead;
}

export async function falseService(): Promise<FalseService> {
  const devnet = await testDevnet();
  const wallet = loadWallet(devnet.wallet);
  const relayer = createForgingRelayer({ client: clientOf(devnet, 15_000), wallet });
  const log = testKey(originOf(relayer.ledgerId as LedgerId), NOTE_TYPE);
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), relayer.seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const streams = new Set<{ response: ServerResponse; sent: number }>();
  const headOf = (place: { epoch: number; seq: number; id: string | null }, at = Date.now()): SignedHead => {
    const { epoch, seq, id } = place;
    const signed = { epoch, seq, id, at: new Date(at).toISOString() };
    const bytes = Buffer.from(canonicalJson({ ledger_id: relayer.ledgerId, ...signed }));
    return { ...signed, signature: sign(null, bytes, key).toString('base64') };
  };
  const lineOf = ({ id, bytes, entry }: Written) =>
    `${JSON.stringify({ id, epoch: entry.epoch, seq: entry.seq, status: 'ACCEPTED', l1_tx: null, item: bytes.toString('base64') })}\n`;
  const service = {
    url: '',
    relayer,
    devnet,
    entries: [] as Written[],
    pageSize: 1_000,
    checkpoint: null as string | null,
    signCheckpoint(
      entries: readonly Written[],
      root = rootOf(entries.map(({ id }) => leafHashOf(id as TransactionId))),
    ) {
      const text = formatCheckpoint({ origin: log.key.name, size: entries.length, root, extensions: [] });
      return formatNote({ text, signatures: [signNote(log.key, text, log.sign)] });
    },
    sendHead(place: { epoch: number; seq: number; id: string | null }, at?: number) {
      const head = headOf(place, at);
      for (const { response } of streams) response.write(`${JSON.stringify({ head })}\n`);
      return head;
    },
  };
  const last = () => {
    const written = service.entries.at(-1);
    return { epoch: written?.entry.epoch ?? 1, seq: written?.entry.seq ?? 0, id: written?.id ?? null };
  };
  const pump = () => {
    for (const stream of streams) {
      for (const written of service.entries.slice(stream.sent)) stream.response.write(lineOf(written));
      stream.sent = Math.max(stream.sent, service.entries.length);
    }
  };
  const timer = setInterval(pump, 50);
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const after = Number(searchParams.get('after'));
    if (pathname === '/api/ledger') {
      response.end(
        JSON.stringify({
          ...{ ledger_id: relayer.ledgerId, head: headOf(last()), relayer_public_key: relayer.relayerKey },
          ...{ wallet_address: wallet.address, network: { kind: 'devnet', gateway_url: devnet.url } },
          ...{ max_posting_delay_seconds: 86_400, checkpoint_key: formatVerifierKey(log.key) },
        }),
      );
    } else if (pathname === '/tlog/checkpoint') {
      const { checkpoint } = service;
      response.writeHead(checkpoint === null ? 404 : 200).end(checkpoint ?? '');
    } else if (pathname === '/api/ledger/entries') {
      response.end(
        service.entries
          .filter(({ entry }) => entry.seq > after)
          .slice(0, service.pageSize)
          .map(lineOf)
          .join(''),
      );
    } else if (pathname === '/api/ledger/stream') {
      response.write(`${JSON.stringify({ head: headOf(last()) })}\n`);
      const first = service.entries.findIndex(({ entry }) => entry.seq > after);
      const stream = { response, sent: first < 0 ? service.entries.length : first };
      streams.add(stream);
      response.on('close', () => streams.delete(stream));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    clearInterval(timer);
    server.closeAllConnections();
    server.close();
  });
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}
