import { fromBase64, hexToBytes } from '../../signing/encoding.ts';
import type { JsonObject } from '../../signing/message.ts';
import { commitmentOf } from '../submitted.ts';
import { listOf, objectOf, textOf } from './fhir-members.ts';
import { ENTRY_IDENTIFIER, PROOF_EXTENSION } from './systems.ts';

/** What a Provenance of ours states about one record. Nothing of it is verified. docs/sharing.md, "What a viewer can check". */
export interface StatedProof {
  /** The address of the Observation in the Bundle. */
  readonly target: string;
  /** The UUID of the institution; null if it is stated in another way. */
  readonly institutionId: string | null;
  /** The transaction id of the entry that submitted the record. */
  readonly entryId: string;
  /** Hex SHA-256 of the salt and of `submitted`. */
  readonly commitment: string;
  /** 64 hex characters. */
  readonly salt: string;
  /** The place of the commitment in its entry, from 0. */
  readonly index: number;
  /** The canonical JSON of the record as submitted, in UTF-8. */
  readonly submitted: Uint8Array;
}

/** The proof in a Provenance; null if it contains none, or a part of it is missing. */
export function readProvenance(provenance: JsonObject): StatedProof | null {
  const proof = listOf(provenance.extension).find(({ url }) => url === PROOF_EXTENSION);
  const stated = new Map(listOf(proof?.extension).map((part) => [part.url, part.valueString ?? part.valueUnsignedInt]));
  const entry = listOf(provenance.entity)
    .map(({ what }) => objectOf(objectOf(what)?.identifier))
    .find((identifier) => identifier?.system === ENTRY_IDENTIFIER);
  const binary = listOf(provenance.contained).find(({ id }) => id === 'submitted');
  const submitted = typeof binary?.data === 'string' ? fromBase64(binary.data) : null;
  const [target, entryId] = [textOf(listOf(provenance.target)[0]?.reference), textOf(entry?.value)];
  const [commitment, salt, index] = [stated.get('commitment'), stated.get('salt'), stated.get('index')];
  if (target === null || entryId === null || !submitted || !isHex(commitment) || !isHex(salt)) return null;
  if (typeof index !== 'number' || !Number.isSafeInteger(index)) return null;
  const who = textOf(objectOf(listOf(provenance.agent)[0]?.who)?.reference);
  return { target, institutionId: uuidIn(who), entryId, commitment, salt, index, submitted };
}

const isHex = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

/** The UUID of `urn:uuid:…`; null for another reference. */
export const uuidIn = (reference: string | null): string | null =>
  /^urn:uuid:([0-9a-f-]{36})$/i.exec(reference ?? '')?.[1]?.toLowerCase() ?? null;

/** Whether the record as submitted is the one of the commitment. */
export const isCommitted = ({ salt, submitted, commitment }: StatedProof): boolean =>
  commitmentOf(hexToBytes(salt), submitted) === commitment;
