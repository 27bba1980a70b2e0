import type { SharedFile } from '../../client/shares.ts';
import { assessRecord } from '../../protocol/clinical/assess.ts';
import { listOf, objectOf, textOf, textOfConcept } from '../../protocol/records/fhir/fhir-members.ts';
import type { FhirNote, FhirProblem, FhirWarning } from '../../protocol/records/fhir/observation-notes.ts';
import { type FhirFile, type FhirRow, readFhir } from '../../protocol/records/fhir/read-fhir.ts';
import { isCommitted, readProvenance, type StatedProof, uuidIn } from '../../protocol/records/fhir/record-proof.ts';
import { DOMAIN_IDENTIFIER } from '../../protocol/records/fhir/systems.ts';
import type { BioRecord } from '../../protocol/records/record.ts';
import { categoryOf } from '../../protocol/records/taxonomy.ts';
import type { JsonObject } from '../../protocol/signing/message.ts';
import { readHealthCard } from './health-card.ts';
import { saysTheSame, submittedRecordOf } from './submitted-record.ts';

/** Whom a file is about, as it states. */
export interface Subject {
  /** The UUID of an identity; null without a domain. */
  readonly id: string | null;
  readonly name: string | null;
  readonly domain: string | null;
  /** As in FHIR: a year, a month or a day. */
  readonly birthDate: string | null;
}

/** What is wrong with a record before the ledger is asked: it says something else than its proof, or has another's proof. */
export type Doubt = 'content' | 'status' | 'commitment' | 'twice';

/** A result of a share, as a record. */
export interface ViewedRecord {
  /** What is shown. With a proof, and without a doubt, it is the record as the institution submitted it. */
  readonly record: BioRecord;
  readonly name: string | null;
  /** Whose it is, as the file states; null if it does not, or not clearly. */
  readonly subject: Subject | null;
  readonly proof: StatedProof | null;
  readonly doubt: Doubt | null;
  /** Why it cannot be read for certain. */
  readonly problems: readonly FhirProblem[];
  /** Of a record without a proof: what a person must look at. */
  readonly warnings: readonly Pick<FhirNote<FhirWarning>, 'kind' | 'detail'>[];
  /** Of a record without a proof: interpretations other than that of its ranges, and notes, as the file has them. */
  readonly stated: readonly string[];
}

export interface FileNote {
  readonly kind: 'fhir' | 'card' | 'api';
  readonly problem: 'unreadable' | 'tooLarge' | null;
  /** Who issued a card, as it states. */
  readonly issuer: string | null;
}

export interface Contents {
  /** Each person once; the records have the same objects. */
  readonly subjects: readonly Subject[];
  readonly records: readonly ViewedRecord[];
  /** The number of entries of each type that are not shown. */
  readonly others: readonly (readonly [type: string, count: number])[];
  /** Entries and lines that are no resources. */
  readonly damaged: number;
  readonly notes: readonly FileNote[];
}

/** In characters: more would keep an old computer busy for long. */
const MAX_CHARACTERS = 20_000_000;
const MAX_RECORDS = 10_000;
/** What says where the results come from. */
const ABOUT = new Set([
  'Composition',
  'Device',
  'Organization',
  'Patient',
  'Practitioner',
  'PractitionerRole',
  'Provenance',
  'Specimen',
]);

/** Reads the decrypted files of a share. Nothing that they state is believed; proofs are checked by check-proofs.ts. */
export async function readContents(files: readonly SharedFile[]): Promise<Contents> {
  const read = await Promise.all(files.map(readFile));
  const documents = read.flatMap(({ documents }) => documents);
  const people = new Map<string, Subject>();
  const once = (subject: Subject): Subject => {
    const key = JSON.stringify(subject);
    const known = people.get(key) ?? subject;
    people.set(key, known);
    return known;
  };
  for (const subject of documents.flatMap(patientsIn)) once(subject);
  const records = withoutTwice(documents.flatMap(recordsOf)).map(
    (viewed, index): ViewedRecord => ({
      ...viewed,
      subject: viewed.subject && once(viewed.subject),
      record: { ...viewed.record, record_id: String(index) },
    }),
  );
  const others = new Map<string, number>();
  for (const { others: counts } of documents)
    for (const [type, count] of counts) if (!ABOUT.has(type)) others.set(type, (others.get(type) ?? 0) + count);
  return {
    subjects: [...people.values()],
    records,
    others: [...others],
    damaged: documents.flatMap(({ rows }) => rows).filter(({ isResource }) => !isResource).length,
    notes: read.map(({ note }) => note),
  };
}

interface ReadFile {
  readonly note: FileNote;
  readonly documents: readonly FhirFile[];
}

async function readFile({ contentType, content }: SharedFile): Promise<ReadFile> {
  if (contentType === 'application/smart-api-access') return noted('api', null);
  const kind = contentType === 'application/smart-health-card' ? 'card' : 'fhir';
  if (content.length > MAX_CHARACTERS) return noted(kind, 'tooLarge');
  try {
    const card = kind === 'card' ? await readHealthCard(content) : null;
    const documents = (card?.bundles ?? [content]).map((text) => readFhir(text));
    const count = documents.reduce((sum, { rows }) => sum + rows.length, 0);
    if (count > MAX_RECORDS) return noted(kind, 'tooLarge');
    return { note: { kind, problem: null, issuer: card?.issuer ?? null }, documents };
  } catch {
    // Not JSON, or nested so deeply that it cannot be read.
    return noted(kind, 'unreadable');
  }
}

const noted = (kind: FileNote['kind'], problem: FileNote['problem']): ReadFile => ({
  note: { kind, problem, issuer: null },
  documents: [],
});

const patientsIn = ({ resources }: FhirFile): Subject[] =>
  resources.flatMap(({ resource, fullUrl }) =>
    resource.resourceType === 'Patient' ? (subjectOf(resource, fullUrl) ?? []) : [],
  );

/** @param address in the Bundle */
function subjectOf(patient: JsonObject, address: string | null): Subject | null {
  const [name, domain] = [nameOf(patient), domainOf(patient)];
  if (name === null && domain === null) return null;
  const id = domain === null ? null : uuidIn(address);
  // Ours have no other name.
  return { id, name: name === domain ? null : name, domain, birthDate: textOf(patient.birthDate) };
}

/** Only a Patient counts: another resource at the same address would let somebody else's results pass for the person's. */
function subjectOfRow({ patient, observation }: FhirRow): Subject | null {
  const reference = objectOf(observation?.subject);
  if (patient) return subjectOf(patient, textOf(reference?.reference));
  const name = textOf(reference?.display);
  return name === null ? null : { id: null, name, domain: null, birthDate: null };
}

function nameOf({ name }: JsonObject): string | null {
  const [first] = listOf(name);
  const given = Array.isArray(first?.given) ? first.given.map(textOf) : [];
  const parts = [...given, textOf(first?.family)].filter((part) => part !== null);
  return textOf(first?.text) ?? (parts.length > 0 ? parts.join(' ') : null);
}

const domainOf = ({ identifier }: JsonObject): string | null =>
  textOf(listOf(identifier).find(({ system }) => system === DOMAIN_IDENTIFIER)?.value);

function recordsOf({ rows, resources }: FhirFile): ViewedRecord[] {
  const proofs = new Map<string, StatedProof>();
  const byAddress = new Map<string, JsonObject>();
  for (const { resource, fullUrl } of resources) {
    if (fullUrl !== null) byAddress.set(fullUrl, resource);
    const proof = resource.resourceType === 'Provenance' ? readProvenance(resource) : null;
    if (proof) proofs.set(proof.target, proof);
  }
  const results = new Map<string, number>();
  for (const { fullUrl } of rows) if (fullUrl !== null) results.set(fullUrl, (results.get(fullUrl) ?? 0) + 1);
  return rows.flatMap((row): ViewedRecord[] => {
    if (!row.observation) return [];
    const proof = proofs.get(row.fullUrl ?? '') ?? null;
    const read = recordOfRow(row, byAddress);
    const record: BioRecord = proof ? { ...read, status: 'ACTIVE' } : withoutDoubtfulCode(read, row);
    const shared = {
      name: row.name,
      subject: subjectOfRow(row),
      proof,
      problems: row.problems.map(({ kind }) => kind),
      warnings: proof ? [] : row.warnings,
      stated: proof ? [] : statedIn(row, record),
    };
    if (!proof) return [{ ...shared, record, doubt: null }];
    if (!isCommitted(proof)) return [{ ...shared, record, doubt: 'commitment' }];
    const submitted = submittedRecordOf(proof, record);
    const isSame = submitted !== null && results.get(row.fullUrl ?? '') === 1 && saysTheSame(record, submitted);
    if (!isSame) return [{ ...shared, record, doubt: 'content' }];
    const isSigned = SIGNED.includes(textOf(row.observation.status) ?? '');
    return [{ ...shared, record: submitted, doubt: isSigned ? null : 'status' }];
  });
}

/** The states of signed results: nothing that is signed says that one is withdrawn, so its value stays as it is. */
const SIGNED = ['final', 'corrected'];
/** HL7: no longer results, or never any. */
const WITHDRAWN = ['entered-in-error', 'cancelled'];

function recordOfRow(
  { observation, name, cells, isText }: FhirRow,
  byAddress: ReadonlyMap<string, JsonObject>,
): BioRecord {
  const { value = '', unit = '', collected_at = '', ref_range, confidence } = cells;
  const biomarker = cells.biomarker || (name ?? '');
  const performer = listOf(observation?.performer).find(({ reference }) => reference !== undefined);
  const reference = textOf(performer?.reference) ?? '';
  const organization = byAddress.get(reference);
  const performed = textOf(organization?.name) ?? textOf(performer?.display) ?? domainOf(organization ?? {}) ?? '';
  const { method, equipment, operator, firmware } = cells;
  return {
    record_id: '',
    // As the file refers to the person.
    beo_id: textOf(objectOf(observation?.subject)?.reference) ?? '',
    ieo_id: uuidIn(reference) ?? performed,
    biomarker,
    category: categoryOf(biomarker) ?? '',
    level: '',
    value: !isText && value.startsWith('{') ? JSON.parse(value) : value,
    unit,
    collected_at,
    submitted_at: textOf(observation?.issued) ?? '',
    ref_range: ref_range === undefined ? null : JSON.parse(ref_range),
    confidence: confidence === undefined ? null : Number(confidence),
    source: {
      ...Object.fromEntries(
        Object.entries({ method, equipment, operator, firmware }).filter(([, text]) => text !== undefined),
      ),
      ieo_id: uuidIn(reference) ?? performed,
      ieo_domain: performed,
    },
    supersedes: null,
    version: '',
    status: WITHDRAWN.includes(textOf(observation?.status) ?? '') ? 'SUPERSEDED' : 'ACTIVE',
    data_hash: '',
    arweave_tx: '',
  };
}

const DOUBTFUL: readonly FhirWarning[] = ['severalCodes', 'property', 'specimen'];

/** A code that may be for something else gives a result neither the name nor the company of the catalogue's kind. */
function withoutDoubtfulCode(record: BioRecord, { name, warnings }: FhirRow): BioRecord {
  const isDoubtful = warnings.some(({ kind }) => DOUBTFUL.includes(kind));
  return isDoubtful ? { ...record, biomarker: name === null ? record.biomarker : '', category: '' } : record;
}

function statedIn({ observation, leftOut }: FhirRow, record: BioRecord): string[] {
  const ofPart = leftOut['Observation.component.interpretation'];
  const flags = [observation?.interpretation, ofPart === undefined ? undefined : JSON.parse(ofPart)].flatMap(listOf);
  const { interpretation: own } = assessRecord(record);
  const isOwn = (flag: JsonObject) => own !== null && listOf(flag.coding).some(({ code }) => code === own);
  const texts = [
    ...flags.filter((flag) => !isOwn(flag)).map(textOfConcept),
    ...listOf(observation?.note).map(({ text }) => textOf(text)),
  ];
  return [...new Set(texts.filter((text) => text !== null))];
}

/** One measurement shown several times would look like several. */
function withoutTwice(records: readonly ViewedRecord[]): ViewedRecord[] {
  const seen = new Set<string>();
  return records.map((viewed) => {
    if (!viewed.proof || viewed.doubt) return viewed;
    const place = `${viewed.proof.entryId} ${viewed.proof.index}`;
    const isTwice = seen.has(place);
    seen.add(place);
    return isTwice ? { ...viewed, doubt: 'twice' } : viewed;
  });
}
