import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { EVIDENCE_FORMAT, type Evidence } from './evidence.ts';
import type { Trust } from './mirror-rows.ts';
import type { Breach } from './verifier.ts';

export const evidenceOf = (
  { kind, sentence, finding, items, heads }: Breach,
  trust: Pick<Trust, 'ledger_id' | 'relayer_public_key'>,
  keyItems: readonly Uint8Array[],
  foundAt: Date,
): Evidence => ({
  format: EVIDENCE_FORMAT,
  kind,
  sentence: sentence.slice(0, 2_000),
  found_at: foundAt.toISOString(),
  ledger_id: trust.ledger_id,
  relayer_public_key: trust.relayer_public_key,
  relayer_keys: keyItems.map(base64),
  finding,
  items: items.map(base64),
  heads: [...heads],
});

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Writes a file of evidence, which is complete or does not exist. @returns its path */
export async function writeEvidence(dataDir: string, evidence: Evidence): Promise<string> {
  const folder = join(dataDir, 'evidence');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${evidence.kind}-${evidence.found_at.replaceAll(/[:.]/g, '-')}.json`);
  const file = await open(`${path}.part`, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(evidence, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
  return path;
}
