import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { startBackends } from './backends.ts';

test('the relayer key, which a backup reads, exists before the first backup of a new service', async () => {
  const [dataDir, backups] = ['data', 'backups'].map((name) =>
    mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-${name}-`)),
  ) as [string, string];
  const steps: (() => Promise<unknown>)[] = [];
  const config = readConfig({ DATA_DIR: dataDir, BACKUP_DIR: backups, LOG_LEVEL: 'silent' });
  const started = await startBackends(config, {
    log: createLog(config, null),
    report: () => undefined,
    shutdown: { addStep: (_, step) => void steps.push(step), onError: () => undefined, run: async () => undefined },
    backupProgram: new URL('./not-run.js', import.meta.url),
  });
  onTestFinished(async () => {
    for (const step of steps.reverse()) await step();
    for (const folder of [dirname(started.backends.databaseDirectory ?? dataDir), dataDir, backups])
      rmSync(folder, { recursive: true, force: true });
  });
  expect(existsSync(join(dataDir, 'relayer.key'))).toBe(true);
});
