import { bytesToHex, concatBytes, fromBase64, hexToBytes, toBase64 } from '../signing/encoding.ts';
import { decodeText } from './fields.ts';
import { malformed } from './transparency-error.ts';
import { isKeyName } from './verifier-key.ts';

/** Limits of this project. C2SP signed-note requires at least 16 signatures, of up to about 5 kB. */
export const MAX_NOTE_BYTES = 1_000_000;
export const MAX_SIGNATURES = 100;

const KEY_ID_BYTES = 4;
const SIGNATURE_PREFIX = '\u2014 ';

/** A line below a note. `keyId` is eight hex characters; `bytes` is what follows it, at least one byte. */
export interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  readonly bytes: Uint8Array;
}

/** A signed note (C2SP signed-note). Nothing about it is true before its signatures are verified. */
export interface Note {
  /** Ends in a newline, which is signed too. */
  readonly text: string;
  /** At least one. */
  readonly signatures: readonly NoteSignature[];
}

/** Parses a signed note; it verifies nothing. @throws {TransparencyError} for anything that C2SP signed-note does not allow */
export function parseNote(bytes: Uint8Array): Note {
  const content = decodeText(bytes, MAX_NOTE_BYTES, 'note');
  const end = content.lastIndexOf('\n\n');
  if (end === -1) throw malformed('A note has an empty line between its text and its signatures.');
  const text = content.slice(0, end + 1);
  requireNoControls(text);
  return { text, signatures: parseLines(content.slice(end + 2)) };
}

/** The UTF-8 text of a note. @throws {TransparencyError} if parseNote would not return the same note */
export function formatNote({ text, signatures }: Note): string {
  requireNoControls(text);
  if (!text.endsWith('\n') || !text.isWellFormed())
    throw malformed('The text of a note is Unicode that ends in a newline.');
  if (signatures.length === 0 || signatures.length > MAX_SIGNATURES) {
    throw malformed(`A note has 1 to ${MAX_SIGNATURES} signatures, not ${signatures.length}.`);
  }
  return `${text}\n${formatSignatures(signatures)}`;
}

/** Parses signature lines without a note, as a witness returns them. @throws {TransparencyError} as parseNote does */
export const parseSignatures = (bytes: Uint8Array): NoteSignature[] =>
  parseLines(decodeText(bytes, MAX_NOTE_BYTES, 'list of signatures'));

/** @throws {TransparencyError} for a name, key id or signature that a note cannot contain */
export const formatSignatures = (signatures: readonly NoteSignature[]): string =>
  signatures.map((signature) => `${formatLine(signature)}\n`).join('');

/** The note with more signatures. A new one replaces that of the same key. */
export function addSignatures({ text, signatures }: Note, added: readonly NoteSignature[]): Note {
  const byKey = new Map(
    [...signatures, ...added].map((signature) => [`${signature.name}+${signature.keyId}`, signature]),
  );
  return { text, signatures: [...byKey.values()] };
}

function parseLines(content: string): NoteSignature[] {
  if (!content.endsWith('\n')) throw malformed('A signature line ends in a newline.');
  const lines = content.split('\n', MAX_SIGNATURES + 2).slice(0, -1);
  if (lines.length > MAX_SIGNATURES) throw malformed(`There are more than ${MAX_SIGNATURES} signatures.`);
  return lines.map(parseLine);
}

function parseLine(line: string): NoteSignature {
  const [name = '', encoded = '', ...rest] = line.startsWith(SIGNATURE_PREFIX)
    ? line.slice(SIGNATURE_PREFIX.length).split(' ', 3)
    : [];
  const bytes = fromBase64(encoded);
  if (!isKeyName(name) || rest.length > 0 || !bytes || bytes.length <= KEY_ID_BYTES) {
    throw malformed('A signature line has the form "\u2014 <key name> <base64 of key id and signature>".');
  }
  return { name, keyId: bytesToHex(bytes.subarray(0, KEY_ID_BYTES)), bytes: bytes.subarray(KEY_ID_BYTES) };
}

function formatLine({ name, keyId, bytes }: NoteSignature): string {
  if (!isKeyName(name) || !/^[0-9a-f]{8}$/.test(keyId) || bytes.length === 0) {
    throw malformed(
      'A signature has a key name without spaces, a key id of eight hex characters, and at least one byte.',
    );
  }
  return `${SIGNATURE_PREFIX}${name} ${toBase64(concatBytes(hexToBytes(keyId), bytes))}`;
}

function requireNoControls(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: C2SP signed-note forbids them in notes
  if (/[\u0000-\u0009\u000b-\u001f]/.test(text)) throw malformed('A note contains no control character but newline.');
}
