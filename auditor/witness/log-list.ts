import { TransparencyError } from '../../protocol/transparency/transparency-error.ts';
import { NOTE_TYPE, parseVerifierKey, type VerifierKey } from '../../protocol/transparency/verifier-key.ts';

/** The keys of each log that the witness cosigns for, by its origin. */
export type LogList = ReadonlyMap<string, readonly VerifierKey[]>;

/** The lines of a file of logs; empty lines and those that begin with # are ignored. */
export const linesOfLogFile = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/**
 * The logs of lines `ORIGIN VKEY`, or `VKEY` if the name of the key is the origin. A log that replaces its key has two lines.
 * @throws {TransparencyError} for a key that is malformed, of another type than 1, or listed twice for one log
 */
export function readLogList(lines: readonly string[]): LogList {
  const logs = new Map<string, VerifierKey[]>();
  for (const line of lines) {
    const [, origin, vkey = line] = /^(.*\S)\s+(\S+)$/.exec(line) ?? [];
    const key = parseVerifierKey(vkey);
    if (key.type !== NOTE_TYPE) {
      throw new TransparencyError('policy', `The key of ${key.name} is not that of a log, which has type 1.`);
    }
    const keys = logs.get(origin ?? key.name) ?? [];
    if (keys.some(({ publicKey }) => publicKey === key.publicKey))
      throw new TransparencyError('policy', `The public key of ${key.name} is listed twice.`);
    logs.set(origin ?? key.name, [...keys, key]);
  }
  return logs;
}
