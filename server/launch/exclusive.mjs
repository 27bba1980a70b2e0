import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const BEAT_MS = 1_000;
const DEAD_AFTER_MS = 10_000;

/**
 * Does a piece of work while no other process on this machine does it. The lock is a file that its holder touches every
 * second; one that has not been touched for ten is left from a process that was killed.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {() => void} onWait called once, when another process has to be waited for
 * @returns {Promise<T>}
 */
export async function exclusively(file, work, onWait) {
  mkdirSync(dirname(file), { recursive: true });
  for (let waited = false; !take(file); waited = true) {
    if (!waited) onWait();
    await sleep(200);
  }
  const { ino } = statSync(file);
  const isOurs = () => statSync(file, { throwIfNoEntry: false })?.ino === ino;
  const touch = () => isOurs() && utimesSync(file, new Date(), new Date());
  const release = () => isOurs() && rmSync(file, { force: true });
  const beat = setInterval(touch, BEAT_MS);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off('exit', release);
    release();
  }
}

/** @param {string} file */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    const { ino, mtimeMs } = statSync(file);
    if (Date.now() - mtimeMs < DEAD_AFTER_MS) return false;
    // Of two that find it dead, the rename lets one remove it; what was renamed is looked at again, lest it be a new one.
    const aside = `${file}.${process.pid}`;
    renameSync(file, aside);
    if (statSync(aside).ino === ino) rmSync(aside);
    else renameSync(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return false;
}
