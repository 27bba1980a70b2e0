import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HEARTBEAT_MS = 1_000;
const STALE_AFTER_MS = 10_000;

/**
 * Runs `work` under a lock between the processes of this machine. The lock is a file that its holder touches every second;
 * if it has not been touched for ten seconds, its holder was killed.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {() => void} onWait called once if another process holds the lock
 * @returns {Promise<T>}
 */
export async function exclusively(file, work, onWait) {
  mkdirSync(dirname(file), { recursive: true });
  for (let waited = false; !acquire(file); waited = true) {
    if (!waited) onWait();
    await sleep(200);
  }
  const { ino } = statSync(file);
  const isOurs = () => statSync(file, { throwIfNoEntry: false })?.ino === ino;
  const touch = () => isOurs() && utimesSync(file, new Date(), new Date());
  const release = () => isOurs() && rmSync(file, { force: true });
  const heartbeat = setInterval(touch, HEARTBEAT_MS);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.off('exit', release);
    release();
  }
}

/** @param {string} file */
function acquire(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    const { ino, mtimeMs } = statSync(file);
    if (Date.now() - mtimeMs < STALE_AFTER_MS) return false;
    // The rename lets only one process remove a stale lock. It is undone if it took a lock created in the meantime.
    const renamed = `${file}.${process.pid}`;
    renameSync(file, renamed);
    if (statSync(renamed).ino === ino) rmSync(renamed);
    else renameSync(renamed, file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return false;
}
