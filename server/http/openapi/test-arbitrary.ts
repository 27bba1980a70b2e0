import fc from 'fast-check';
import type { JsonSchema } from './schemas.ts';
import { testDocument } from './test-document.ts';

type Keywords = {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
};

/** Values that a schema of the document accepts. */
export function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const given = schema as Keywords;
  if (given.$ref) return arbitraryOf(component(given.$ref));
  const choices = given.anyOf ?? given.oneOf;
  if (choices) return fc.oneof(...choices.map(arbitraryOf));
  if ('const' in given) return fc.constant(given.const);
  if (given.enum) return fc.constantFrom(...given.enum);
  if (typeof given.type === 'object') return fc.oneof(...given.type.map((type) => arbitraryOf({ ...given, type })));
  return ofType(given);
}

function ofType(given: Keywords): fc.Arbitrary<unknown> {
  switch (given.type) {
    case 'string':
      return text(given);
    case 'integer':
      return fc.integer({ min: given.minimum ?? 0, max: Math.min(given.maximum ?? 1_000, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min: given.minimum ?? -1e6, max: given.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return list(given);
    case 'object':
      return object(given);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function text({ pattern, minLength = 0, maxLength = 200 }: Keywords): fc.Arbitrary<string> {
  const fits = (value: string): boolean => [...value].length >= minLength && [...value].length <= maxLength;
  if (pattern === undefined || pattern === '\\S') {
    const most = Math.min(maxLength, 40);
    const plain = fc.string({ minLength: Math.max(minLength, 1), maxLength: Math.max(most, minLength) });
    return fc
      .oneof(
        plain,
        plain.map((value) => `é${value.slice(1)}`),
      )
      .filter((value) => value.trim().length >= minLength);
  }
  return fc.stringMatching(new RegExp(pattern), { maxLength }).filter(fits);
}

const list = ({ items = {}, minItems = 0, uniqueItems = false }: Keywords): fc.Arbitrary<unknown[]> => {
  const bounds = { minLength: minItems, maxLength: Math.max(minItems, 3) };
  const item = arbitraryOf(items);
  return uniqueItems ? fc.uniqueArray(item, bounds) : fc.array(item, bounds);
};

const object = ({ properties = {}, required = [] }: Keywords): fc.Arbitrary<object> =>
  fc.record(Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, arbitraryOf(member)])), {
    requiredKeys: [...required],
  });

function component(reference: string): JsonSchema {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return (testDocument().components.schemas as Record<string, JsonSchema>)[name] ?? {};
}
