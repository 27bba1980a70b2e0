import { VERSION } from '../../../protocol/entities/recorded.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import { factsOf } from './facts.ts';
import type { ApiAnswer, ApiErrorDetails, ApiField, ApiModel, ApiOperation } from './model.ts';
import type { JsonSchema } from './schemas.ts';
import { TAG_DESCRIPTIONS } from './tags.ts';

/** The OpenAPI 3.1 document of the API. */
export function openApiDocument({ operations, details, components }: ApiModel) {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Perpetua',
      version: VERSION,
      summary: 'A gasless relayer in front of a permanent public storage network.',
      description: DESCRIPTION,
      contact: { name: 'The operator of this service' },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
    },
    servers: [{ url: '/' }],
    security: [],
    tags: TAG_DESCRIPTIONS,
    'x-error-codes': Object.fromEntries(
      Object.entries(ERRORS).map(([code, [status, sentence]]) => [code, { status, sentence }]),
    ),
    paths: pathsOf(operations),
    components: {
      schemas: { ...sorted(components), Error: errorOf(details) },
      headers: HEADERS,
      securitySchemes: {
        instituteKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Institute-Key',
          description: 'One of the three keys of the institute.',
        },
      },
    },
  };
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

const DESCRIPTION = [
  'Every write is an operation that its author signs: `x-signed-message` states the function, the members of the canonical',
  'message (RFC 8785) in their order, and whose key signs. Reads of public state need no signature.',
  'HEAD and OPTIONS work at every address. A page of any origin may read what needs no signature, link or key; the operator lists the origins that may read the rest.',
  'A response can get new members: ignore those you do not know.',
].join(' ');

const errorOf = (details: readonly ApiErrorDetails[]): JsonSchema => ({
  type: 'object',
  description: 'An error: a sentence for a person, a code for programs, and sometimes details.',
  properties: {
    error: { type: 'string' },
    code: { type: 'string', enum: Object.keys(ERRORS) },
    details: { type: 'object', additionalProperties: true },
    remainingAttempts: { type: 'integer', minimum: 0, description: 'Only of PASSCODE_INVALID.' },
    request_id: { type: 'string' },
  },
  required: ['error', 'code', 'request_id'],
  allOf: details.map(({ codes, schema }) => ({
    if: { properties: { code: { enum: codes } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { properties: { details: schema } },
  })),
});

const header = (description: string, schema: JsonSchema = { type: 'string' }) => ({ description, schema });

const HEADERS = {
  'X-Request-Id': header('The id of the request: its own X-Request-Id if that is well-formed, else a new one.'),
  RateLimit: header('What is left of the limit: `"<group>";r=<requests>;t=<seconds>`.'),
  'RateLimit-Policy': header('The limit: `"<group>";q=<requests>;w=<seconds>`.'),
  'Retry-After': header('The seconds after which to try again.', { type: 'integer', minimum: 0 }),
  Location: header('The address of what the request created or changed.'),
  'X-Perpetua-Seq': header('The state that contains the entry: send it with a read to get that state or a later one.', {
    type: 'integer',
    minimum: 1,
  }),
  ETag: header('Changes with the content.'),
  'Cache-Control': header('How long the content may be reused.'),
} as const;

type HeaderName = keyof typeof HEADERS;

const referencesTo = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function pathsOf(operations: readonly ApiOperation[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { path, method } of operations) {
    const same = operations.filter((other) => other.path === path && other.method === method);
    paths[path] ??= {};
    paths[path][method.toLowerCase()] ??= pathItemOf(same);
  }
  return paths;
}

/** One operation of the document; several of the table if the body decides between them. */
function pathItemOf(same: readonly ApiOperation[]) {
  const [first] = same as readonly [ApiOperation, ...ApiOperation[]];
  const inBody = same.flatMap(({ body }) => body ?? []);
  const examples = Object.fromEntries(
    same.flatMap(({ id, title, example }) => (example ? [[id, { summary: title, value: example }]] : [])),
  );
  const signed = same.flatMap(({ signed }) => signed ?? []);
  return {
    operationId: same.map(({ id }) => id).join('_or_'),
    summary: same.map(({ title }, index) => (index === 0 ? title : lowered(title))).join(', or '),
    description: descriptionOf(same),
    tags: [first.tag],
    ...(first.forInstitute ? { security: [{ instituteKey: [] }] } : {}),
    parameters: first.fields.filter((field) => field.in !== 'body').map((field) => parameterOf(field, first)),
    ...(inBody.length > 0
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: inBody.length === 1 ? inBody[0] : { anyOf: inBody },
                ...(Object.keys(examples).length > 0 ? { examples } : {}),
              },
            },
          },
        }
      : {}),
    responses: responsesOf(same),
    ...(signed.length > 0 ? { 'x-signed-message': signed.length === 1 ? signed[0] : signed } : {}),
  };
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Sentences about the operations, and below them what the page of the first one states. */
const descriptionOf = (same: readonly ApiOperation[]): string =>
  [
    ...same.flatMap(({ description }) => description ?? []),
    same
      .slice(0, 1)
      .flatMap(factsOf)
      .map(([name, value]) => `- ${name}: ${value}.`)
      .join('\n'),
  ].join('\n\n');

function parameterOf({ name, in: place, required, schema }: ApiField, { example, signed }: ApiOperation) {
  const { description, ...rest } = schema;
  const member = Object.entries(signed?.headers ?? {}).find(([, header]) => header === name)?.[0] ?? name;
  const value = required ? example?.[member] : undefined;
  return {
    name,
    in: place,
    required,
    ...(description ? { description } : {}),
    ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: rest,
    ...(value === undefined ? {} : { example: value }),
  };
}

function responsesOf(same: readonly ApiOperation[]) {
  const answers = same.flatMap(({ answers }) => answers);
  const errors = same.flatMap(({ errors }) => errors);
  const isLimited = same.some(({ limit }) => limit !== null);
  const statuses = [...new Set([...answers, ...errors].map(({ status }) => status))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const given = answers.filter((answer) => answer.status === status);
      const codes = [...new Set(errors.filter((error) => error.status === status).map(({ code }) => code))];
      return [String(status), responseOf(status, given, codes, isLimited)];
    }),
  );
}

function responseOf(
  status: number,
  answers: readonly ApiAnswer[],
  codes: readonly (keyof typeof ERRORS)[],
  isLimited: boolean,
) {
  const error = { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }] };
  const bodies = [
    ...answers.flatMap(({ type, schema }) => (type && schema ? [{ type: mediaType(type), schema }] : [])),
    ...(codes.length > 0 ? [{ type: 'application/json', schema: error }] : []),
  ];
  const types = [...new Set(bodies.map(({ type }) => type))];
  const headers: HeaderName[] = [
    'X-Request-Id',
    ...(isLimited ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(answers.flatMap(({ headers }) => headers) as HeaderName[]),
  ];
  return {
    description: [
      ...new Set(answers.map(({ description }) => description)),
      ...(codes.length > 0 ? [`${codes.join(', ')}.`] : []),
    ].join(' Or an error: '),
    headers: referencesTo([...new Set(headers)]),
    ...(bodies.length > 0
      ? {
          content: Object.fromEntries(
            types.map((type) => {
              const found = bodies.filter((body) => body.type === type).map(({ schema }) => schema);
              return [type, { schema: found.length === 1 ? found[0] : { anyOf: found } }];
            }),
          ),
        }
      : {}),
  };
}

/** Without parameters such as the charset. */
const mediaType = (type: string): string => type.split(';')[0] ?? type;

const sorted = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)));
