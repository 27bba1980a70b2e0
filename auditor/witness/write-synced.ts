import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** Creates or replaces a file atomically; returns once content and name are on the disk. */
export async function writeSynced(directory: string, name: string, text: string): Promise<void> {
  const draft = join(directory, `${name}.new`);
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, join(directory, name));
  // Windows has no equivalent.
  if (process.platform === 'win32') return;
  const folder = await open(directory, 'r');
  await folder.sync().finally(() => folder.close());
}
