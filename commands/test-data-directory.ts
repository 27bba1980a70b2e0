import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty DATA_DIR, removed after the test with the embedded database that it links to. */
export function dataDirectory(): string {
  const dataDir = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-`));
  onTestFinished(() => {
    const cluster = join(dataDir, 'postgres');
    if (existsSync(cluster)) rmSync(dirname(realpathSync(cluster)), { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });
  });
  return dataDir;
}
