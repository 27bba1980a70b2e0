import { ucumOf } from '../../../clinical/units.ts';
import { measuredText } from '../../../clinical/value-text.ts';
import { canonicalJson, isObject, type Json } from '../../../signing/canonical-json.ts';
import type { Exported, ExportedInstitution } from '../../exported-record.ts';
import type { BioRecord } from '../../record.ts';
import { biomarkerName } from '../../taxonomy.ts';
import { type CodeRow, codeRowOf, type LoincTerm } from '../codes.ts';
import type { FhirObject } from '../fhir-json.ts';
import {
  BIOMARKER_SYSTEM,
  CATEGORY_SYSTEM,
  CLIENT_RECORD_IDENTIFIER,
  CONFIDENCE_EXTENSION,
  hl7,
  LOINC,
  REPLACES_EXTENSION,
  UNIT_EXTENSION,
  URI_IDENTIFIER,
} from '../systems.ts';
import { referenceTo } from './parties.ts';
import { dataAbsent, fhirDateTime, fhirInstant, fhirText, narrative } from './primitives.ts';
import { quantity, quantityOfText } from './quantity.ts';
import { interpretation, referenceRanges } from './reference-range.ts';

const CATEGORY_DISPLAY = { laboratory: 'Laboratory', 'vital-signs': 'Vital Signs', activity: 'Activity' } as const;

/**
 * A record as an Observation. A correction is `corrected` and names its record in R4's extension observation-replaces;
 * the superseded record is `entered-in-error` ("withdrawn following previous final release"), so that no system counts
 * both.
 */
export function observation({ record, institution, supersedes_exported }: Exported): FhirObject {
  const row = codeRowOf(record.biomarker, ucumOf(record.unit));
  const effective = fhirDateTime(record.collected_at);
  const operator = described(record.source.operator);
  const device = deviceOf(record);
  return {
    resourceType: 'Observation',
    id: record.record_id,
    text: narrative(biomarkerName(record.biomarker), measuredText(record), record.collected_at),
    contained: device && [device],
    extension: extensions(record, supersedes_exported),
    identifier: identifiers(record, institution),
    status: record.status === 'SUPERSEDED' ? 'entered-in-error' : record.supersedes === null ? 'final' : 'corrected',
    category: categories(record, row),
    code: codeOf(record, row),
    subject: referenceTo('Patient', record.beo_id),
    effectiveDateTime: effective,
    _effectiveDateTime: effective === undefined ? dataAbsent('unsupported') : undefined,
    issued: fhirInstant(record.submitted_at),
    performer: [
      referenceTo('Organization', institution.ieo_id, institution.display_name),
      ...(operator === undefined ? [] : [{ display: operator }]),
    ],
    ...resultOf(record, row),
    interpretation: interpretation(record),
    method: asConcept(described(record.source.method)),
    device: device && { reference: '#device' },
    referenceRange: referenceRanges(record),
  };
}

/** The record's id, and the institution's own id for it. */
function identifiers(
  { record_id, client_record_id: clientId }: BioRecord,
  institution: ExportedInstitution,
): FhirObject[] {
  const value = typeof clientId === 'string' || typeof clientId === 'number' ? fhirText(String(clientId)) : undefined;
  const assigner = referenceTo('Organization', institution.ieo_id, institution.display_name);
  return [
    { system: URI_IDENTIFIER, value: `urn:uuid:${record_id}` },
    ...(value === undefined ? [] : [{ system: CLIENT_RECORD_IDENTIFIER, value, assigner }]),
  ];
}

function extensions(record: BioRecord, supersedesExported: boolean): readonly FhirObject[] | undefined {
  const { confidence, supersedes, unit } = record;
  const unitText = fhirText(unit);
  const all: FhirObject[] = [
    ...(confidence === null ? [] : [{ url: CONFIDENCE_EXTENSION, valueDecimal: confidence }]),
    ...(isQuantity(record) || unitText === undefined ? [] : [{ url: UNIT_EXTENSION, valueString: unitText }]),
    ...(supersedes === null
      ? []
      : [{ url: REPLACES_EXTENSION, valueReference: referenceToRecord(supersedes, supersedesExported) }]),
  ];
  return all.length > 0 ? all : undefined;
}

/**
 * References a record by its fullUrl if it is in the Bundle, and always by its identifier: a consent may cover a
 * correction without the corrected record.
 */
export function referenceToRecord(recordId: string, exported: boolean): FhirObject {
  const uri = `urn:uuid:${recordId.toLowerCase()}`;
  return {
    reference: exported ? uri : undefined,
    type: 'Observation',
    identifier: { system: URI_IDENTIFIER, value: uri },
  };
}

function categories({ category }: BioRecord, row: CodeRow | undefined): readonly FhirObject[] {
  const projectCategory = { coding: [{ system: CATEGORY_SYSTEM, code: category }] };
  if (!row) return [projectCategory];
  const { category: code } = row;
  return [
    { coding: [{ system: hl7('observation-category'), code, display: CATEGORY_DISPLAY[code] }] },
    projectCategory,
  ];
}

const loincCoding = ({ code, name }: LoincTerm): FhirObject => ({ system: LOINC, code, display: name });

/** The LOINC terms are of quantities and panels of quantities; any other value has only the project's code. */
function codeOf(record: BioRecord, row: CodeRow | undefined): FhirObject {
  const { biomarker, value } = record;
  const name = biomarkerName(biomarker);
  const terms =
    row && (row.components ? hasAll(value, Object.keys(row.components)) : isQuantity(record)) ? row.loinc : [];
  return {
    coding: [...terms.map(loincCoding), { system: BIOMARKER_SYSTEM, code: biomarker, display: name }],
    text: name,
  };
}

const hasAll = (value: Json, members: readonly string[]): boolean =>
  isObject(value) && members.every((name) => typeof value[name] === 'number');

const isQuantity = ({ value, unit }: BioRecord): boolean =>
  typeof value === 'number' || (typeof value === 'string' && quantityOfText(value, unit) !== null);

/** Observation.value[x] or components. */
function resultOf(record: BioRecord, row: CodeRow | undefined): FhirObject {
  const { value, unit } = record;
  if (typeof value === 'number') return { valueQuantity: quantity(value, unit) };
  if (typeof value === 'string') {
    const measured = quantityOfText(value, unit);
    return measured ? { valueQuantity: measured } : textValue(value);
  }
  const components = componentsOf(record, row);
  return components ? { component: components } : textValue(canonicalJson(value));
}

function textValue(value: string): FhirObject {
  const text = fhirText(value);
  if (text !== undefined) return { valueString: text };
  return { dataAbsentReason: { coding: [{ system: hl7('data-absent-reason'), code: 'unknown', display: 'Unknown' }] } };
}

/**
 * The members of an object of numbers, texts and booleans; null for a deeper or empty object, which is written as text.
 * A number gets the record's unit only if the unit is known to apply to that member.
 */
function componentsOf({ value, unit }: BioRecord, row: CodeRow | undefined): readonly FhirObject[] | null {
  if (!isObject(value)) return null;
  const members = Object.entries(value).map(([name, member]) => componentOf(name, member, unit, row?.components));
  const components = members.filter((member) => member !== null);
  return components.length > 0 && components.length === members.length ? components : null;
}

function componentOf(
  name: string,
  member: Json,
  unit: string,
  terms: Readonly<Record<string, LoincTerm>> | undefined,
): FhirObject | null {
  const label = fhirText(name);
  if (label === undefined) return null;
  const term = terms && Object.hasOwn(terms, name) ? terms[name] : undefined;
  const code = { coding: term && [loincCoding(term)], text: label };
  if (typeof member === 'number') return { code, valueQuantity: quantity(member, term ? unit : null) };
  if (typeof member === 'boolean') return { code, valueBoolean: member };
  return typeof member === 'string' ? { code, ...textValue(member) } : null;
}

function deviceOf({ source }: BioRecord): FhirObject | undefined {
  const equipment = described(source.equipment);
  const firmware = described(source.firmware);
  if (equipment === undefined && firmware === undefined) return undefined;
  return {
    resourceType: 'Device',
    id: 'device',
    deviceName: equipment === undefined ? undefined : [{ name: equipment, type: 'user-friendly-name' }],
    version: firmware === undefined ? undefined : [{ value: firmware }],
  };
}

const asConcept = (text: string | undefined): FhirObject | undefined => (text === undefined ? undefined : { text });

/** The source may contain anything; a value that is not a text is written as JSON. */
const described = (value: Json | undefined): string | undefined =>
  value === undefined || value === null ? undefined : fhirText(shown(value));

const shown = (value: Json): string => (typeof value === 'string' ? value : canonicalJson(value));
