import { parseCollected } from '../../protocol/clinical/collected.ts';
import { meaningOf } from '../../protocol/clinical/value.ts';
import { valueText } from '../../protocol/clinical/value-text.ts';
import type { StatedProof } from '../../protocol/records/fhir/record-proof.ts';
import type { BioRecord } from '../../protocol/records/record.ts';
import { collectedAtOf } from '../../protocol/records/submitted.ts';
import { categoryOf } from '../../protocol/records/taxonomy.ts';
import { canonicalJson, isObject, type Json } from '../../protocol/signing/canonical-json.ts';

/** The levels of a request that the service accepts: no record has more. */
const MAX_DEPTH = 32;

/**
 * The record that an institution submitted, with what only the Bundle states; null if it is not one. Whoever made the Bundle can
 * have written anything into the proof.
 */
export function submittedRecordOf({ submitted }: StatedProof, stated: BioRecord): BioRecord | null {
  const sent = parsed(submitted);
  if (!isObject(sent) || typeof sent.biomarker !== 'string' || typeof sent.unit !== 'string') return null;
  const { biomarker, unit, value = null, ref_range = null, confidence = null, source } = sent;
  const collected = collectedAtOf(sent);
  if (collected === null || value === null) return null;
  return {
    ...stated,
    biomarker,
    category: categoryOf(biomarker) ?? '',
    value,
    unit,
    collected_at: collected,
    ref_range: isObject(ref_range) ? ref_range : null,
    confidence: typeof confidence === 'number' ? confidence : null,
    source: { ...(isObject(source) && source), ieo_id: stated.ieo_id, ieo_domain: stated.source.ieo_domain },
  };
}

/** Null for what is not canonical JSON: a number such as 1e999 or half a character could be neither compared nor shown. */
function parsed(bytes: Uint8Array): Json {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const json: Json = JSON.parse(text);
    return isFlatterThan(json, MAX_DEPTH) && canonicalJson(json) === text ? json : null;
  } catch {
    return null;
  }
}

const isFlatterThan = (json: Json, levels: number): boolean =>
  typeof json !== 'object' ||
  json === null ||
  (levels > 0 && Object.values(json).every((member) => isFlatterThan(member, levels - 1)));

/**
 * Whether a record as an Observation has it says what was submitted. FHIR has no spaces but plain ones, no control characters and
 * no times without seconds; a time that it cannot express is left out.
 */
export function saysTheSame(read: BioRecord, submitted: BioRecord): boolean {
  const [time, sent] = [parseCollected(read.collected_at), parseCollected(submitted.collected_at)];
  return (
    read.biomarker === submitted.biomarker &&
    plain(read.unit) === plain(submitted.unit) &&
    saysTheSameValue(read.value, submitted.value) &&
    (read.collected_at === '' || (time?.at === sent?.at && time?.day === sent?.day))
  );
}

const plain = (text: string): string => text.replace(/[\p{Z}\p{C}\ufffd\s]+/gu, ' ').trim();

/** A value with nested parts is exported as its JSON. */
const saysTheSameValue = (read: Json, submitted: Json): boolean =>
  meaning(read) === meaning(submitted) ||
  (isObject(submitted) && typeof read === 'string' && plain(read) === plain(canonicalJson(submitted)));

function meaning(value: Json): string {
  const meant = meaningOf(value);
  if (meant.kind === 'number') return String(meant.number);
  if (meant.kind === 'limit') return `${meant.comparator}${meant.number}`;
  return meant.kind === 'structured' ? canonicalJson(plainParts(meant.members)) : plain(valueText(value));
}

/** Parts as FHIR can have them: without empty ones, and no matter whether a number was sent as a text. */
const plainParts = (members: { readonly [name: string]: Json }): Json =>
  Object.fromEntries(
    Object.entries(members)
      .map(([name, member]) => [plain(name), typeof member === 'boolean' ? member : meaning(member)] as const)
      .filter(([, member]) => member !== ''),
  );
