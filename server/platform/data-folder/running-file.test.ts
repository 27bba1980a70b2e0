import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRunningFile, removeRunningFile, writeRunningFile } from './running-file.ts';

const directory = () => {
  const dataDir = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-`));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
};
const running = { pid: process.pid, gateway_url: 'http://127.0.0.1:1', database_url: 'postgres://127.0.0.1:2/x' };

test('what a server has running is found by the commands of its operator, and by nobody else', () => {
  const dataDir = join(directory(), 'new');
  expect(readRunningFile(dataDir)).toBeNull();
  writeRunningFile(dataDir, running);
  expect(readRunningFile(dataDir)).toEqual(running);
  expect(statSync(join(dataDir, 'running.json')).mode & 0o777).toBe(0o600);
  removeRunningFile(dataDir);
  expect(readRunningFile(dataDir)).toBeNull();
  removeRunningFile(dataDir);
});

test('the note of a killed server does not count for the process that has its id now, also after a reboot', () => {
  const dataDir = directory();
  const path = join(dataDir, 'running.json');
  writeRunningFile(dataDir, running);
  const written = JSON.parse(readFileSync(path, 'utf8'));
  const readWith = (changes: Record<string, unknown>) => {
    writeFileSync(path, JSON.stringify({ ...written, ...changes }));
    return readRunningFile(dataDir);
  };
  const refused = existsSync('/proc/self/stat') ? null : running;
  expect(readWith({ started: '1' })).toEqual(refused);
  expect(readWith({ boot_id: '00000000-0000-0000-0000-000000000000' })).toEqual(refused);
  // As an earlier version writes it, and a service that systemd does not show the boot.
  expect(readWith({ started: undefined, boot_id: undefined })).toEqual(running);
  expect(readWith({ boot_id: null })).toEqual(running);
});

test('the note of a server that was killed says nothing any more, nor does a damaged one', () => {
  const dataDir = directory();
  writeRunningFile(dataDir, { ...running, pid: 2 ** 22 + 1 });
  expect(readRunningFile(dataDir)).toBeNull();
  writeFileSync(join(dataDir, 'running.json'), '{"pid":');
  expect(readRunningFile(dataDir)).toBeNull();
});
