import { publicKeyOf } from '../../ed25519.ts';
import type { Approver } from '../../proposal.ts';

/** Test code: bodies as they are sent and messages as they are signed, both written out by hand, every value as JSON text. */

const seedOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
export const HOLDER_SEED = seedOf(1);
export const OTHER_SEED = seedOf(2);
export const PRIMARY_SEED = seedOf(3);
export const INSTITUTION_SEED = seedOf(6);

export const HOLDER = publicKeyOf(HOLDER_SEED);
export const OTHER = publicKeyOf(OTHER_SEED);
export const INSTITUTION = publicKeyOf(INSTITUTION_SEED);
export const [PRIMARY, SECONDARY, TERTIARY] = [
  publicKeyOf(PRIMARY_SEED),
  publicKeyOf(seedOf(4)),
  publicKeyOf(seedOf(5)),
];

export const NONCE = '"6f1d2c3b4a5968778695a4b3c2d1e0f0"';
export const TIMESTAMP = '"2026-01-31T12:00:00.000Z"';
export const BEO_ID = '"0b7cf8c1-5a0e-5c43-9f0e-2f6a4f1f9d55"';
export const IEO_ID = '"5d3a9b52-90c4-5f4e-8a53-1f0d6c7b2e11"';
export const TOKEN_ID = '"tok_c1a4f0de-7b1d-5a86-b3a9-64e0d5f3a822"';
export const PROPOSAL_ID = '"e7f1b0c2-3d4a-4b5c-8d6e-7f8091a2b3c4"';
/** The id of a creating transaction. */
export const TRANSACTION = `"${'A'.repeat(42)}E"`;

/** Of the ledger whose relayer has the public key 0909…09. */
export const LEDGER_ID = '8c0cc17a04942cc4f8e0fe0b302606d3108860c126428ba2ceeb5f9ed41c2b05';

/** Stands in a body where the signature goes. */
export const SIGNATURE = '<signature>';

export interface Case {
  readonly about: string;
  /** The name of the row in the table of operations. */
  readonly operation: string;
  readonly body: string;
  /** The text whose bytes are signed. */
  readonly signed: string;
  /** Whose operation it is, where it is not the holder's. */
  readonly owner?: Uint8Array;
  /** The signer, where it is not the owner. */
  readonly seed?: Uint8Array;
  /** The institute's key behind it; `signed` is then what the ledger says, and nobody signs. */
  readonly approver?: Approver;
  /** What is done to the signature before it is sent. */
  readonly spoil?: (signature: string) => string;
}

const ENVELOPE = { nonce: NONCE, timestamp: TIMESTAMP, signature: `"${SIGNATURE}"` };
const CREATE = { domain: '"maria.bsp"', publicKey: `"${HOLDER}"`, recovery: 'null' };

export type Texts = Readonly<Record<string, string>>;

export const objectOf = (members: Texts): string =>
  `{${Object.entries(members)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;

/** A body that is signed. */
export const bodyOf = (members: Texts): string => objectOf({ ...members, ...ENVELOPE });

/** The body of a createBEO; `changes` replaces values or adds members. */
export const createBody = (changes: Texts = {}): string => objectOf({ ...CREATE, ...ENVELOPE, ...changes });

/** The message of a createBEO, its members in the order that RFC 8785 gives them. */
export function createSigned(changes: Texts = {}): string {
  const { domain, publicKey, recovery, nonce, timestamp } = { ...CREATE, ...ENVELOPE, ...changes };
  return `{"domain":${domain},"function":"createBEO","nonce":${nonce},"publicKey":${publicKey},"recovery":${recovery},"timestamp":${timestamp}}`;
}

/** The body of an operation on an identity that exists. */
export const ownBody = (changes: Texts = {}): string => objectOf({ beoId: BEO_ID, ...ENVELOPE, ...changes });

/** The message of an operation whose only field is beoId. */
export function ownSigned(operation: string, changes: Texts = {}): string {
  const { beoId, nonce, timestamp } = { beoId: BEO_ID, ...ENVELOPE, ...changes };
  return `{"beoId":${beoId},"function":"${operation}","nonce":${nonce},"timestamp":${timestamp}}`;
}

export function rotateSigned(changes: Texts = {}): string {
  const { beoId, newPublicKey, nonce, timestamp } = {
    beoId: BEO_ID,
    newPublicKey: `"${OTHER}"`,
    ...ENVELOPE,
    ...changes,
  };
  return `{"beoId":${beoId},"function":"rotateKey","newPublicKey":${newPublicKey},"nonce":${nonce},"timestamp":${timestamp}}`;
}

/** A guardian, its members in the order of RFC 8785. */
export const guardian = (role: string, name: string, publicKey: string | null = null): string =>
  `{"contact":"${role}@example.org","name":"${name}","public_key":${publicKey && `"${publicKey}"`},"role":"${role}"}`;

/** Two guardians, canonical. */
export const RECOVERY = `{"guardians":[${guardian('primary', 'Ana', PRIMARY)},${guardian('secondary', 'Bruno')}]}`;
