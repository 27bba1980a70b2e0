import { convert, isSameUnit, ucumOf } from '../../clinical/units.ts';
import type { Json } from '../../signing/canonical-json.ts';
import type { JsonObject } from '../../signing/message.ts';
import { digitsOf, fhirJson } from './fhir-json.ts';
import { type Member, objectOf, textOf, textOfConcept } from './fhir-members.ts';
import { type Codes, codesOf, rowsOf } from './observation-code.ts';
import type { Found } from './observation-notes.ts';
import { unitExtension } from './observation-source.ts';

export interface ReadValue {
  readonly text: string;
  /** Null where the value has none. */
  readonly unit: string | null;
  readonly isText: boolean;
}

const plain = (text: string, unit: string | null = null): ReadValue => ({ text, unit, isText: false });

/** The value[x] of an Observation or a component; null without one that can be read. */
export function valueIn(element: JsonObject, path: string, found: Found, read: string[]): ReadValue | null {
  const names = Object.keys(element).filter((name) => /^value[A-Z]/.test(name));
  const [name] = names;
  if (name === undefined) return null;
  read.push(...names);
  const at = `${path}.${name}`;
  if (names.length > 1 || element.dataAbsentReason !== undefined) {
    found.problem(at, 'form');
    return null;
  }
  const value = valueOfKind(name, element[name], at, found);
  if (value === null && found.problems.length === 0) found.problem(at, 'form');
  return value;
}

function valueOfKind(name: string, value: Member, path: string, found: Found): ReadValue | null {
  const object = objectOf(value);
  switch (name) {
    case 'valueQuantity':
      return object && quantityIn(object, path, found);
    case 'valueString': {
      const text = textOf(value);
      return text === null ? null : { text, unit: null, isText: true };
    }
    case 'valueInteger': {
      const digits = digitsOf(value);
      return digits === null ? null : plain(digits);
    }
    case 'valueBoolean':
      return typeof value === 'boolean' ? plain(String(value)) : null;
    case 'valueCodeableConcept': {
      const text = textOfConcept(value);
      return text === null ? null : { text, unit: null, isText: true };
    }
    case 'valueRatio':
      return object && ratioIn(object, path, found);
    case 'valueRange':
      return object && rangeIn(object, path, found);
    default:
      return null;
  }
}

const COMPARATORS = ['<', '<=', '>', '>='];

function quantityIn(quantity: JsonObject, path: string, found: Found): ReadValue | null {
  found.rest(path, quantity, ['value', 'comparator', 'unit', 'system', 'code']);
  const digits = digitsOf(quantity.value);
  const comparator = quantity.comparator ?? '';
  if (digits === null || (comparator !== '' && !COMPARATORS.includes(String(comparator)))) return null;
  return plain(`${comparator}${digits}`, unitIn(quantity, path, found));
}

/** The unit as written, if the table knows it; else its code. */
export function unitIn(quantity: JsonObject, path: string, found: Found): string | null {
  const [unit, code] = [textOf(quantity.unit), textOf(quantity.code)];
  if (unit === null || code === null) return unit ?? code;
  const [written, coded] = [ucumOf(unit), ucumOf(code)];
  if (written === undefined) return coded === undefined ? unit : code;
  if (coded !== undefined && !isSameUnit(unit, code) && convert(1, unit, code) !== 1)
    found.problem(`${path}.unit`, 'unit', `${unit}, ${code}`);
  return unit;
}

function ratioIn(ratio: JsonObject, path: string, found: Found): ReadValue | null {
  found.rest(path, ratio, ['numerator', 'denominator']);
  const parts = [objectOf(ratio.numerator), objectOf(ratio.denominator)].map(
    (part) => part && quantityIn(part, path, found),
  );
  const [numerator, denominator] = parts;
  const isPlain = (part: ReadValue | null | undefined) => part && (part.unit === null || part.unit === '1');
  return numerator && denominator && isPlain(numerator) && isPlain(denominator)
    ? plain(`${numerator.text}:${denominator.text}`)
    : null;
}

function rangeIn(range: JsonObject, path: string, found: Found): ReadValue | null {
  found.rest(path, range, ['low', 'high']);
  const [low, high] = [objectOf(range.low), objectOf(range.high)].map((part) => part && quantityIn(part, path, found));
  if (!low || !high || low.unit !== high.unit) return null;
  return plain(`${low.text} – ${high.text}`, low.unit);
}

/** A value of several parts, such as a blood pressure; null where each part is a result by itself. */
export function panelOf(
  components: readonly JsonObject[],
  codes: Codes,
  observation: JsonObject,
  found: Found,
): ReadValue | null {
  const terms = rowsOf(codes).find((row) => row.components)?.components;
  if (!terms && codes.biomarker === null) return null;
  const members = new Map<string, Json>();
  const units = new Set<string>();
  for (const [index, component] of components.entries()) {
    const path = `.component[${index}]`;
    const coded = codesOf(component.code);
    const known = Object.entries(terms ?? {}).find(([, { code }]) => coded.loinc.includes(code))?.[0];
    const name = known ?? (codes.biomarker === null ? null : textOf(objectOf(component.code)?.text));
    const used = ['code', 'id'];
    const value = valueIn(component, path, found, used);
    found.rest(path, component, used);
    if (name === null || !value) {
      if (value || found.problems.length === 0) found.problem(path, 'form', coded.shown);
      continue;
    }
    // The same part twice: nothing says which one is meant.
    if (members.has(name)) found.problem(path, 'form', coded.shown);
    if (value.unit !== null) units.add(value.unit);
    const isWord = value.isText || Number.isNaN(Number(value.text));
    members.set(name, isWord ? booleanOr(value.text, component) : Number(value.text));
  }
  const unit = [...units].join(', ');
  if (units.size > 1) found.problem('.component', 'unit', unit);
  return { text: fhirJson(Object.fromEntries(members)), unit: unit || unitExtension(observation), isText: false };
}

const booleanOr = (text: string, component: JsonObject): Json =>
  typeof component.valueBoolean === 'boolean' ? component.valueBoolean : text;
