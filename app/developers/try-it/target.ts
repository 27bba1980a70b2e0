import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { ApiField, ApiOperation } from '../../../server/http/openapi/model.ts';
import { type ExampleRequest, keyField } from '../snippets/example-request.ts';

export type Members = Readonly<Record<string, Json>>;

/** A value in the path or the query, or in a header of a signed GET. */
export interface TryParameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string | null;
  /** Null if it is not one of a few values. */
  readonly options: readonly string[] | null;
  /** The value of the example; empty if it has none. */
  readonly example: string;
}

/** What the form needs of a request. */
export interface TryTarget {
  readonly method: ApiOperation['method'];
  /** With parameters in braces. */
  readonly path: string;
  /** The member of the body that each parameter of the path repeats. */
  readonly takes: Readonly<Record<string, string>>;
  readonly effect: ApiOperation['effect'];
  readonly forInstitute: boolean;
  /** Null if the request is not signed. */
  readonly signed: {
    readonly function: string;
    readonly members: readonly string[];
    readonly unsigned: readonly string[];
    /** The header of each member of a GET that does not travel in the query. */
    readonly headers: Readonly<Record<string, string>>;
    /** The member that contains the key that signs; null if it is the key of an entity. */
    readonly keyField: string | null;
  } | null;
  /** The members of the example's JSON body, without the envelope; null if no body is read. */
  readonly body: Members | null;
  readonly parameters: readonly TryParameter[];
}

const ENVELOPE = ['ledgerId', 'nonce', 'timestamp', 'signature'];

/** The form of an operation, filled in with its example. */
export function tryTarget(operation: ApiOperation, example: ExampleRequest): TryTarget {
  const { method, path, takes, effect, forInstitute, signed, body } = operation;
  return {
    method,
    path,
    takes,
    effect,
    forInstitute,
    signed: signed && {
      function: signed.function,
      members: signed.members,
      unsigned: signed.unsigned,
      headers: signed.headers,
      keyField: keyField(operation),
    },
    body: body && { ...example.fields, ...example.hints },
    parameters: parametersOf(operation, example),
  };
}

function parametersOf({ fields, takes, signed, body }: ApiOperation, example: ExampleRequest): readonly TryParameter[] {
  const memberOf = new Map(Object.entries(signed?.headers ?? {}).map(([member, header]) => [header, member]));
  const values = { ...(body ? {} : example.fields), ...example.query, ...example.parameters };
  const given = fields.flatMap((field): TryParameter[] => {
    const name = memberOf.get(field.name) ?? field.name;
    // The key of the institute's decisions is for programs that repeat them.
    if (field.in === 'body' || (field.in === 'header' && !memberOf.has(field.name))) return [];
    if (ENVELOPE.includes(name) || name in takes) return [];
    return [
      { ...parameterOf(field), name, example: String(values[name] ?? ''), required: field.required || name in values },
    ];
  });
  return given.filter(({ name }, index) => index === given.findIndex((other) => other.name === name));
}

const parameterOf = ({ schema: { description, enum: options } }: ApiField) => ({
  description: typeof description === 'string' ? description : null,
  options: Array.isArray(options) ? options.map(String) : null,
});
