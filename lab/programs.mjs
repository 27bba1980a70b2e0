import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, serverBundle } from '../server/launch/build.mjs';

/**
 * Builds programs of the lab into a folder of this process. They use the parties of the tests, so they are built apart from
 * the commands of the product.
 * @param {Readonly<Record<string, string>>} input their files, by name
 * @returns {Promise<{ directory: string, remove(): void }>}
 */
export async function buildPrograms(input) {
  const { build } = await import('rolldown');
  const cache = join(ROOT, 'node_modules', '.cache', 'perpetua');
  const directory = join(cache, `${Object.keys(input)[0]}-${process.pid}`);
  mkdirSync(cache, { recursive: true });
  await build({ ...serverBundle(directory), input: { ...input } });
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** The processes that a chaos run starts and kills. */
export const CHAOS_PROGRAMS = {
  'serving.child': 'lab/chaos/serving.child.ts',
  'devnet.child': 'lab/chaos/devnet.child.ts',
  'check.worker': 'auditor/audit/check.worker.ts',
  'signatures.worker': 'server/platform/crypto/signatures.worker.ts',
};
