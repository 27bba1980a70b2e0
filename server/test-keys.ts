import { join } from 'node:path';
import { readOrCreateKey } from './keys.ts';

/** The keys that a service with DATABASE_URL does not create itself. */
export function createKeys(dataDir: string): void {
  for (const name of ['relayer.key', 'vault.key']) readOrCreateKey(join(dataDir, name));
}
