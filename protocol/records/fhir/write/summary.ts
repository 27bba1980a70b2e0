import { ucumOf } from '../../../clinical/units.ts';
import { measuredText } from '../../../clinical/value-text.ts';
import type { Instant } from '../../../entities/recorded.ts';
import { uuidV5 } from '../../../ids.ts';
import type { Exported, ExportedHolder } from '../../exported-record.ts';
import type { BioRecord } from '../../record.ts';
import { biomarkerName } from '../../taxonomy.ts';
import { codeRowOf } from '../codes.ts';
import type { FhirObject } from '../fhir-json.ts';
import { hl7, LOINC } from '../systems.ts';
import { referenceTo } from './parties.ts';
import { fhirInstant, narrative, narrativeList } from './primitives.ts';

/** Records that a holder gives to somebody. */
export interface SharedRecords {
  /** A UUID. */
  readonly id: string;
  readonly at: Instant;
  readonly holder: ExportedHolder;
  readonly records: readonly Exported[];
}

/** The sections, with their LOINC codes: https://hl7.org/fhir/uv/ips/STU2/StructureDefinition-Composition-uv-ips.html */
const SECTIONS = {
  results: '30954-2',
  vitalSigns: '8716-3',
  problems: '11450-4',
  allergies: '48765-2',
  medications: '10160-0',
} as const;
type Section = keyof typeof SECTIONS;

/** The texts of a summary, in the language of its holder. */
export interface SummaryWords extends Readonly<Record<Section, string>> {
  readonly language: string;
  readonly title: string;
  /** In a section about which nothing is known here. */
  readonly nothing: string;
  /** Of biomarkers, by code; those of the catalogue where there is none. */
  readonly names: Readonly<Record<string, string>>;
  /** By the `collected_at` of records. */
  readonly days: Readonly<Record<string, string>>;
}

const PATIENT_SUMMARY = '60591-5';

/** The first resource of an International Patient Summary. Sections without records have the reason `unavailable`. */
export function composition({ id, at, holder, records }: SharedRecords, words: SummaryWords): FhirObject {
  const isVitalSign = ({ record: { biomarker, unit } }: (typeof records)[number]): boolean =>
    codeRowOf(biomarker, ucumOf(unit))?.category === 'vital-signs';
  const contents: Readonly<Partial<Record<Section, typeof records>>> = {
    results: records.filter((exported) => !isVitalSign(exported)),
    vitalSigns: records.filter(isVitalSign),
  };
  const subject = referenceTo('Patient', holder.beo_id);
  return {
    resourceType: 'Composition',
    id: uuidV5(`perpetua:composition:${id}`),
    language: words.language,
    text: narrative(words.title),
    status: 'final',
    type: { coding: [{ system: LOINC, code: PATIENT_SUMMARY }] },
    subject,
    date: fhirInstant(at),
    author: [subject],
    title: words.title,
    section: Object.entries(SECTIONS).map(([name, code]) => {
      const content = contents[name as Section] ?? [];
      const shown = content.map(({ record }) => lineOf(record, words));
      return {
        title: words[name as Section],
        code: { coding: [{ system: LOINC, code }] },
        text: shown.length > 0 ? narrativeList(shown) : narrative(words.nothing),
        entry:
          content.length > 0 ? content.map(({ record }) => referenceTo('Observation', record.record_id)) : undefined,
        emptyReason: content.length > 0 ? undefined : UNAVAILABLE,
      };
    }),
  };
}

function lineOf({ biomarker, collected_at, ...measured }: BioRecord, { names, days }: SummaryWords): string {
  const [name, day] = [names[biomarker] ?? biomarkerName(biomarker), days[collected_at] ?? collected_at];
  return `${name}: ${measuredText(measured)}, ${day}`;
}

const UNAVAILABLE: FhirObject = {
  coding: [{ system: hl7('list-empty-reason'), code: 'unavailable', display: 'Unavailable' }],
};
