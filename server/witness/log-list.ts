import { TransparencyError } from '../../protocol/transparency/transparency-error.ts';
import { NOTE_TYPE, parseVerifierKey, type VerifierKey } from '../../protocol/transparency/verifier-key.ts';

/** The keys of each log that the witness cosigns for, by its origin. */
export type LogList = ReadonlyMap<string, readonly VerifierKey[]>;

/** The lines of a file of verifier keys; empty lines and those that begin with # are ignored. */
export const linesOfLogFile = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/**
 * The logs of verifier keys. The name of a log's key is its origin; a log that replaces its key has two.
 * @throws {TransparencyError} for a key that is malformed, of another type than 1, or listed twice
 */
export function readLogList(vkeys: readonly string[]): LogList {
  const logs = new Map<string, VerifierKey[]>();
  const seen = new Set<string>();
  for (const key of vkeys.map(parseVerifierKey)) {
    if (key.type !== NOTE_TYPE) {
      throw new TransparencyError('policy', `The key of ${key.name} is not that of a log, which has type 1.`);
    }
    if (seen.has(key.publicKey))
      throw new TransparencyError('policy', `The public key of ${key.name} is listed twice.`);
    seen.add(key.publicKey);
    logs.set(key.name, [...(logs.get(key.name) ?? []), key]);
  }
  return logs;
}
