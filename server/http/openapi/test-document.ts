import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { ERROR_DETAILS } from '../../../protocol/error-details.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import { readTarget } from '../request-target.ts';
import { linkPage } from '../rest/link-pages.ts';
import { belongsToApi, ROUTES, routesAt } from '../rest/routes.ts';
import { type OpenApiDocument, openApiDocument } from './document.ts';
import { type ApiModel, describeApi } from './model.ts';
import type { JsonSchema } from './schemas.ts';

let model: ApiModel | undefined;
let document: OpenApiDocument | undefined;

export const testModel = (): ApiModel => {
  model ??= describeApi(ROUTES);
  return model;
};

export const testDocument = (): OpenApiDocument => {
  document ??= openApiDocument(testModel());
  return document;
};

interface DocumentedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

/** An answer of the service, however it was read. */
export interface GivenAnswer {
  readonly status: number;
  header(name: string): string | null | undefined;
  readonly text: string;
}

/**
 * Fails unless the answer is one that the document describes, with no member more. An address or method that it does
 * not describe must return an error in the documented form.
 */
export function checkAnswer(method: string, target: string, { status, header, text }: GivenAnswer): void {
  const { path, isAcceptable } = readTarget(target);
  if (method === 'OPTIONS' || path.startsWith('/api/trpc') || !belongsToApi(path)) return;
  // A browser gets the page of a link.
  if (linkPage('GET', path, undefined) !== null && header('content-type')?.startsWith('text/html')) return;
  const read = method === 'HEAD' ? 'get' : method.toLowerCase();
  const route = isAcceptable
    ? routesAt(path).find((match) => match.route.method.toLowerCase() === read)?.route
    : undefined;
  const operation = route && documented(route.path, read);
  const where = `${method} ${route?.path ?? path} ${status}`;
  if (route && !operation) return;
  const response = operation ? operation.responses[String(status)] : ANY_ERROR;
  if (!response) throw new Error(`${where}: the document has no such status. ${text.slice(0, 300)}`);
  const isCertain = (name: string) => name !== 'Location' || !text.includes('"transactionId":null');
  if (operation) checkHeaders(where, status, response, header, isCertain);
  if (!header('x-request-id')) throw new Error(`${where}: the header x-request-id is missing.`);
  if (method !== 'HEAD') checkBody(where, response, (header('content-type') ?? '').split(';')[0] ?? '', text);
}

/** Headers that a response has only where the document says so. */
const OPTIONAL_HEADERS = ['Location', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'ETag'];
/** Those that it always has there, except where an operation needed no entry. The test service does not limit requests. */
const CERTAIN_HEADERS = ['Location', 'ETag'];

function checkHeaders(
  where: string,
  status: number,
  { headers }: DocumentedResponse,
  header: GivenAnswer['header'],
  isCertain: (name: string) => boolean,
): void {
  const certain = [
    ...(status < 400 ? CERTAIN_HEADERS.filter(isCertain) : []),
    ...(status === 429 ? ['Retry-After'] : []),
  ];
  for (const name of OPTIONAL_HEADERS) {
    if (header(name.toLowerCase()) && !(name in headers))
      throw new Error(`${where}: the header ${name} is not documented.`);
    if (certain.includes(name) && name in headers && !header(name.toLowerCase()))
      throw new Error(`${where}: the header ${name} is missing.`);
  }
}

function checkBody(where: string, { content }: DocumentedResponse, type: string, text: string): void {
  if (!content) {
    if (text !== '') throw new Error(`${where}: the document has no body.`);
    return;
  }
  const schema = content[type]?.schema;
  if (!schema) throw new Error(`${where}: the document has no body of the type ${type || '(none)'}.`);
  const values = type === 'application/jsonl' ? text.split('\n').filter(Boolean).map(parsed) : [parsedAs(type, text)];
  const validate = validatorOf(schema);
  for (const value of values) {
    refuseOtherDetails(where, value);
    if (!validate(value)) throw new Error(`${where}: ${AJV.errorsText(validate.errors)} in ${text.slice(0, 1_000)}`);
  }
}

/** The document leaves room for details of codes that have none yet. */
function refuseOtherDetails(where: string, value: unknown): void {
  const { code, details } = (value ?? {}) as { code?: string; details?: unknown };
  const isError = code !== undefined && Object.hasOwn(ERRORS, code);
  if (isError && details !== undefined && !Object.hasOwn(ERROR_DETAILS, code))
    throw new Error(`${where}: ${code} has no details in the document.`);
}

const parsed = (text: string): unknown => JSON.parse(text);
const parsedAs = (type: string, text: string): unknown => (/[/+]json$/.test(type) ? parsed(text) : text);

const documented = (path: string, method: string): DocumentedOperation | undefined =>
  testDocument().paths[path.replace(/[:*](\w+)/g, '{$1}')]?.[method] as DocumentedOperation | undefined;

const ANY_ERROR: DocumentedResponse = {
  headers: {},
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** Compiles a schema that several others refer to once, and without optimizing: most values are few. */
const AJV = new Ajv2020({
  ...{ strict: false, validateFormats: false, allErrors: false },
  ...{ inlineRefs: false, code: { optimize: false } },
});
/** The components with no room for other members, and as they are. */
const CLOSED = 'closed';
const OPEN = 'open';
const validators = new Map<string, ValidateFunction>();

/** Checks a value against a schema of the document; an object may have no members besides the documented ones. */
const validatorOf = (schema: JsonSchema) => compiled(CLOSED, schema, closed);

/** Whether a schema of a request accepts a value. */
export function requestValidator(schema: JsonSchema): (value: unknown) => boolean {
  const validate = compiled(OPEN, schema, (same) => same);
  return (value) => validate(value) === true;
}

/** Many routes have the same schema, such as that of an error. */
function compiled(components: string, schema: JsonSchema, change: (schema: unknown) => unknown): ValidateFunction {
  if (!AJV.getSchema(CLOSED)) {
    const { schemas } = testDocument().components;
    AJV.addSchema({ components: { schemas: closed(schemas) } }, CLOSED);
    AJV.addSchema({ components: { schemas } }, OPEN);
  }
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${components}#/`);
  const known = validators.get(`${components} ${text}`);
  if (known) return known;
  const validate = AJV.compile(change(JSON.parse(text)) as JsonSchema);
  validators.set(`${components} ${text}`, validate);
  return validate;
}

/** The same with no room for members that it does not name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const isOpen = members.type === 'object' && 'properties' in members && !('additionalProperties' in members);
  return isOpen ? { ...members, additionalProperties: false } : members;
}
