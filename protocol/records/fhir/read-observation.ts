import { convert, isSameUnit, ucumOf } from '../../clinical/units.ts';
import type { Json } from '../../signing/canonical-json.ts';
import { isObject, type JsonObject } from '../../signing/message.ts';
import { type CodeRow, codeRowsOfLoinc } from './codes.ts';
import { digitsOf, fhirJson } from './fhir-json.ts';
import {
  BIOMARKER_SYSTEM,
  CONFIDENCE_EXTENSION,
  hl7,
  LOINC,
  RANGE_SYSTEM,
  REPLACES_EXTENSION,
  UNIT_EXTENSION,
} from './systems.ts';

/** The texts of a result, as the cells of a file have them: numbers with a decimal point, `ref_range` and objects as JSON. */
export type FhirColumn =
  | 'biomarker'
  | 'value'
  | 'unit'
  | 'collected_at'
  | 'confidence'
  | 'ref_range'
  | 'method'
  | 'equipment'
  | 'firmware'
  | 'operator'
  | 'supersedes';

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
  | 'property';

/** `path` begins with the resource, such as `Observation/f001.valueQuantity`. */
export interface FhirNote<Kind> {
  readonly path: string;
  readonly kind: Kind;
  /** What is there, in few words; may be empty. */
  readonly detail: string;
}

export interface FhirResult {
  readonly cells: Readonly<Partial<Record<FhirColumn, string>>>;
  /** Whether the value is a text, whose decimal mark is unknown. */
  readonly isText: boolean;
  readonly problems: readonly FhirNote<FhirProblem>[];
  readonly warnings: readonly FhirNote<FhirWarning>[];
  /** The elements that are not read, by path without the id, as JSON. */
  readonly leftOut: Readonly<Record<string, string>>;
}

const OBSERVATION = 'Observation';
const READ_STATUS = ['final', 'amended', 'corrected'];
/** Elements that say nothing about the result itself. */
const DESCRIBING = ['resourceType', 'id', 'meta', 'text', 'category', 'subject', 'status', 'code', 'contained'];

/** What is found while an Observation is read. */
interface Found {
  readonly problems: FhirNote<FhirProblem>[];
  readonly warnings: FhirNote<FhirWarning>[];
  readonly leftOut: Record<string, string>;
  problem(path: string, kind: FhirProblem, detail?: string): void;
  warning(path: string, kind: FhirWarning, detail?: string): void;
  unread(path: string, value: Member): void;
  /** Lists the members of an element that are not among those that are read. */
  rest(path: string, element: JsonObject, read: readonly string[]): void;
}

type Member = Json | undefined;

function nothingFound(subject: string): Found {
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

const objectOf = (value: Member): JsonObject | null => (value !== undefined && isObject(value) ? value : null);
const listOf = (value: Member): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textOf = (value: Member): string | null =>
  typeof value === 'string' && value.trim() !== '' && !value.startsWith('\0') ? value : null;

/** The results of an Observation: its own, and one of each component that is a result by itself. */
export function readObservation(observation: JsonObject, name: string): FhirResult[] {
  const found = nothingFound(name);
  const read = [...DESCRIBING];
  const codes = codesOf(observation.code);
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
    return {
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

/** What is the same for an Observation and its components. */
function sharedCells(observation: JsonObject, found: Found, read: string[]) {
  const status = textOf(observation.status) ?? '';
  if (!READ_STATUS.includes(status)) found.problem('.status', 'status', status);
  const { method, equipment, firmware, operator } = sourceOf(observation, read);
  const { confidence, supersedes } = extensionsOf(observation, found, read);
  const cells: [FhirColumn, string | null][] = [
    ['collected_at', effectiveOf(observation, found, read)],
    ['method', method],
    ['equipment', equipment],
    ['firmware', firmware],
    ['operator', operator],
    ['confidence', confidence],
    ['supersedes', supersedes],
  ];
  return Object.fromEntries(cells.filter(([, text]) => text !== null)) as Partial<Record<FhirColumn, string>>;
}

function effectiveOf(observation: JsonObject, found: Found, read: string[]): string | null {
  const path = '.effectivePeriod';
  const period = objectOf(observation.effectivePeriod);
  for (const name of ['effectiveDateTime', 'effectiveInstant', 'effectivePeriod']) {
    if (observation[name] !== undefined) read.push(name);
  }
  if (observation.effectiveTiming !== undefined) found.problem('.effectiveTiming', 'form');
  if (!period) return textOf(observation.effectiveDateTime) ?? textOf(observation.effectiveInstant);
  found.rest(path, period, ['start', 'end']);
  const [start, end] = [textOf(period.start), textOf(period.end)];
  if (start !== end) found.warning(path, 'period', `${start ?? '…'} – ${end ?? '…'}`);
  return start ?? end;
}

interface ReadValue {
  readonly text: string;
  /** Null where the value has none. */
  readonly unit: string | null;
  readonly isText: boolean;
}

const plain = (text: string, unit: string | null = null): ReadValue => ({ text, unit, isText: false });

/** The value[x] of an Observation or a component; null without one that can be read. */
function valueIn(element: JsonObject, path: string, found: Found, read: string[]): ReadValue | null {
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
function unitIn(quantity: JsonObject, path: string, found: Found): string | null {
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

interface Codes {
  /** Of the project. */
  readonly biomarker: string | null;
  readonly loinc: readonly string[];
  /** To show a code that is not known. */
  readonly shown: string;
}

function codesOf(code: Member): Codes {
  const concept = objectOf(code);
  const codings = listOf(concept?.coding);
  const inSystem = (system: string) =>
    codings.flatMap((coding) => (coding.system === system ? (textOf(coding.code) ?? []) : []));
  const loinc = inSystem(LOINC);
  return {
    biomarker: inSystem(BIOMARKER_SYSTEM)[0] ?? null,
    loinc,
    shown: loinc[0] ?? textOf(codings[0]?.code) ?? textOf(concept?.text) ?? '',
  };
}

const rowsOf = ({ loinc }: Codes): readonly CodeRow[] => loinc.flatMap(codeRowsOfLoinc);

function biomarkerIn(codes: Codes, unit: string, path: string, found: Found): string {
  if (codes.biomarker !== null) return codes.biomarker;
  const rows = rowsOf(codes);
  const biomarkers = [...new Set(rows.map(({ biomarker }) => biomarker))];
  const [biomarker] = biomarkers;
  if (biomarker === undefined) return codes.shown;
  if (biomarkers.length > 1) {
    found.warning(`${path}.code`, 'severalCodes', biomarkers.join(', '));
    return codes.shown;
  }
  const isOfCode = rows.some(({ units }) => units.some((one) => convert(1, unit, one) !== null));
  if (ucumOf(unit) !== undefined && !isOfCode) found.warning(`${path}.code`, 'property', `${codes.shown}, ${unit}`);
  return biomarker;
}

/** A value of several parts, such as a blood pressure; null where each part is a result by itself. */
function panelOf(
  components: readonly JsonObject[],
  codes: Codes,
  observation: JsonObject,
  found: Found,
): ReadValue | null {
  const terms = rowsOf(codes).find((row) => row.components)?.components;
  if (!terms && codes.biomarker === null) return null;
  const members: Record<string, Json> = {};
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
    if (value.unit !== null) units.add(value.unit);
    members[name] =
      value.isText || Number.isNaN(Number(value.text)) ? booleanOr(value.text, component) : Number(value.text);
  }
  const unit = [...units].join(', ');
  if (units.size > 1) found.problem('.component', 'unit', unit);
  return { text: fhirJson(members), unit: unit || unitExtension(observation), isText: false };
}

const booleanOr = (text: string, component: JsonObject): Json =>
  typeof component.valueBoolean === 'boolean' ? component.valueBoolean : text;

const NORMAL = hl7('referencerange-meaning');

/** The ranges as a record states them; undefined without one. */
function rangeOf(stated: readonly JsonObject[], path: string, unit: string, found: Found): Json | undefined {
  const range: Record<string, Json> = {};
  const read = stated.map((one, index) => bandIn(one, `${path}.referenceRange[${index}]`, found));
  const isClear =
    new Set(read.map((band) => band?.name)).size === read.length &&
    new Set(read.flatMap((band) => band?.units ?? [])).size <= 1 &&
    new Set(read.map((band) => band?.population)).size <= 1;
  if (stated.length === 0) return undefined;
  if (!isClear || read.includes(null)) {
    found.warning(`${path}.referenceRange`, 'ranges');
    found.unread(`${path}.referenceRange`, stated);
    return undefined;
  }
  for (const band of read) Object.assign(range, band?.members);
  const [ownUnit] = read.flatMap((band) => band?.units ?? []);
  const population = read[0]?.population ?? null;
  return {
    ...range,
    ...(ownUnit !== undefined && ownUnit !== unit && { unit: ownUnit }),
    ...(population !== null && { population }),
  };
}

const BANDS = ['optimal', 'functional', 'deficiency', 'toxicity', 'critical'];

function bandIn(stated: JsonObject, path: string, found: Found) {
  found.rest(path, stated, ['id', 'low', 'high', 'type', 'appliesTo', 'text']);
  const codings = listOf(objectOf(stated.type)?.coding);
  const own = codings.find(({ system }) => system === RANGE_SYSTEM)?.code;
  const isNormal =
    stated.type === undefined || codings.some(({ system, code }) => system === NORMAL && code === 'normal');
  const name = BANDS.find((band) => band === own) ?? (isNormal ? 'functional' : null);
  const bounds = (['low', 'high'] as const).flatMap((side) => {
    const quantity = objectOf(stated[side]);
    const digits = quantity && digitsOf(quantity.value);
    return quantity
      ? [{ side, number: digits === null ? Number.NaN : Number(digits), unit: unitIn(quantity, path, found) }]
      : [];
  });
  const text = textOf(stated.text);
  const populations = listOf(stated.appliesTo).map(textOfConcept);
  if (name === null || populations.length > 1 || bounds.some(({ number }) => !Number.isFinite(number))) return null;
  const isStated = text !== null && (bounds.length === 0 || own !== undefined) && name !== 'critical';
  if (text !== null && !isStated) found.unread(`${path}.text`, text);
  return {
    name,
    members: {
      ...Object.fromEntries(bounds.map(({ side, number }) => [`${name}_${side}`, number])),
      ...(isStated && { [name]: text }),
    },
    units: bounds.flatMap(({ unit }) => unit ?? []),
    population: populations[0] ?? null,
  };
}

function sourceOf(observation: JsonObject, read: string[]) {
  const method = textOfConcept(observation.method);
  if (method !== null) read.push('method');
  const device = objectOf(observation.device);
  const contained = listOf(observation.contained).find(({ id }) => device?.reference === `#${id}`);
  const named = listOf(contained?.deviceName)[0];
  const equipment = textOf(named?.name) ?? textOf(device?.display);
  const firmware = textOf(listOf(contained?.version)[0]?.value);
  if (equipment !== null || firmware !== null) read.push('device');
  const performers = listOf(observation.performer);
  const operator = performers.find(({ reference, display }) => reference === undefined && textOf(display) !== null);
  if (operator) read.push('performer');
  return { method, equipment, firmware, operator: textOf(operator?.display) };
}

const extensionOf = ({ extension }: JsonObject, url: string) => listOf(extension).find((one) => one.url === url);

const unitExtension = (observation: JsonObject): string | null =>
  textOf(extensionOf(observation, UNIT_EXTENSION)?.valueString);

function extensionsOf(observation: JsonObject, found: Found, read: string[]) {
  read.push('extension');
  const known = [CONFIDENCE_EXTENSION, REPLACES_EXTENSION, UNIT_EXTENSION];
  const others = listOf(observation.extension).filter(({ url }) => !known.includes(String(url)));
  if (others.length > 0) found.unread('.extension', others);
  const replaced = objectOf(extensionOf(observation, REPLACES_EXTENSION)?.valueReference);
  const id = textOf(objectOf(replaced?.identifier)?.value) ?? textOf(replaced?.reference);
  return {
    confidence: digitsOf(extensionOf(observation, CONFIDENCE_EXTENSION)?.valueDecimal),
    supersedes: id?.replace(/^urn:uuid:/, '') ?? null,
  };
}

function textOfConcept(concept: Member): string | null {
  const object = objectOf(concept);
  const [first] = listOf(object?.coding);
  return textOf(object?.text) ?? textOf(first?.display) ?? textOf(first?.code);
}
