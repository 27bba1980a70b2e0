import { findMisleading, type Misleading } from '../entities/display-names.ts';
import { type ProtocolError, refusal } from '../errors.ts';

const SENTENCES: Readonly<Record<Misleading['kind'], (word: string) => string>> = {
  invisible: () => 'must not contain invisible characters',
  styled: (word) => `must be in plain letters: “${word}” has letters that only look like those from a to z`,
  mixed: (word) => `must not mix scripts within a word: “${word}” has letters of more than one`,
};

/** The error for a request with a misleading name in `field`, or null. */
export function misleadingNameProblem(field: string, name: string): ProtocolError | null {
  const found = findMisleading(name);
  if (!found) return null;
  const message = SENTENCES[found.kind](found.word);
  return refusal('VALIDATION_FAILED', `The request does not have the form this operation needs: ${field} ${message}.`, {
    issues: [{ path: field, message }],
  });
}
