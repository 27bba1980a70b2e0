import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, serverBundle } from '../../server/launch/build.mjs';

const SOURCES = {
  'serving.child': 'lab/chaos/serving.child.ts',
  'devnet.child': 'lab/chaos/devnet.child.ts',
  'check.worker': 'auditor/audit/check.worker.ts',
  'signatures.worker': 'server/platform/crypto/signatures.worker.ts',
};

/**
 * Builds the processes that the chaos test kills, with the command itself if asked, into a folder of this process.
 * @param {{ command?: boolean }} [options]
 * @returns {Promise<{ directory: string, remove(): void }>}
 */
export async function buildPrograms({ command = false } = {}) {
  const { build } = await import('rolldown');
  const cache = join(ROOT, 'node_modules', '.cache', 'perpetua');
  const directory = join(cache, `chaos-${process.pid}`);
  mkdirSync(cache, { recursive: true });
  const input = { ...SOURCES, ...(command ? { chaos: 'lab/chaos/chaos-command.ts' } : {}) };
  await build({ ...serverBundle(directory), input });
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
