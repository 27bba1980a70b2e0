import type { Json } from '../../signing/canonical-json.ts';
import { isObject, type JsonObject } from '../../signing/message.ts';
import { parseFhirJson } from './fhir-json.ts';
import { listOf, objectOf, textOf } from './fhir-members.ts';
import { type FhirResult, readObservation } from './read-observation.ts';

export interface FhirRow extends FhirResult {
  /** The texts that may name the person, in the order in which they are to be tried. */
  readonly people: readonly string[];
  /** Whether there is a resource; else a line or an entry is damaged. */
  readonly isResource: boolean;
}

export interface FhirFile {
  readonly rows: readonly FhirRow[];
  /** The number of resources of every other type but Patient, which names people. */
  readonly others: ReadonlyMap<string, number>;
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
  const rows = resources.flatMap(({ resource, fullUrl, past }, position): FhirRow[] => {
    if (position % PROGRESS_EVERY === 0) progress(position / resources.length);
    const type = resource?.resourceType;
    if (resource === null || typeof type !== 'string') return [NO_RESOURCE];
    if (type !== 'Observation') {
      if (type !== 'Patient') others.set(type, (others.get(type) ?? 0) + 1);
      return [];
    }
    const name = typeof resource.id === 'string' ? `Observation/${resource.id}` : `Observation ${position + 1}`;
    const people = peopleOf(resource, index, fullUrl);
    const specimen = referredBy(resource.specimen, resource, index, fullUrl) ?? undefined;
    return readObservation(resource, name, specimen).map((result) => ({
      ...result,
      problems: [...(past ? [{ ...past, kind: 'status' as const }] : []), ...result.problems],
      people,
      isResource: true,
    }));
  });
  return { rows, others };
}

const PROGRESS_EVERY = 500;

const NO_RESOURCE: FhirRow = {
  cells: {},
  isText: false,
  problems: [],
  warnings: [],
  leftOut: {},
  people: [],
  isResource: false,
};

interface Located {
  /** Null for what is not a resource. */
  readonly resource: JsonObject | null;
  readonly fullUrl: string | null;
  /** Why the resource is not the current one: an entry of a history, or one to be deleted. */
  readonly past?: { readonly path: string; readonly detail: string } | null;
}

function resourcesIn(text: string): Located[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const first = lines.length > 1 ? parsedLine(lines[0] ?? '') : null;
  return first === null ? located(parseFhirJson(text), null) : lines.flatMap((line) => located(parsedLine(line), null));
}

function parsedLine(line: string): Json {
  try {
    return parseFhirJson(line);
  } catch {
    return null;
  }
}

function located(value: Json, fullUrl: string | null, past: Located['past'] = null): Located[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => located(each, null, past));
  if (!isObject(value)) return [{ resource: null, fullUrl }];
  if (value.resourceType !== 'Bundle') return [{ resource: value, fullUrl, past }];
  const isHistory = value.type === 'history';
  return arrayOf(value.entry).flatMap((entry) => {
    if (!isObject(entry)) return [{ resource: null, fullUrl: null }];
    const isDeleted = objectOf(entry.request)?.method === 'DELETE';
    const why = isHistory ? { path: 'Bundle.type', detail: 'history' } : null;
    return located(
      entry.resource ?? null,
      typeof entry.fullUrl === 'string' ? entry.fullUrl : null,
      isDeleted ? { path: 'Bundle.entry.request.method', detail: 'DELETE' } : (why ?? past),
    );
  });
}

const arrayOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** Null for a name that several resources have, so that it identifies none. */
type Index = ReadonlyMap<string, JsonObject | null>;

/**
 * The patients and specimens of a file by everything that a reference can name them with; none of the past, which may be another's.
 */
function indexOf(resources: readonly Located[]): Index {
  const index = new Map<string, JsonObject | null>();
  const add = (name: string, resource: JsonObject) => {
    const other = index.get(name);
    index.set(name, other === undefined || (other && isSame(other, resource)) ? resource : null);
  };
  for (const { resource, fullUrl, past } of resources) {
    const type = resource?.resourceType;
    if (resource === null || past || (type !== 'Patient' && type !== 'Specimen')) continue;
    if (fullUrl !== null) add(fullUrl, resource);
    if (typeof resource.id === 'string') add(`${type}/${resource.id}`, resource);
  }
  return index;
}

/** Whether two resources of one name have the same identifiers: the files of two servers can use one id for two people. */
const isSame = (one: JsonObject, other: JsonObject): boolean =>
  JSON.stringify(one.identifier ?? null) === JSON.stringify(other.identifier ?? null);

/** The resource that an element of an Observation refers to, in it or in the file; null where several have that name. */
function referredBy(
  element: Json | undefined,
  observation: JsonObject,
  index: Index,
  fullUrl: string | null,
): JsonObject | null | undefined {
  const reference = textOf(objectOf(element)?.reference);
  if (reference === null) return undefined;
  const contained = listOf(observation.contained).find(({ id }) => reference === `#${id}`);
  const absolute = fullUrl?.replace(/[^/]+\/[^/]+$/, reference) ?? reference;
  return contained ?? index.get(absolute) ?? index.get(reference);
}

/** By identifier first, as institutions know people; then by the id of the resource. */
function peopleOf(observation: JsonObject, index: Index, fullUrl: string | null): string[] {
  const subject = objectOf(observation.subject);
  if (subject === null) return [];
  const reference = textOf(subject.reference) ?? '';
  const patient = referredBy(subject, observation, index, fullUrl);
  const identifiers = [...listOf(patient?.identifier), ...listOf([subject.identifier ?? null])].flatMap(({ value }) =>
    typeof value === 'string' ? value.replace(/^urn:uuid:/, '') : [],
  );
  const id = patient === null ? '' : reference.replace(/^urn:uuid:|^.*[/#]/, '');
  return [...new Set([...identifiers, id])].filter((text) => text.trim() !== '');
}
