import type { JsonObject } from '../../signing/message.ts';
import { fhirJson } from './fhir-json.ts';
import { listOf, objectOf, textOfConcept } from './fhir-members.ts';
import { biomarkerIn, type Codes, codesOf } from './observation-code.ts';
import { type FhirNote, type FhirProblem, type FhirWarning, type Found, nothingFound } from './observation-notes.ts';
import { rangeOf } from './observation-range.ts';
import { type SharedColumn, sharedCells, unitExtension } from './observation-source.ts';
import { isForBlood, otherThanBlood } from './observation-specimen.ts';
import { panelOf, type ReadValue, valueIn } from './observation-value.ts';

/** The texts of a result, as the cells of a file have them: numbers with a decimal point, `ref_range` and objects as JSON. */
type FhirColumn = 'biomarker' | 'value' | 'unit' | 'ref_range' | SharedColumn;

export interface FhirResult {
  /** What the file calls it; null if it names it in no way. */
  readonly name: string | null;
  readonly cells: Readonly<Partial<Record<FhirColumn, string>>>;
  /** Whether the value is a text, whose decimal mark is unknown. */
  readonly isText: boolean;
  readonly problems: readonly FhirNote<FhirProblem>[];
  readonly warnings: readonly FhirNote<FhirWarning>[];
  /** The elements that are not read, by path without the id, as JSON. */
  readonly leftOut: Readonly<Record<string, string>>;
}

/** Elements that say nothing about the result itself. */
const DESCRIBING = [
  'resourceType',
  'id',
  'meta',
  'text',
  'category',
  'subject',
  'focus',
  'status',
  'code',
  'contained',
];

/** HL7 v3 ActReason: data of nobody, to test a system. */
export const TEST = 'HTEST';
/** HL7 v3 ObservationValue: elements are left out, so that a limit or a reason may be missing. */
const SUBSETTED = 'SUBSETTED';

/** The tags and security labels of a resource by which it is not to be used, of the given codes. */
export const labelsOf = ({ meta }: JsonObject, codes: readonly string[] = [TEST, SUBSETTED]) =>
  (['tag', 'security'] as const).flatMap((list) =>
    listOf(objectOf(meta)?.[list]).flatMap(({ code }) =>
      typeof code === 'string' && codes.includes(code) ? [{ path: `.meta.${list}`, detail: code }] : [],
    ),
  );

/**
 * The results of an Observation: its own, and one of each component that is a result by itself. `specimen` is the resource that it
 * refers to.
 */
export function readObservation(observation: JsonObject, name: string, specimen?: JsonObject): FhirResult[] {
  const found = nothingFound(name);
  const read = [...DESCRIBING];
  // What is measured is then somebody else, such as a fetus.
  if (observation.focus !== undefined) found.problem('.focus', 'modifier');
  for (const { path, detail } of labelsOf(observation)) found.problem(path, 'modifier', detail);
  const codes = codesOf(observation.code);
  const otherSpecimen = otherThanBlood(observation.specimen, specimen);
  const components = listOf(observation.component);
  const value = valueIn(observation, '', found, read);
  const panel = value === null && components.length > 0 ? panelOf(components, codes, observation, found) : null;
  const shared = sharedCells(observation, found, read);
  if (panel) read.push('component');
  const own = value ?? panel;
  const separate = panel ? [] : components.flatMap((component, index) => componentResult(component, index));
  if (separate.length > 0) read.push('component');

  function componentResult(component: JsonObject, index: number): FhirResult[] {
    const path = `.component[${index}]`;
    const part = nothingFound(name);
    const used = ['code', 'id'];
    const measured = valueIn(component, path, part, used);
    if (!measured) reportAbsent(component, path, part, used);
    return [resultOf(component, path, measured, codesOf(component.code), part, used)];
  }

  function resultOf(
    element: JsonObject,
    path: string,
    measured: ReadValue | null,
    coded: Codes,
    notes: Found,
    used: string[],
  ): FhirResult {
    const unit = measured?.unit ?? (path === '' ? unitExtension(observation) : null) ?? '';
    const range = rangeOf(listOf(element.referenceRange), path, unit, notes);
    used.push('referenceRange');
    notes.rest(path, element, used);
    const code = biomarkerIn(coded, unit, path, notes);
    if (otherSpecimen !== null && isForBlood(coded)) notes.warning('.specimen', 'specimen', otherSpecimen);
    return {
      name: textOfConcept(element.code),
      cells: {
        biomarker: code,
        value: measured?.text ?? '',
        unit,
        ...shared,
        ...(range && { ref_range: fhirJson(range) }),
      },
      isText: measured?.isText ?? false,
      problems: notes.problems,
      warnings: notes.warnings,
      leftOut: notes.leftOut,
    };
  }

  if (own === null && separate.length > 0) {
    // What stands at the Observation itself, such as its status, is about each of its components.
    found.rest('', observation, [...read, 'referenceRange']);
    return separate.map((part, index) => ({
      ...part,
      problems: [...found.problems, ...part.problems],
      warnings: [...found.warnings, ...part.warnings],
      leftOut: index === 0 ? { ...found.leftOut, ...part.leftOut } : part.leftOut,
    }));
  }
  if (own === null) reportAbsent(observation, '', found, read);
  return [resultOf(observation, '', own, codes, found, read), ...separate];
}

function reportAbsent(element: JsonObject, path: string, found: Found, read: string[]): void {
  read.push('dataAbsentReason');
  if (!found.problems.some(({ kind }) => kind === 'form'))
    found.problem(`${path}.value[x]`, 'absent', textOfConcept(element.dataAbsentReason) ?? '');
}
