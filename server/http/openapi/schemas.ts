import { z } from 'zod';
import { descriptionOf } from '../../../protocol/shapes.ts';

/** A JSON Schema of the draft 2020-12, as OpenAPI 3.1 contains it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export interface Schemas {
  /** What a request may contain (`input`) or a response contains (`output`). */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema;
  /** The shapes that schemas share, by name. */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

const COMPONENTS = '#/components/schemas/';

/** Converts zod schemas and collects the shapes that have an id. */
export function createSchemas(): Schemas {
  const components: Record<string, JsonSchema> = {};

  function convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    // Inside an object, a schema with an id becomes a reference too.
    const converted = z.toJSONSchema(z.object({ value: schema }), {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => adjust(zodSchema, jsonSchema, io),
    });
    const { $defs = {}, properties = {} } = withComponentReferences(converted) as {
      $defs?: Record<string, JsonSchema>;
      properties?: Record<string, JsonSchema>;
    };
    for (const [name, { id: _, $id: __, ...component }] of Object.entries($defs)) components[name] = component;
    return properties.value ?? {};
  }

  function adjust(schema: z.core.$ZodType, json: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
    const described = io === 'input' ? descriptionOf(schema) : undefined;
    if (described) {
      for (const keyword of Object.keys(json)) delete json[keyword];
      Object.assign(json, convert(described, io));
    }
    // The bounds of safe integers say nothing about the value.
    if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
    if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    // Of readonly(), which is about the type.
    delete json.readOnly;
    // Clients must accept new members of a response.
    if (io === 'output' && json.additionalProperties === false) delete json.additionalProperties;
  }

  return { components, of: convert };
}

const withComponentReferences = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withComponentReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      name === '$ref'
        ? [name, String(member).replace('#/$defs/', COMPONENTS)]
        : [name, withComponentReferences(member)],
    ),
  );
};
