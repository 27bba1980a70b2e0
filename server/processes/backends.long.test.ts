import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { query } from '../../auditor/audit/test-operator.ts';
import { readConfig } from '../config.ts';
import { captureLog } from '../testing/test-service.ts';
import { startBackends } from './backends.ts';

test('a new service with backups prepares its key and database for them, and warns if they share a disk', async () => {
  const [dataDir, backups] = ['data', 'backups'].map((name) =>
    mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-${name}-`)),
  ) as [string, string];
  const steps: (() => Promise<unknown>)[] = [];
  const config = readConfig({ DATA_DIR: dataDir, BACKUP_DIR: backups, PROCESSES: '6' });
  const { log, lines } = captureLog();
  const started = await startBackends(config, {
    log,
    report: () => undefined,
    shutdown: { addStep: (_, step) => void steps.push(step), onError: () => undefined, run: async () => undefined },
    backupProgram: new URL('./not-run.js', import.meta.url),
  });
  onTestFinished(async () => {
    for (const step of steps.reverse()) await step();
    for (const folder of [dirname(started.backends.databaseDirectory ?? dataDir), dataDir, backups])
      rmSync(folder, { recursive: true, force: true });
  });
  // The first backup reads it.
  expect(existsSync(join(dataDir, 'relayer.key'))).toBe(true);
  expect(lines.join()).toContain('BACKUP_DIR is on the same file system as DATA_DIR');
  const [row] = await query<{ max: number }>(
    started.backends.databaseUrl,
    "SELECT current_setting('max_connections')::int AS max",
  );
  expect(row?.max).toBeGreaterThan(6 * 20);
});
