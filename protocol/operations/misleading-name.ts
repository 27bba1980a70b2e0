import { findMisleading, type Misleading } from '../entities/display-names.ts';
import { type ProtocolError, refusal } from '../errors.ts';

const SENTENCES: Readonly<Record<Misleading['kind'], (word: string) => string>> = {
  invisible: () => 'must not contain invisible characters',
  styled: (word) => `must be in plain letters: “${word}” has letters that only look like those from a to z`,
  mixed: (word) => `must not mix scripts within a word: “${word}” has letters of more than one`,
  stacked: (word) => `must have at most two accents or other marks on a letter: “${word}” has more`,
  own: (word) => `must not be the name of this service, its operator or the institute: “${word}” looks like it`,
};
const UNTRIMMED = 'must not begin or end with a space';

/**
 * The error for a request with a misleading name in `field`, or null.
 * @param ownNames names of the service and its operator
 */
export function misleadingNameProblem(field: string, name: string, ownNames: readonly string[]): ProtocolError | null {
  const found = findMisleading(name, ownNames);
  if (!found && name === name.trim()) return null;
  const message = found ? SENTENCES[found.kind](found.word) : UNTRIMMED;
  return refusal('VALIDATION_FAILED', `The request does not have the form this operation needs: ${field} ${message}.`, {
    issues: [{ path: field, message }],
  });
}
