import fc from 'fast-check';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { signedFields } from '../../platform/crypto/signed-request.ts';
import { freshDomain, type Person } from '../../testing/test-service.ts';
import type { ApiField, ApiOperation } from './model.ts';
import type { SignedMessage } from './signed-message.ts';
import { arbitraryOf } from './test-arbitrary.ts';

const ENVELOPE = ['signature', 'nonce', 'timestamp', 'ledgerId'];

export type Values = Record<string, unknown>;

/** Entities that exist, by the names of the fields that refer to them, and the keys of two of them. */
export interface KnownEntities {
  readonly values: Values;
  readonly holder: Person;
  readonly institution: Person;
}

/** The members of a request, by their place. */
export interface Draft {
  readonly path: Values;
  readonly query: Values;
  readonly header: Values;
  readonly body: unknown;
}

export const namesIn = ({ fields }: ApiOperation, place: ApiField['in']): readonly ApiField[] =>
  fields.filter((field) => field.in === place);

const membersOf = (fields: readonly ApiField[]): fc.Arbitrary<Values> =>
  fc.record(Object.fromEntries(fields.map(({ name, schema }) => [name, arbitraryOf(schema)])), {
    requiredKeys: fields.filter(({ required }) => required).map(({ name }) => name),
  });

/** Requests that the document accepts. */
export const draftOf = (operation: ApiOperation): fc.Arbitrary<Draft> =>
  fc.record({
    path: membersOf(namesIn(operation, 'path')),
    query: membersOf(namesIn(operation, 'query')),
    header: membersOf(namesIn(operation, 'header')),
    body: operation.body ? arbitraryOf(operation.body) : fc.constant(null),
  });

/**
 * Replaces ids by those of existing entities, and signs, so that a request gets further than its form.
 * @param alter changes the members of a body before they are signed
 */
export function realized(
  operation: ApiOperation,
  { path, query, header, body }: Draft,
  known: KnownEntities,
  alter: (members: Values) => Values = (members) => members,
): Draft {
  const replaced = { path: replace(path, known), query: replace(query, known), header, body };
  if (!operation.signed) return replaced;
  if (operation.body === null) return signedRead(operation.signed, replaced, known);
  if (!isObject(body)) return replaced;
  const { signer } = operation.signed;
  const named: Values = { ...replace(body, known), ...samePathFields(operation, replaced.path) };
  if ('domain' in named) named.domain = freshDomain();
  if (signer.startsWith('the key in')) named.publicKey = signerOf(operation.signed, known).publicKey;
  return { ...replaced, body: signedBody(operation.signed, alter(named), known) };
}

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a body with a new envelope. */
export function signedBody(message: SignedMessage, members: Values, known: KnownEntities): Values {
  const isHint = (name: string) => message.unsigned.includes(name);
  const given = Object.entries(members).filter(([name]) => !ENVELOPE.includes(name));
  const fields = Object.fromEntries(given.filter(([name]) => !isHint(name))) as Record<string, Json>;
  const hints = Object.fromEntries(given.filter(([name]) => isHint(name)));
  return { ...signedFields(message.function, fields, signerOf(message, known).privateKey), ...hints };
}

const replace = (values: Values, known: KnownEntities): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, known.values[name] ?? value]));

const signerOf = ({ signer }: SignedMessage, known: KnownEntities): Person =>
  signer.includes('institution') ? known.institution : known.holder;

/**
 * A signed GET: the fields stay in the query or in their headers, and the envelope is in headers. The document requires no
 * field that has two places in either, so a field that the draft has in neither is that of an existing entity.
 */
function signedRead(message: SignedMessage, { path, query, header }: Draft, known: KnownEntities): Draft {
  const memberOf = new Map(Object.entries(message.headers).map(([member, name]) => [name, member]));
  const inHeaders = Object.entries(header).map(([name, value]) => [memberOf.get(name) ?? name, value]);
  const given = { ...known.values, ...query, ...replace(Object.fromEntries(inHeaders), known) };
  const isField = ([name]: [string, unknown]) => message.members.includes(name) && !ENVELOPE.includes(name);
  const fields = Object.fromEntries(Object.entries(given).filter(isField)) as Record<string, Json>;
  const sent = Object.entries(signedFields(message.function, fields, signerOf(message, known).privateKey));
  const filters = Object.entries(query).filter(([name]) => !message.members.includes(name) && name !== 'signature');
  return {
    path,
    query: Object.fromEntries([...filters, ...sent.filter(([member]) => !(member in message.headers))]),
    header: Object.fromEntries(
      sent.flatMap(([member, value]) => (message.headers[member] ? [[message.headers[member], value]] : [])),
    ),
    body: null,
  };
}

/** The signed fields that the path contains. */
const samePathFields = ({ takes }: ApiOperation, values: Values): Values =>
  Object.fromEntries(Object.entries(takes).map(([parameter, field]) => [field, values[parameter]]));

/** A value in a path, a query or a header. */
export const asText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

/** A draft as it is sent. */
export interface RenderedRequest {
  readonly method: ApiOperation['method'];
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** Null if none is sent. */
  readonly body: unknown;
}

export function rendered(
  { method, path: template, forInstitute }: ApiOperation,
  { path, query, header, body }: Draft,
  instituteKey: string,
): RenderedRequest {
  const headers = Object.entries(header).map(([name, value]): [string, string] => [
    name,
    asText(value).replace(/[^!-~]/g, '?'),
  ]);
  return {
    method,
    path: template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(path[name]).toWellFormed())),
    query: Object.entries(query).map(([name, value]) => [name, asText(value)] as const),
    headers: {
      accept: 'application/json',
      ...(forInstitute ? { 'x-institute-key': instituteKey } : {}),
      ...Object.fromEntries(headers),
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    body: method === 'GET' ? null : body,
  };
}
