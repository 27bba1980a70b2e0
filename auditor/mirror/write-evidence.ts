import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { keyItemsUpTo } from '../../server/ledger/key-entries.ts';
import { EVIDENCE_FORMAT, type Evidence } from './evidence.ts';
import type { Trust } from './mirror-rows.ts';
import type { Breach } from './verifier.ts';

export interface EvidenceParts {
  readonly pool: Pool;
  readonly trust: Pick<Trust, 'ledger_id' | 'relayer_public_key' | 'checkpoint_key'>;
  readonly dataDir: string;
}

const MAX_SENTENCE_LENGTH = 2_000;

/**
 * Writes a file of evidence, which is complete or does not exist.
 * @param verifiedTo the file has the keys of the relayer up to this seq
 * @returns its path
 */
export async function recordEvidence(parts: EvidenceParts, found: Breach, verifiedTo: number): Promise<string> {
  const { pool, trust, dataDir } = parts;
  const keyItems = await keyItemsUpTo(pool, trust.ledger_id, verifiedTo);
  const foundAt = new Date().toISOString();
  const evidence: Evidence = {
    format: EVIDENCE_FORMAT,
    kind: found.kind,
    sentence: found.sentence.slice(0, MAX_SENTENCE_LENGTH),
    found_at: foundAt,
    ledger_id: trust.ledger_id,
    relayer_public_key: trust.relayer_public_key,
    relayer_keys: keyItems.map(({ item }) => base64(item)),
    finding: found.finding,
    items: found.items.map(base64),
    heads: [...found.heads],
    checkpoint_key: trust.checkpoint_key,
    checkpoints: [...found.checkpoints],
  };
  return writeFile(
    dataDir,
    `${found.kind}${found.finding === null ? '' : `-${found.finding}`}-${foundAt.replaceAll(/[:.]/g, '-')}`,
    `${JSON.stringify(evidence, null, 2)}\n`,
  );
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

async function writeFile(dataDir: string, name: string, text: string): Promise<string> {
  const folder = join(dataDir, 'evidence');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.json`);
  const file = await open(`${path}.part`, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
  return path;
}
