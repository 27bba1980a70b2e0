import { isObject, type Json } from '../../signing/canonical-json.ts';
import type { JsonObject } from '../../signing/message.ts';
import { parseFhirJson } from './fhir-json.ts';
import { listOf, type Member, objectOf, textOf } from './fhir-members.ts';
import type { FhirNote, FhirProblem } from './observation-notes.ts';
import { type FhirResult, labelsOf, readObservation, TEST } from './read-observation.ts';

export interface FhirRow extends FhirResult {
  /** The texts that may name the person, in the order in which they are to be tried. */
  readonly people: readonly string[];
  /** Whether there is a resource; else a line or an entry is damaged. */
  readonly isResource: boolean;
  /** The Observation; null for what is damaged. */
  readonly observation: JsonObject | null;
  /** The Patient that its subject refers to; null where that is none, or several have its name. */
  readonly patient: JsonObject | null;
  /** Its address in the Bundle, if it has one. */
  readonly fullUrl: string | null;
}

export interface FhirFile {
  readonly rows: readonly FhirRow[];
  /** The number of resources of every other type but Patient, which names people. */
  readonly others: ReadonlyMap<string, number>;
  /** The other resources, with their addresses in the Bundle. */
  readonly resources: readonly { readonly resource: JsonObject; readonly fullUrl: string | null }[];
}

/** Whether a text can be FHIR: JSON, not a table. */
export const isJson = (text: string): boolean => /^\ufeff?\s*[[{]/.test(text);

/**
 * The results of a Bundle, of NDJSON, of an array of resources or of a single one, in FHIR R4. `progress` is called with what is done,
 * from 0 to 1. @throws SyntaxError where the text is none of them.
 */
export function readFhir(text: string, progress: (done: number) => void = () => undefined): FhirFile {
  const resources = resourcesIn(text.replace(/^\ufeff/, ''));
  const index = indexOf(resources);
  const others = new Map<string, number>();
  const count = (type: string) => others.set(type, (others.get(type) ?? 0) + 1);
  const rows = resources.flatMap(({ resource, fullUrl, refused }, position): FhirRow[] => {
    if (position % PROGRESS_EVERY === 0) progress(position / resources.length);
    const type = resource?.resourceType;
    if (resource === null || typeof type !== 'string') return [NO_RESOURCE];
    if (type !== 'Observation') {
      if (type !== 'Patient') count(type);
      for (const { resourceType } of listOf(resource.contained))
        if (resourceType === 'Observation') count(`${type}.contained Observation`);
      return [];
    }
    const name = typeof resource.id === 'string' ? `Observation/${resource.id}` : `Observation ${position + 1}`;
    const people = peopleOf(resource, index, fullUrl);
    const subject = referredBy(resource.subject, resource, index, fullUrl);
    const ofNobody = subject ? labelsOf(subject, [TEST]).map((label) => modifier('Patient', label)) : [];
    const specimen = referredBy(resource.specimen, resource, index, fullUrl) ?? undefined;
    return readObservation(resource, name, specimen).map((result) => ({
      ...result,
      problems: [...(refused ? [refused] : []), ...ofNobody, ...result.problems],
      people,
      isResource: true,
      observation: resource,
      patient: subject?.resourceType === 'Patient' ? subject : null,
      fullUrl,
    }));
  });
  const isOther = (one: Located): one is Located & { resource: JsonObject } =>
    one.resource !== null && one.resource.resourceType !== 'Observation';
  return { rows, others, resources: resources.filter(isOther) };
}

const PROGRESS_EVERY = 500;

const NO_RESOURCE: FhirRow = {
  name: null,
  cells: {},
  isText: false,
  problems: [],
  warnings: [],
  leftOut: {},
  people: [],
  isResource: false,
  observation: null,
  patient: null,
  fullUrl: null,
};

interface Located {
  /** Null for what is not a resource. */
  readonly resource: JsonObject | null;
  readonly fullUrl: string | null;
  /** Why the resource is not used: it is of a history, to be deleted, or under rules that are not known. */
  readonly refused?: FhirNote<FhirProblem> | null;
}

function resourcesIn(text: string): Located[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // A line of a damaged Bundle is a resource without what the Bundle says about it.
  const areObjects = lines.length > 1 && lines.every((line) => /^\s*\{/.test(line));
  return areObjects && isObject(parsedLine(lines[0] ?? '', JSON.parse))
    ? lines.flatMap((line) => located(parsedLine(line), null))
    : located(parseFhirJson(text), null);
}

function parsedLine(line: string, parse: (text: string) => Json = parseFhirJson): Json {
  try {
    return parse(line);
  } catch {
    return null;
  }
}

function located(value: Json, fullUrl: string | null, refused: Located['refused'] = null): Located[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => located(each, null, refused));
  if (!isObject(value)) return [{ resource: null, fullUrl }];
  if (value.resourceType !== 'Bundle') return [{ resource: value, fullUrl, refused }];
  const ofBundle = refusalOfBundle(value) ?? refused;
  return arrayOf(value.entry).flatMap((entry) =>
    isObject(entry)
      ? located(
          entry.resource ?? null,
          typeof entry.fullUrl === 'string' ? entry.fullUrl : null,
          refusalOfEntry(entry) ?? ofBundle,
        )
      : [{ resource: null, fullUrl: null }],
  );
}

const modifier = (of: string, { path, detail }: ReturnType<typeof labelsOf>[number]): FhirNote<FhirProblem> => ({
  path: `${of}${path}`,
  kind: 'modifier',
  detail,
});

function refusalOfBundle(bundle: JsonObject): FhirNote<FhirProblem> | null {
  const { type, implicitRules } = bundle;
  const [label] = labelsOf(bundle);
  if (label) return modifier('Bundle', label);
  if (implicitRules !== undefined) return { path: 'Bundle.implicitRules', kind: 'modifier', detail: '' };
  return type === 'history' ? { path: 'Bundle.type', kind: 'status', detail: type } : null;
}

function refusalOfEntry({ request, modifierExtension }: JsonObject): FhirNote<FhirProblem> | null {
  if (modifierExtension !== undefined) return { path: 'Bundle.entry.modifierExtension', kind: 'modifier', detail: '' };
  const isDeleted = objectOf(request)?.method === 'DELETE';
  return isDeleted ? { path: 'Bundle.entry.request.method', kind: 'status', detail: 'DELETE' } : null;
}

const arrayOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** Null for a name that several resources have, so that it identifies none. */
type Index = ReadonlyMap<string, JsonObject | null>;

/**
 * The patients and specimens of a file by everything that a reference can name them with; none of the past, which may be another's. A
 * resource that is not in use, or whose meaning is changed in a way that is not known, identifies nothing.
 */
function indexOf(resources: readonly Located[]): Index {
  const index = new Map<string, JsonObject | null>();
  const add = (name: string, resource: JsonObject) => {
    const other = index.get(name);
    const isOne = other === undefined || (other !== null && isSame(other, resource));
    index.set(name, isOne && isUsable(resource) ? resource : null);
  };
  for (const { resource, fullUrl, refused } of resources) {
    const type = resource?.resourceType;
    if (resource === null || refused || (type !== 'Patient' && type !== 'Specimen')) continue;
    if (fullUrl !== null) add(fullUrl, resource);
    if (typeof resource.id === 'string') add(`${type}/${resource.id}`, resource);
  }
  return index;
}

const isUsable = ({ active, modifierExtension, implicitRules }: JsonObject): boolean =>
  active !== false && modifierExtension === undefined && implicitRules === undefined;

/** Whether two resources of one name are the same: the files of two servers can use one id for two people. Without identifiers all counts. */
const isSame = (one: JsonObject, other: JsonObject): boolean =>
  JSON.stringify(one.identifier ?? one) === JSON.stringify(other.identifier ?? other);

/** The resource that an element of an Observation refers to, in it or in the file; null where several have that name. */
function referredBy(
  element: Json | undefined,
  observation: JsonObject,
  index: Index,
  fullUrl: string | null,
): JsonObject | null | undefined {
  const reference = referenceIn(element);
  if (reference === null) return undefined;
  const contained = listOf(observation.contained).find(({ id }) => reference === `#${id}`);
  const absolute = fullUrl?.replace(/[^/]+\/[^/]+$/, reference) ?? reference;
  return contained ?? index.get(absolute) ?? index.get(reference);
}

/** A reference, without the version of the resource. */
const referenceIn = (element: Member): string | null =>
  textOf(objectOf(element)?.reference)?.replace(/\/_history\/[^/]*$/, '') ?? null;

/** The type of resource that a reference names by itself. */
const TYPE = /(?:^|\/)([A-Z][A-Za-z]*)\/[^/]+$/;

/** By identifier first, as institutions know people; then by the id of the resource. Groups, devices and places are not people. */
function peopleOf(observation: JsonObject, index: Index, fullUrl: string | null): string[] {
  const subject = objectOf(observation.subject);
  if (subject === null) return [];
  const reference = referenceIn(subject) ?? '';
  const patient = referredBy(subject, observation, index, fullUrl);
  const types = [subject.type, TYPE.exec(reference)?.[1], patient?.resourceType];
  if (types.some((type) => type !== undefined && type !== 'Patient')) return [];
  const identifiers = [...listOf(patient?.identifier), ...listOf([subject.identifier ?? null])].flatMap(
    ({ value, use }) => (typeof value === 'string' && use !== 'old' ? value.replace(/^urn:uuid:/, '') : []),
  );
  const id = patient === null ? '' : reference.replace(/^urn:uuid:|^.*[/#]/, '');
  return [...new Set([...identifiers, id])].filter((text) => text.trim() !== '');
}
