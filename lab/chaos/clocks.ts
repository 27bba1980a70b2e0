import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installFromDebian } from '../../server/launch/debian.mjs';

/** The clock of a process and its children, which can be stepped while it runs. */
export interface SteppedClock {
  /** The environment that makes a process use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Moves it by seconds from the real time; 0 sets it right. */
  step(seconds: number): void;
}

/** The path of libfaketime, installed on Debian as root; null where it is missing. */
export function findFakeTime(): string | null {
  return libraryPath() ?? (installFromDebian('libfaketime') ? libraryPath() : null);
}

function libraryPath(): string | null {
  if (process.platform !== 'linux') return null;
  const folders = ['/usr/lib', ...subfolders('/usr/lib')].map((folder) => join(folder, 'faketime'));
  // The variant for programs with several threads.
  return folders.map((folder) => join(folder, 'libfaketimeMT.so.1')).find((file) => existsSync(file)) ?? null;
}

const subfolders = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(folder, entry.name)] : [],
  );

/** @param library the path of libfaketime @param file the file that the process reads its offset from */
export function createSteppedClock(library: string, file: string): SteppedClock {
  const step = (seconds: number) => {
    writeFileSync(`${file}.new`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s\n`);
    renameSync(`${file}.new`, file);
  };
  step(0);
  return {
    step,
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // Timers run on the monotonic clock, which a step of the clock does not change.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
  };
}
