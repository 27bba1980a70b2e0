import type { JsonObject } from '../../signing/message.ts';
import { fhirJson } from './fhir-json.ts';
import type { Member } from './fhir-members.ts';

/** Why a result cannot be read for certain. */
export type FhirProblem =
  /** Preliminary, cancelled, entered in error. */
  | 'status'
  /** No value, for a stated reason. */
  | 'absent'
  /** A modifierExtension or implicitRules. */
  | 'modifier'
  /** A kind of value or time that a record has no form for. */
  | 'form'
  /** The unit and its code contradict each other. */
  | 'unit';

/** What a person must look at. */
export type FhirWarning =
  /** Measured over a period, whose start is read. */
  | 'period'
  /** Reference ranges that a record cannot state: several of one kind, another unit, another meaning. */
  | 'ranges'
  /** A LOINC code that belongs to several biomarkers. */
  | 'severalCodes'
  /** A unit that the LOINC code is not for. */
  | 'property'
  /** Another specimen than the blood, serum or plasma of the LOINC code. */
  | 'specimen';

/** `path` begins with the resource, such as `Observation/f001.valueQuantity`. */
export interface FhirNote<Kind> {
  readonly path: string;
  readonly kind: Kind;
  /** What is there, in few words; may be empty. */
  readonly detail: string;
}

const OBSERVATION = 'Observation';

/** What is found while an Observation is read. */
export interface Found {
  readonly problems: FhirNote<FhirProblem>[];
  readonly warnings: FhirNote<FhirWarning>[];
  readonly leftOut: Record<string, string>;
  problem(path: string, kind: FhirProblem, detail?: string): void;
  warning(path: string, kind: FhirWarning, detail?: string): void;
  unread(path: string, value: Member): void;
  /** Lists the members of an element that are not among those that are read. */
  rest(path: string, element: JsonObject, read: readonly string[]): void;
}

export function nothingFound(subject: string): Found {
  const found: Found = {
    problems: [],
    warnings: [],
    leftOut: {},
    problem: (path, kind, detail = '') => found.problems.push({ path: `${subject}${path}`, kind, detail }),
    warning: (path, kind, detail = '') => found.warnings.push({ path: `${subject}${path}`, kind, detail }),
    unread(path, value) {
      found.leftOut[`${OBSERVATION}${path.replace(/\[\d+\]/g, '')}`] = fhirJson(value ?? null);
    },
    rest(path, element, read) {
      for (const [name, value] of Object.entries(element)) {
        if (name === 'modifierExtension' || name === 'implicitRules') found.problem(`${path}.${name}`, 'modifier');
        else if (!read.includes(name)) found.unread(`${path}.${name}`, value);
      }
    },
  };
  return found;
}
