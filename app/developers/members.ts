import type { JsonSchema } from '../../server/http/openapi/schemas.ts';

type Components = Readonly<Record<string, JsonSchema>>;

/** A member of a request or a response, as a row of a table. */
export interface Member {
  /** Names joined by dots; `[]` stands for each element of a list. */
  readonly path: string;
  readonly type: string;
  /** Limits of the value, as phrases. */
  readonly rules: readonly string[];
  readonly required: boolean;
  readonly description: string | null;
}

/** The id of the row of a member. @param table `request`, `details` or the response's status */
export const anchorOf = (table: string, path: string): string => `${table}-${path.replaceAll('[]', '')}`;

const MAX_DEPTH = 4;
/** A longer pattern explains nothing; its description does. */
const MAX_PATTERN = 40;

/** The members of an object, those of nested objects after their own row. */
export function membersOf(schema: JsonSchema, components: Components, prefix = '', depth = 0): readonly Member[] {
  const objects = objectsIn(schema, components);
  const rows = objects.flatMap(({ properties = {} }) =>
    Object.entries(properties as Components).flatMap(([name, member]) => {
      const path = `${prefix}${name}`;
      const row = rowOf(
        path,
        member,
        components,
        objects.every((object) => requires(object, name)),
      );
      return [row, ...(depth < MAX_DEPTH ? nestedIn(path, member, components, depth) : [])];
    }),
  );
  return rows.filter(({ path }, index) => index === rows.findIndex((other) => other.path === path));
}

const requires = ({ required = [] }: JsonSchema, name: string): boolean =>
  (required as readonly string[]).includes(name);

export function rowOf(path: string, schema: JsonSchema, components: Components, required: boolean): Member {
  const resolved = resolve(schema, components);
  return {
    path,
    type: typeOf(resolved, components),
    rules: rulesOf(resolved, components),
    required,
    description: (schema.description ?? resolved.description ?? null) as string | null,
  };
}

function nestedIn(path: string, schema: JsonSchema, components: Components, depth: number): readonly Member[] {
  const elements = variantsOf(schema, components).flatMap(({ items }) => (items ? [items as JsonSchema] : []));
  return [
    ...membersOf(schema, components, `${path}.`, depth + 1),
    ...elements.flatMap((element) => membersOf(element, components, `${path}[].`, depth + 1)),
  ];
}

const NAME = /^#\/components\/schemas\//;

function resolve(schema: JsonSchema, components: Components): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref, ...own } = schema;
  return { ...components[$ref.replace(NAME, '')], ...own };
}

/** The alternatives of a schema, or the schema itself. */
function variantsOf(schema: JsonSchema, components: Components): readonly JsonSchema[] {
  const resolved = resolve(schema, components);
  const variants = (resolved.anyOf ?? resolved.oneOf ?? resolved.allOf) as readonly JsonSchema[] | undefined;
  return variants ? variants.flatMap((variant) => variantsOf(variant, components)) : [resolved];
}

const objectsIn = (schema: JsonSchema, components: Components): readonly JsonSchema[] =>
  variantsOf(schema, components).filter(({ properties }) => properties !== undefined);

function typeOf(schema: JsonSchema, components: Components): string {
  const variants = variantsOf(schema, components);
  if (variants.length > 1) return [...new Set(variants.map((variant) => typeOf(variant, components)))].join(' or ');
  const { type, const: constant, items, format, enum: values } = variants[0] ?? {};
  if (constant !== undefined) return JSON.stringify(constant);
  if (type === undefined && Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' or ');
  if (type === 'array') return `list${items ? ` of ${plural(typeOf(items as JsonSchema, components))}` : ''}`;
  if (Array.isArray(type)) return type.join(' or ');
  return format ? `${type ?? 'any value'} (${format})` : String(type ?? 'any value');
}

const plural = (type: string): string =>
  /^(string|number|integer|boolean|object|list)$/.test(type) ? `${type}s` : type;

function rulesOf(schema: JsonSchema, components: Components): readonly string[] {
  const rules = variantsOf(schema, components).flatMap((variant) => [
    ...(variant.type === undefined ? [] : enumRule(variant.enum)),
    ...boundsRule(variant.minLength, variant.maxLength, 'characters'),
    ...boundsRule(variant.minItems, variant.maxItems, 'elements'),
    ...boundsRule(variant.minimum, variant.maximum, ''),
    ...patternRule(variant.pattern),
    ...(variant.default === undefined ? [] : [`by default \`${JSON.stringify(variant.default)}\``]),
    ...(variant.items ? enumRule((variant.items as JsonSchema).enum) : []),
  ]);
  return [...new Set(rules)];
}

const enumRule = (values: unknown): readonly string[] =>
  Array.isArray(values) ? [values.map((value) => `\`${value}\``).join(', ')] : [];

function patternRule(pattern: unknown): readonly string[] {
  if (pattern === '\\S') return ['not blank'];
  return typeof pattern === 'string' && pattern.length <= MAX_PATTERN ? [`matches \`${pattern}\``] : [];
}

function boundsRule(min: unknown, max: unknown, unit: string): readonly string[] {
  if (typeof min !== 'number' && typeof max !== 'number') return [];
  const bounds =
    min === max
      ? `${min}`
      : min === undefined
        ? `at most ${max}`
        : max === undefined
          ? `at least ${min}`
          : `${min} to ${max}`;
  return [`${bounds} ${unit}`.trim()];
}
