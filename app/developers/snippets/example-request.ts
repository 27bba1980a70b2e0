import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { ApiOperation } from '../../../server/http/openapi/model.ts';

type Members = Readonly<Record<string, Json>>;

/** One example of a request, as the snippets of every language send it. */
export interface ExampleRequest {
  /** With values in place of the parameters. */
  readonly path: string;
  /** These values, not encoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Of a signed request: the signed fields, without the envelope. */
  readonly fields: Members;
  /** Sent, but not signed. */
  readonly hints: Members;
  /** The query parameters that need no signature. */
  readonly query: Readonly<Record<string, string>>;
  /** The members of the signed example, as they are sent. */
  readonly sent: Members;
}

const ENVELOPE = ['ledgerId', 'nonce', 'timestamp', 'signature'];

/** A parameter as it stands in a path. Only the index of a tile has slashes of its own, which are not encoded. */
export const encodedInPath = (name: string, value: string): string =>
  (name === 'tileIndex' ? value.split('/') : [value]).map(encodeURIComponent).join('/');

/** Values that no example contains. The placeholders are words, so that nobody takes them for real. */
const PLACEHOLDERS: Readonly<Record<string, Json>> = {
  token: 'THE-TOKEN-OF-THE-LINK',
  id: 'THE-TRANSACTION-ID',
  tileLevel: 'entries',
  tileIndex: '000.p/1',
  name: 'Lab',
  eventId: 'THE-EVENT-ID',
  recipient: 'Dr Rivera',
  ticket: 'THE-TICKET-OF-THE-FILE',
  at: '2026-01-31T12:00:00.000Z',
  from: '2026-01-30T12:00:00.000Z',
  until: '2026-01-31T12:00:00.000Z',
};
/** Parameters of paths that have another name in the body. */
const SAME_AS: Readonly<Record<string, string>> = { beo_domain: 'beoId' };

/** Makes the example of an operation; `all` gives the values of parameters that its own example does not have. */
export function exampleRequest(operation: ApiOperation, all: readonly ApiOperation[]): ExampleRequest {
  const sent = operation.example ?? unsignedExample(operation, all);
  const names = Object.keys(sent).filter((name) => !ENVELOPE.includes(name));
  const isHint = (name: string) => operation.signed?.unsigned.includes(name) ?? false;
  const inPath = operation.fields.filter((field) => field.in === 'path');
  const parameters = Object.fromEntries(
    inPath.map(({ name }) => [name, String(exampleOf(operation.takes[name] ?? name, sent, operation, all))]),
  );
  const required = operation.fields.filter((field) => field.in === 'query' && field.required && !(field.name in sent));
  return {
    path: operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodedInPath(name, parameters[name] ?? '')),
    parameters,
    fields: pick(
      sent,
      names.filter((name) => !isHint(name)),
    ),
    hints: pick(sent, names.filter(isHint)),
    query: Object.fromEntries(required.map(({ name }) => [name, String(PLACEHOLDERS[name])])),
    sent,
  };
}

/** The required fields of a signed request without an example; nothing for a request without a body. */
function unsignedExample(operation: ApiOperation, all: readonly ApiOperation[]): Members {
  if (operation.body === null) return {};
  const fields = operation.fields.filter(({ in: place, required }) => place === 'body' && required);
  const own = fields.filter(({ name }) => !ENVELOPE.includes(name));
  return Object.fromEntries(own.map(({ name }) => [name, exampleOf(name, {}, operation, all)]));
}

function exampleOf(name: string, own: Members, { tag }: ApiOperation, all: readonly ApiOperation[]): Json {
  const searched = SAME_AS[name] ?? name;
  const sameTag = all.filter((other) => other.tag === tag);
  const examples = [own, ...[...sameTag, ...all].map(({ example }) => example ?? {})];
  const found = examples.find((example) => searched in example)?.[searched];
  return PLACEHOLDERS[name] ?? found ?? name.toUpperCase();
}

const pick = (members: Members, names: readonly string[]): Members =>
  Object.fromEntries(names.flatMap((name) => (name in members ? [[name, members[name] as Json]] : [])));

/** The field that contains the key that signs; null if it is the key of an entity. */
export const keyField = ({ signed }: ApiOperation): string | null =>
  /^(?:the key in )?(publicKey|newPublicKey)$/.exec(signed?.signer ?? '')?.[1] ?? null;

/** Operations with several addresses have the same name. */
export const nameOf = ({ id }: ApiOperation): string => id.replace(/_\d+$/, '');

/** Whether the request is recorded on the ledger. */
export const isWrite = ({ effect }: ApiOperation): boolean => effect === 'entry';
