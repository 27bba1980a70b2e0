import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The size of each log file at one moment, to separate later output from older starts. */
export type LogMark = Map<string, number>;

/** Receives the output of a start until the server's own logging runs. */
export const startupLog = (directory: string) => join(directory, 'startup.log');

export async function markLog(directory: string): Promise<LogMark> {
  return new Map(await Promise.all((await logFiles(directory)).map(async (file) => [file, await size(file)] as const)));
}

/** The output since the mark. */
export async function readLogSince(directory: string, mark: LogMark): Promise<string> {
  const texts = await Promise.all(
    (await logFiles(directory)).map(async (file) => {
      const [before, now] = [mark.get(file) ?? 0, await size(file)];
      return now >= before ? readFrom(file, Math.max(before, now - 16_384), now) : readFrom(file, 0, now);
    }),
  );
  return texts.join('').trim();
}

async function logFiles(directory: string): Promise<string[]> {
  const names = await readdir(join(directory, 'log')).catch(() => []);
  return [startupLog(directory), ...names.sort().map((name) => join(directory, 'log', name))];
}

const size = (file: string) =>
  stat(file).then(
    (found) => found.size,
    () => 0,
  );

async function readFrom(file: string, from: number, to: number): Promise<string> {
  if (to <= from) return '';
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
