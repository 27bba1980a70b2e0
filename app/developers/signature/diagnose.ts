import { sha256 } from '#digests';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import { decodeSignature, isStrictPublicKey, verifySignature } from '../../../protocol/signing/ed25519.ts';
import { hexToBytes, utf8ToBytes } from '../../../protocol/signing/encoding.ts';
import { duplicateMember } from '../duplicate-member.ts';

export interface SignedFunction {
  readonly id: string;
  readonly title: string;
  /** The value of the signed member `function`. */
  readonly function: string;
  /** The names of the signed members. */
  readonly members: readonly string[];
  readonly unsigned: readonly string[];
}

export interface GivenRequest {
  readonly signedFunction: SignedFunction;
  /** JSON, as it was sent; the members of a signed GET as one object. */
  readonly body: string;
  /** 64 hex characters. */
  readonly publicKey: string;
  /** The text that the client signed; empty if unknown. */
  readonly signedMessage: string;
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
      /** Null if no message was given or it is the same. */
      readonly difference: Difference | null;
    };

type Members = Readonly<Record<string, Json>>;

/** Builds the message that the service would verify, checks the signature, and looks for the cause if it is not valid. */
export function diagnose({ signedFunction, body, publicKey, signedMessage }: GivenRequest): Diagnosis {
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
  const difference = signedMessage === '' ? null : firstDifference(message, signedMessage);
  return {
    state: 'checked',
    message,
    sha256: sha256(message),
    isValid,
    difference,
    findings: [
      ...signatureFindings(sent.signature, signature),
      ...(isValid ? [] : causeFindings(signedFunction, sent, signedMessage, verifies)),
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

/** Tries messages that clients sign by mistake. */
function causeFindings(
  { function: name, members, unsigned }: SignedFunction,
  sent: Members,
  signedMessage: string,
  verifies: (bytes: Uint8Array) => boolean,
): readonly string[] {
  const { signature: _, ...body } = sent;
  const message = messageOf({ id: '', title: '', function: name, members, unsigned }, sent);
  const { function: __, ...withoutFunction } = message;
  const { ledgerId: ___, ...withoutLedger } = message;
  const canonical = canonicalJson(message);
  const mistakes: readonly (readonly [string, () => string | Uint8Array])[] = [
    [
      'The signature is valid for the message without `function`: add it before you sign.',
      () => canonicalJson(withoutFunction),
    ],
    [
      'The signature is valid for the message without `ledgerId`: sign it if you send it.',
      () => canonicalJson(withoutLedger),
    ],
    [
      'The signature covers members that are not signed: sign only those that the reference lists.',
      () => canonicalJson({ function: name, ...body }),
    ],
    [
      'The signature is valid for the body as it was sent, without `function`: sign the message, not the body.',
      () => JSON.stringify(body),
    ],
    [
      'The signature is valid for the members in another order: sort them (RFC 8785).',
      () => JSON.stringify({ function: name, ...body }),
    ],
    [
      'The signature is valid for the members in another order: sort them (RFC 8785).',
      () => JSON.stringify({ ...body, function: name }),
    ],
    [
      'The signature is valid for indented JSON: sign without white space.',
      () => JSON.stringify(JSON.parse(canonical), null, 2),
    ],
    [
      'The signature is valid for JSON with spaces after commas and colons, as Python writes it: sign without white space.',
      () => spaced(message),
    ],
    [
      'The signature is valid for JSON with escaped letters: in Python, use `ensure_ascii=False`.',
      () => escaped(canonical),
    ],
    ['The signature is valid for the message with a line break at its end.', () => `${canonical}\n`],
    [
      'The signature is valid for the SHA-256 of the message: sign the message itself.',
      () => hexToBytes(sha256(canonical)),
    ],
    ['The signature is valid for the SHA-256 of the message in hex: sign the message itself.', () => sha256(canonical)],
  ];
  const cause = mistakes.find(([, made]) => {
    try {
      const bytes = made();
      return verifies(typeof bytes === 'string' ? utf8ToBytes(bytes) : bytes);
    } catch {
      // Members that are not signed may have no canonical form.
      return false;
    }
  });
  if (cause) return [cause[0]];
  if (signedMessage === '')
    return [
      'The signature is not valid for this message and key. Enter the message that you signed to see the difference.',
    ];
  if (verifies(utf8ToBytes(signedMessage)))
    return ['The signature is valid for the message that you entered, which is not the one that the service verifies.'];
  return [
    'The signature is not valid for the message that you entered either: another key signed, or it signed something else.',
  ];
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

/** Python's `json.dumps(value, sort_keys=True, ensure_ascii=False)`, except for numbers. */
function spaced(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return canonicalJson(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${canonicalJson(name)}: ${spaced(member)}`).join(', ')}}`;
}

const escaped = (text: string): string =>
  text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

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
