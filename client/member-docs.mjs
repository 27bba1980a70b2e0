import { loadModule } from './operation-data.mjs';

const MODULES = [
  'protocol/read-responses.ts',
  'protocol/guardian-responses.ts',
  'protocol/event-shapes.ts',
  'protocol/entities/views.ts',
  'protocol/operations.ts',
];

/**
 * What the schemas of the protocol say about the members of their objects: the type of a schema has no doc comments.
 * @returns the description of a member in an object with the given members, or undefined
 */
export async function memberDocs() {
  const docs = new Map();
  const walked = new Set();
  const walk = (value) => {
    if (typeof value !== 'object' || value === null || walked.has(value)) return;
    walked.add(value);
    const shape = value._zod?.def.shape;
    if (shape) note(docs, shape);
    for (const part of Object.values(value._zod ? (shape ?? value._zod.def) : value)) walk(part);
  };
  for (const path of MODULES) walk({ ...(await loadModule(path)) });
  return (members, name) => docs.get(keyOf(members, name)) || undefined;
}

/** Types have no names here: objects with the same members are one, and what they say differently is left out. */
function note(docs, shape) {
  const members = Object.keys(shape);
  for (const [name, schema] of Object.entries(shape)) {
    const key = keyOf(members, name);
    const doc = descriptionOf(schema) ?? '';
    docs.set(key, docs.has(key) && docs.get(key) !== doc ? '' : doc);
  }
}

const keyOf = (members, name) => `${[...members].sort().join()}:${name}`;

/** The description of a schema; if it may be absent or null, that of the schema inside it. */
const descriptionOf = (schema) =>
  schema.description ?? (schema._zod.def.innerType && descriptionOf(schema._zod.def.innerType));
