import { execFile } from 'node:child_process';
import { sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import { ledgerIdOf } from '../../protocol/ids.ts';
import { type Case, checkProof, type StepName } from '../../protocol/ledger/check-proof.ts';
import { PROOF_FORMAT, type Proof } from '../../protocol/ledger/proof.ts';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import { newSigningKey } from '../platform/crypto/signed-request.ts';
import { createItemSigner } from './ans104.ts';
import { type ChainedEntry, chain, type Draft } from './chain.ts';
import { linkOf } from './proof.ts';

export const SCRIPT = fileURLToPath(new URL('../../public/check-proof.mjs', import.meta.url));

export interface Outcome {
  readonly status: number;
  /** What the script printed. */
  readonly text: string;
}

/** Runs the product's script on the chain of an entry; `relayer` is the key that the holder of the proof expects. */
export const runScript = (proof: unknown, relayer?: string): Promise<Outcome> =>
  checkFile(JSON.stringify(proof), relayer ? [relayer] : []);

/** Runs the product's script on a file with this content, in a thread: a process each time would take far longer. */
export function checkFile(content: string | Uint8Array, options: readonly string[]): Promise<Outcome> {
  const args = [fileOf(content), ...options];
  const outcome = running.then(() => inThread(args));
  running = outcome.catch(() => undefined);
  return outcome;
}

/** The same in a process of its own, as a person runs it. */
export function checkInProcess(content: string | Uint8Array, options: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, fileOf(content), ...options], (error, text, errors) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, text: `${text}${errors}` }),
    );
  });
}

function fileOf(content: string | Uint8Array): string {
  const directory = mkdtempSync(join(tmpdir(), 'perpetua-proof-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'proof');
  writeFileSync(path, content);
  return path;
}

/** Loads the script anew for each check, because it runs as it is loaded. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
let text;
console.log = console.error = (...parts) => (text += parts.join(' ') + '\\n');
let loaded = 0;
parentPort.on('message', async (args) => {
  text = '';
  process.argv = [process.argv[0], workerData, ...args];
  await import(workerData + '?' + ++loaded);
  const status = process.exitCode;
  process.exitCode = 0;
  parentPort.postMessage({ status, text });
});`;

let thread: Worker | undefined;
/** The last check that was asked for: the thread makes one after another. */
let running: Promise<unknown> = Promise.resolve();

async function inThread(args: readonly string[]): Promise<Outcome> {
  thread ??= new Worker(THREAD, { eval: true, workerData: pathToFileURL(SCRIPT).href });
  thread.ref();
  thread.postMessage(args);
  const [outcome] = await once(thread, 'message');
  thread.unref();
  return outcome;
}

/** The result of each step of the browser's check, in order. */
export const checkResults = (proof: Proof): Partial<Record<StepName, Case>> =>
  Object.fromEntries(
    [...checkProof(proof)].flatMap((step) => (step.verdict === 'running' ? [] : [[step.name, step.case]])),
  );

/** Whether the browser's check passes. */
export const holds = (proof: Proof): boolean => [...checkProof(proof)].every(({ verdict }) => verdict !== 'bad');

export interface ForgingRelayer {
  readonly publicKey: string;
  /** A proof of the entry at `index` in a chain of these drafts. */
  proofOf(drafts: readonly Draft[], index: number): Proof;
  /** Signs a chain of these drafts. */
  write(drafts: readonly Draft[]): ChainedEntry[];
  prove(entries: readonly ChainedEntry[], index: number): Proof;
}

/** A relayer that signs invalid entries too. */
export function newForgingRelayer(): ForgingRelayer {
  const { privateKey, publicKey } = newSigningKey();
  const raw = Buffer.from(publicKey, 'hex');
  const signer = createItemSigner(privateKey, raw);
  const write = (drafts: readonly Draft[]) => {
    const entries: ChainedEntry[] = [];
    for (const draft of drafts) {
      const head = entries.at(-1) ?? { epoch: 1, seq: 0, id: null };
      entries.push(chain(signer, head, draft, new Date().toISOString()));
    }
    return entries;
  };
  const prove = (entries: readonly ChainedEntry[], index: number): Proof => {
    const [entry, before, last] = [entries[index], entries[index - 1], entries.at(-1)];
    if (!entry || !last) throw new Error('The index is outside the chain.');
    const ledger_id = ledgerIdOf(raw.toString('hex'));
    const place = { epoch: last.epoch, seq: last.seq, id: last.id, at: last.acceptedAt };
    const signature = sign(null, Buffer.from(canonicalJson({ ledger_id, ...place })), privateKey).toString('base64');
    return {
      format: PROOF_FORMAT,
      ledger_id,
      relayer_public_key: raw.toString('hex'),
      id: entry.id,
      item: entry.item.toString('base64'),
      before: before ? { ...linkOf(before.item), prev: entries[index - 2]?.id ?? null } : null,
      after: entries.slice(index + 1).map(({ item }) => linkOf(item)),
      head: { ...place, signature },
      network: {
        kind: 'devnet',
        gateway_url: 'http://127.0.0.1',
        permanent: false,
        wallet_address: 'none',
        status: 'ACCEPTED',
        l1_tx: null,
      },
    };
  };
  return {
    publicKey: raw.toString('hex'),
    write,
    prove,
    proofOf: (drafts, index) => prove(write(drafts), index),
  };
}
