import { sha256 } from '#digests';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import { decodeSignature, isStrictPublicKey, verifySignature } from '../../../protocol/signing/ed25519.ts';
import { utf8ToBytes } from '../../../protocol/signing/encoding.ts';
import { duplicateMember } from '../duplicate-member.ts';
import { type Candidate, candidates } from './mistakes.ts';
import type { SignedFunction } from './signed-function.ts';

export interface GivenRequest {
  readonly signedFunction: SignedFunction;
  /** JSON, as it was sent; the members of a signed GET as one object. */
  readonly body: string;
  /** 64 hex characters. */
  readonly publicKey: string;
  /** The text that the client signed; empty if unknown. */
  readonly signedMessage: string;
  /** Of this service. */
  readonly ledgerId: string;
}

export interface Difference {
  /** The first byte that differs, from 0. */
  readonly offset: number;
  /** What surrounds it in each message. */
  readonly expected: string;
  readonly given: string;
}

export type Diagnosis =
  | { readonly state: 'unreadable'; readonly problem: string }
  | {
      readonly state: 'checked';
      readonly message: string;
      readonly sha256: string;
      readonly isValid: boolean;
      /** What is wrong or unusual, the likeliest cause first. */
      readonly findings: readonly string[];
      /** Between the message and what was signed, as given or found; null if that is unknown or the same. */
      readonly difference: Difference | null;
      /** Whether what was signed was found from the key, the signature and the request alone. */
      readonly isFound: boolean;
    };

type Members = Readonly<Record<string, Json>>;

/** Builds the message that the service would verify, checks the signature, and looks for the cause if it is not valid. */
export function diagnose({ signedFunction, body, publicKey, signedMessage, ledgerId }: GivenRequest): Diagnosis {
  const sent = objectIn(body);
  if (!sent) return { state: 'unreadable', problem: 'The body is not a JSON object.' };
  const key = publicKey.trim();
  if (!isStrictPublicKey(key)) {
    return { state: 'unreadable', problem: 'The public key is not an Ed25519 key of 64 hex characters.' };
  }
  let message: string;
  try {
    message = canonicalJson(messageOf(signedFunction, sent));
  } catch {
    return {
      state: 'unreadable',
      problem: 'The body has no canonical form: a text in it contains half of a surrogate pair.',
    };
  }
  const signature = typeof sent.signature === 'string' ? decodeSignature(sent.signature) : null;
  const verifies = (bytes: Uint8Array) => signature !== null && verifySignature(key, bytes, signature);
  const isValid = verifies(utf8ToBytes(message));
  const instead = isValid || signature === null ? null : signedInstead(signedFunction, body, ledgerId, verifies);
  const given = signedMessage === '' ? (instead?.text ?? message) : signedMessage;
  return {
    state: 'checked',
    message,
    sha256: sha256(message),
    isValid,
    difference: firstDifference(message, given),
    isFound: signedMessage === '' && instead !== null,
    findings: [
      ...signatureFindings(sent.signature, signature),
      ...(isValid ? [] : (instead?.mistakes ?? [unexplained(signedMessage, verifies)])),
      ...memberFindings(signedFunction, sent, body),
    ],
  };
}

function objectIn(text: string): Members | null {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
  } catch {
    return null;
  }
}

const messageOf = ({ function: name, members }: SignedFunction, sent: Members): Members => ({
  function: name,
  ...Object.fromEntries(Object.entries(sent).filter(([member]) => member !== 'function' && members.includes(member))),
});

function signatureFindings(given: Json | undefined, signature: Uint8Array | null): readonly string[] {
  if (given === undefined || given === null || given === '') return ['The body has no signature.'];
  if (signature) return [];
  const length = typeof given === 'string' ? ` It has ${given.length}.` : '';
  return [
    `The signature is not 64 bytes in base64 with padding, which takes 88 characters.${length} Hex and base64url are refused.`,
  ];
}

/** A message for which the signature is valid, made from the request as clients do by mistake; null if none was found. */
function signedInstead(
  signedFunction: SignedFunction,
  body: string,
  ledgerId: string,
  verifies: (bytes: Uint8Array) => boolean,
): Candidate | null {
  for (const candidate of candidates(signedFunction, body, ledgerId)) if (verifies(candidate.bytes)) return candidate;
  return null;
}

const PASTE =
  'No usual mistake explains it. Let your program print the text that it signs, as the last thing before it signs, and paste it under “Message that you signed”: this page then shows the first byte that differs. Where the text is the same as the message below, another key signed it.';

function unexplained(signedMessage: string, verifies: (bytes: Uint8Array) => boolean): string {
  if (signedMessage === '') return `The signature is not valid for this message and key. ${PASTE}`;
  return verifies(utf8ToBytes(signedMessage))
    ? 'The signature is valid for the message that you entered, which is not the one that the service verifies.'
    : 'The signature is not valid for the message that you entered either: another key signed, or it signed something else.';
}

function memberFindings({ members, unsigned }: SignedFunction, sent: Members, body: string): readonly string[] {
  const known = [...members, ...unsigned, 'signature'];
  const unknown = Object.keys(sent).filter((name) => !known.includes(name));
  const missing = ['nonce', 'timestamp'].filter((name) => !(name in sent));
  const twice = duplicateMember(body);
  const floats = /[:[,]\s*-?\d+(\.\d*0|[eE][+-]?\d+|\.\d*[eE][+-]?\d+)\s*[,}\]]/.test(body);
  return [
    ...(unknown.length > 0 ? [`The service refuses members that it does not know: ${quoted(unknown)}.`] : []),
    ...(missing.length > 0 ? [`The request must have ${quoted(missing)}, signed.`] : []),
    ...(twice === null
      ? []
      : [
          `${quoted([twice])} is in the body twice. The last one counts here; other parsers take the first. Send it once.`,
        ]),
    ...(floats
      ? [
          'The body has numbers such as 1.0 or 1e-07, which the canonical form writes as 1 and 1e-7. Python signs the former.',
        ]
      : []),
  ];
}

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Bytes around a difference that are shown. */
const AROUND = 24;

export function firstDifference(expected: string, given: string): Difference | null {
  if (expected === given) return null;
  const [one, other] = [utf8ToBytes(expected), utf8ToBytes(given)];
  const at = one.findIndex((byte, index) => byte !== other[index]);
  const offset = at < 0 ? one.length : at;
  return { offset, expected: excerpt(one, offset), given: excerpt(other, offset) };
}

function excerpt(bytes: Uint8Array, offset: number): string {
  const shown = new TextDecoder().decode(bytes.slice(Math.max(0, offset - AROUND), offset + AROUND));
  const byte = bytes[offset];
  return byte === undefined ? `${shown} (ends here)` : `${shown} (byte 0x${byte.toString(16).padStart(2, '0')})`;
}
