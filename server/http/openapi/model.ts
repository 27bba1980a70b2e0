import { z } from 'zod';
import { ERROR_DETAILS } from '../../../protocol/error-details.ts';
import { ERRORS, type ErrorCode } from '../../../protocol/errors.ts';
import type { AnyOperation } from '../../../protocol/operations.ts';
import { MAX_BATCH_BYTES } from '../../../protocol/records/record.ts';
import { base64, digest, transactionId } from '../../../protocol/response-shapes.ts';
import { ENVELOPE } from '../../../protocol/signing/envelope.ts';
import type { RequestForm } from '../../../protocol/signing/message.ts';
import { JSON_TYPE } from '../http.ts';
import { MAX_BODY_BYTES } from '../json-body.ts';
import { LIMIT_GROUPS, type LimitGroup } from '../limits/groups.ts';
import { SEQ_HEADER } from '../public-reads.ts';
import { type DeclaredAnswer, isOpen } from '../rest/rest-endpoint.ts';
import type { ActionRoute, OperationRoute, QueryRoute, Route } from '../rest/routes.ts';
import { SIGNED_HEADERS } from '../rest/signed-query.ts';
import { errorsOf } from './error-codes.ts';
import { type ExampleBody, exampleOfForm, exampleOfOperation } from './examples.ts';
import { createSchemas, type JsonSchema, type Schemas } from './schemas.ts';
import { messageOfForm, messageOfOperation, type SignedMessage } from './signed-message.ts';
import { type Tag, tagOf } from './tags.ts';

/** A member of a request. */
export interface ApiField {
  readonly name: string;
  readonly in: 'body' | 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface ApiAnswer {
  readonly status: number;
  readonly description: string;
  /** Null if there is no body. */
  readonly type: string | null;
  readonly schema: JsonSchema | null;
  readonly headers: readonly string[];
}

export interface ApiError {
  readonly code: ErrorCode;
  readonly status: number;
  readonly sentence: string;
}

/** One request that the service accepts. Two operations can share a method and a path. */
export interface ApiOperation {
  /** Unique. The name of the operation, or one derived from the method and the path. */
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly tag: Tag;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With parameters in braces. */
  readonly path: string;
  /** The signed field that each parameter of the path sets, where it sets one. */
  readonly takes: Readonly<Record<string, string>>;
  /** `entry`: it is recorded on the ledger. `change`: it changes something else. */
  readonly effect: 'entry' | 'change' | 'none';
  readonly limit: { readonly group: LimitGroup; readonly requests: number; readonly perKey: boolean } | null;
  readonly fields: readonly ApiField[];
  /** The schema of the JSON body; null if no body is read. */
  readonly body: JsonSchema | null;
  readonly maxBodyBytes: number | null;
  /** Null if the request is not signed. */
  readonly signed: SignedMessage | null;
  readonly forInstitute: boolean;
  readonly answers: readonly ApiAnswer[];
  readonly errors: readonly ApiError[];
  /** A signed request: the members of the body, or of the query and the headers. */
  readonly example: ExampleBody | null;
}

/** The form of `details` in errors with these codes. */
export interface ApiErrorDetails {
  readonly codes: readonly ErrorCode[];
  readonly schema: JsonSchema;
}

export interface ApiModel {
  readonly operations: readonly ApiOperation[];
  /** Errors with other codes have no details. */
  readonly details: readonly ApiErrorDetails[];
  /** The shapes that several schemas refer to, by name. */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/** Everything that the API accepts and returns, from the tables of routes, operations, errors and limits. */
export function describeApi(routes: readonly Route[]): ApiModel {
  const schemas = createSchemas();
  const operations = routes.flatMap((route) => describeRoute(schemas, route));
  return { operations: withUniqueIds(operations), details: describeDetails(schemas), components: schemas.components };
}

/** Several codes can share a form. */
function describeDetails(schemas: Schemas): readonly ApiErrorDetails[] {
  const codes = Object.keys(ERROR_DETAILS) as (keyof typeof ERROR_DETAILS)[];
  const forms = new Set<z.ZodType>(codes.map((code) => ERROR_DETAILS[code]));
  return [...forms].map((form) => ({
    codes: codes.filter((code) => ERROR_DETAILS[code] === form),
    schema: schemas.of(form, 'output'),
  }));
}

function describeRoute(schemas: Schemas, route: Route): readonly ApiOperation[] {
  if (route.kind === 'operation') return route.operations.map((one) => describeOperation(schemas, route, one));
  return [route.kind === 'action' ? describeAction(schemas, route) : describeQuery(schemas, route)];
}

const common = (route: Route, operation: AnyOperation | null) => ({
  tag: tagOf(route.path),
  method: route.method,
  path: route.path.replace(/[:*](\w+)/g, '{$1}'),
  takes: route.kind === 'operation' ? route.takes : {},
  effect: effectOf(route),
  limit: route.limit && {
    group: route.limit,
    requests: LIMIT_GROUPS[route.limit].limit,
    perKey: LIMIT_GROUPS[route.limit].perKey,
  },
  errors: errorsOf(route, operation).map((code) => ({ code, status: ERRORS[code][0], sentence: ERRORS[code][1] })),
});

function effectOf(route: Route): ApiOperation['effect'] {
  if (route.kind === 'operation') return 'entry';
  return route.endpoint.changes ? 'change' : 'none';
}

/** The members of every response to an accepted operation. */
const receipt = z.object({
  transactionId: transactionId.describe('The id of the ledger entry. It is final.'),
  receipt: base64.describe('The signed entry: an ANS-104 data item.'),
});
/** Of an operation of which some uses need no entry. */
const receiptOrNone = z.object({
  transactionId: receipt.shape.transactionId.nullable(),
  receipt: receipt.shape.receipt.nullable(),
});
const salt = digest.describe('Of a sealed operation: proves what the digest on the ledger stands for.');

function describeOperation(schemas: Schemas, route: OperationRoute, operation: AnyOperation): ApiOperation {
  const { takes, limit, path } = route;
  const isSigned = operation.signer !== 'institute';
  const byField = new Map(Object.entries(takes).map(([parameter, field]) => [field, parameter]));
  const members = objectOf(operation, isSigned);
  // A field that the path contains may be repeated in the body.
  const body = schemas.of(members.partial(maskOf(members, [...byField.keys()])), 'input');
  const parameters = parametersOf(path).map((name) => {
    const field = takes[name];
    return inPath(name, field ? schemas.of(operation.fields.shape[field] as z.ZodType, 'input') : LINK_TOKEN);
  });
  const idempotencyKey: ApiField = { name: 'Idempotency-Key', in: 'header', required: false, schema: IDEMPOTENCY_KEY };
  const response = (operation.mayNeedNoEntry ? receiptOrNone : receipt).extend({
    ...(operation.sealed ? { salt: salt.optional() } : {}),
    ...operation.response.shape,
  });
  return {
    id: operation.name,
    title: operation.title,
    description: null,
    ...common(route, operation),
    fields: [...parameters, ...(isSigned ? [] : [idempotencyKey]), ...bodyFields(body)],
    body,
    maxBodyBytes: limit === 'exchange_submit' ? MAX_BATCH_BYTES : MAX_BODY_BYTES,
    signed: messageOfOperation(operation),
    forInstitute: !isSigned,
    answers: [
      answerOf(schemas, {
        status: operation.status,
        description: 'Accepted and durable.',
        type: JSON_TYPE,
        schema: response,
        headers: ['Location', SEQ_HEADER],
      }),
    ],
    example: exampleOfOperation(operation.name) ?? null,
  };
}

function describeAction(schemas: Schemas, route: ActionRoute): ApiOperation {
  const { title, description = null, signed, form, answers, path, maxBodyBytes } = route.endpoint;
  const members = 'parse' in form ? form : objectOf(form, signed !== null);
  const envelope = Object.keys(ENVELOPE.shape);
  const body = schemas.of(signed?.isOptional ? members.partial(maskOf(members, envelope)) : members, 'input');
  return {
    id: 'parse' in form ? idOf(route) : form.function,
    title,
    description,
    ...common(route, null),
    fields: [...pathFields(schemas, route.path, path), ...bodyFields(body)],
    body,
    maxBodyBytes,
    signed: signed && messageOfForm(signed, false),
    forInstitute: signed === null && !isOpen(route.endpoint),
    answers: answers.map((answer) => answerOf(schemas, answer)),
    example: (signed && exampleOfForm(signed.form)) ?? null,
  };
}

const MIN_SEQ: ApiField = {
  name: SEQ_HEADER,
  in: 'header',
  required: false,
  schema: {
    type: 'integer',
    minimum: 0,
    maximum: 999_999_999_999_999,
    description:
      'The state must contain the entry with this `seq`, which the response to a write has in the same header.',
  },
};

const IF_NONE_MATCH: ApiField = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  schema: {
    type: 'string',
    pattern: '^"[0-9a-f]{32}"$',
    description: 'The ETag of an earlier response: if it is still current, the response is 304 without a body.',
  },
};

const revalidatedAnswers = (answers: readonly DeclaredAnswer[]): readonly DeclaredAnswer[] => [
  ...answers.map((answer) => ({ ...answer, headers: [...(answer.headers ?? []), ...REVALIDATED] })),
  { status: 304, description: 'It has the ETag in If-None-Match.', type: null, schema: null, headers: REVALIDATED },
];
const REVALIDATED = ['ETag', 'Cache-Control'] as const;

function describeQuery(schemas: Schemas, route: QueryRoute): ApiOperation {
  const { title, description = null, signed, path, parameters, forInstitute, mayLag, revalidates } = route.endpoint;
  const answers = revalidates ? revalidatedAnswers(route.endpoint.answers) : route.endpoint.answers;
  const inQuery = bodyFields(schemas.of(parameters, 'input')).map((field): ApiField => ({ ...field, in: 'query' }));
  return {
    id: signed ? signed.form.function : idOf(route),
    title,
    description,
    ...common(route, null),
    fields: [
      ...pathFields(schemas, route.path, path),
      ...(signed ? signedParameters(schemas, signed.form, signed.mayBeInQuery ?? false) : []),
      ...inQuery,
      ...(mayLag ? [MIN_SEQ] : []),
      ...(revalidates ? [IF_NONE_MATCH] : []),
    ],
    body: null,
    maxBodyBytes: null,
    signed: signed && messageOfForm(signed, true),
    forInstitute,
    answers: answers.map((answer) => answerOf(schemas, answer)),
    example: (signed && exampleOfForm(signed.form)) ?? null,
  };
}

/** The members of a signed GET: in the query, or in a header, which is then the only place that is required. */
function signedParameters(schemas: Schemas, form: RequestForm, mayBeInQuery: boolean): readonly ApiField[] {
  const shape: Readonly<Record<string, z.ZodType>> = { ...form.fields.shape, ...ENVELOPE.shape };
  return Object.entries(shape).flatMap(([name, member]): ApiField[] => {
    const schema = schemas.of(member, 'input');
    const required = !member.safeParse(undefined).success;
    const header = SIGNED_HEADERS[name];
    if (header === undefined) return [{ name, in: 'query', required, schema }];
    const isField = Object.hasOwn(form.fields.shape, name);
    const both = mayBeInQuery || isField;
    return [
      { name: header, in: 'header', required: required && !both, schema },
      ...(both ? [{ name, in: 'query' as const, required: false, schema }] : []),
    ];
  });
}

/** The members of a request as one strict object. */
const objectOf = ({ fields, hints = {} }: RequestForm, isSigned: boolean): z.ZodObject =>
  z.strictObject({
    ...fields.shape,
    ...Object.fromEntries(Object.entries(hints).map(([name, hint]) => [name, hint.optional()])),
    ...(isSigned ? ENVELOPE.shape : {}),
  });

const maskOf = ({ shape }: z.ZodObject, names: readonly string[]): Record<string, true> =>
  Object.fromEntries(names.flatMap((name) => (name in shape ? [[name, true as const]] : [])));

function bodyFields(body: JsonSchema): readonly ApiField[] {
  const { properties = {}, required = [] } = body as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'body',
    required: required.includes(name),
    schema,
  }));
}

const LINK_TOKEN: JsonSchema = { type: 'string', description: 'The last part of the link.' };
const IDEMPOTENCY_KEY: JsonSchema = {
  type: 'string',
  pattern: '^[!-~]{1,255}$',
  description: 'New for each decision; a repeated request with it gets the response to the first one.',
};

const parametersOf = (path: string): readonly string[] =>
  path.split('/').flatMap((segment) => (/^[:*]/.test(segment) ? [segment.slice(1)] : []));

const pathFields = (schemas: Schemas, path: string, of: Readonly<Record<string, z.ZodType>>): readonly ApiField[] =>
  parametersOf(path).map((name) => inPath(name, schemas.of(of[name] ?? z.string(), 'input')));

const inPath = (name: string, schema: JsonSchema): ApiField => ({ name, in: 'path', required: true, schema });

const answerOf = (schemas: Schemas, { schema, headers = [], ...answer }: DeclaredAnswer): ApiAnswer => ({
  ...answer,
  headers,
  schema: schema && schemas.of(schema, 'output'),
});

/** `getBeosByBeoId` for GET /api/beos/:beoId. */
const idOf = ({ method, path }: Route): string =>
  path
    .split('/')
    .filter((segment) => segment !== '' && segment !== 'api')
    .map((segment) => (/^[:*]/.test(segment) ? `By${capital(segment.slice(1))}` : capital(segment)))
    .reduce((id, word) => id + word, method.toLowerCase());

const capital = (text: string): string =>
  text.replace(/(^|[._-])(\w)/g, (_, __, letter: string) => letter.toUpperCase());

/** An operation can have several addresses. */
function withUniqueIds(operations: readonly ApiOperation[]): readonly ApiOperation[] {
  const seen = new Map<string, number>();
  return operations.map((operation) => {
    const times = (seen.get(operation.id) ?? 0) + 1;
    seen.set(operation.id, times);
    return times === 1 ? operation : { ...operation, id: `${operation.id}_${times}` };
  });
}
