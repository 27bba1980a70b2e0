import { z } from 'zod';
import type { Language } from '../../../messages/languages.ts';
import type { ErrorCode } from '../../../protocol/errors.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { RequestForm } from '../../../protocol/signing/message.ts';
import type { Charge } from '../../write/submission.ts';
import type { Context } from '../context.ts';
import { JSON_TYPE, jsonResponse, type RestResponse } from '../http.ts';
import { MAX_BODY_BYTES } from '../json-body.ts';
import { readBody } from './parameters.ts';

/** A signed request that is not an operation: it writes no ledger entry. */
export interface SignedForm {
  readonly form: RequestForm;
  /** Whose key signs, as a phrase. */
  readonly signer: string;
  readonly isOptional?: boolean;
  /** Whether a GET may carry the signature in the query, too; a URL is logged in more places than a header. */
  readonly mayBeInQuery?: boolean;
}

/** A response that an endpoint can give besides errors. */
export interface DeclaredAnswer {
  readonly status: number;
  readonly description: string;
  /** Null if there is no body. */
  readonly type: string | null;
  readonly schema: z.ZodType | null;
  /** Headers besides those that every response may have. */
  readonly headers?: readonly ('Location' | 'ETag' | 'Cache-Control' | 'X-Perpetua-Seq')[];
}

/** What a route that is not an operation accepts and answers. The route table gives it a method, an address and a limit. */
interface EndpointBase {
  /** What it does, as the heading of its description: a verb and its object. */
  readonly title: string;
  readonly description?: string;
  /** Whether it changes something, though it writes no ledger entry. */
  readonly changes?: true;
  /** The error codes of its own rules. */
  readonly errors: readonly ErrorCode[];
  readonly answers: readonly DeclaredAnswer[];
}

export interface Query<Parameters = unknown> {
  /** The parameters in the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The parameters in the query, parsed. */
  readonly parameters: Parameters;
  /** The signed fields of a signed read, from the query and the headers. */
  readonly signed: Json;
  header(name: string): string | undefined;
  isLocal(): boolean;
  /** The client's address. */
  readonly address: string;
  readonly requestId: string;
}

export interface QueryEndpoint extends EndpointBase {
  readonly kind: 'query';
  /** A schema for each parameter in the path. */
  readonly path: Readonly<Record<string, z.ZodType>>;
  /** The query parameters; any other is refused. */
  readonly parameters: z.ZodObject;
  /** Whether the request needs an institute key. */
  readonly forInstitute: boolean;
  /** Whether it ignores parameters that it does not know, as a standard of others may require. */
  readonly ignoresOthers: boolean;
  /** Whether its response has an ETag, and If-None-Match is answered with 304. */
  readonly revalidates: boolean;
  /** Whether a standby may answer it, which can be behind by what others wrote. */
  readonly mayLag: boolean;
  /** Null for a read that anybody may make. */
  readonly signed: SignedForm | null;
  answer(context: Context, query: Query): Promise<RestResponse> | RestResponse;
}

export interface RequestMetadata {
  readonly charge: Charge | null;
  /** The parameters in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly language: Language;
  /** The client's address. */
  readonly address: string;
  readonly requestId: string;
}

export interface ActionEndpoint extends EndpointBase {
  readonly kind: 'action';
  /** A schema for each parameter in the path. */
  readonly path: Readonly<Record<string, z.ZodType>>;
  /** Null if it needs an institute key instead, or is open. */
  readonly signed: SignedForm | null;
  /** Its fields; a schema of the whole body if it is open: anybody may send it, with other members, too. */
  readonly form: RequestForm | z.ZodObject;
  readonly maxBodyBytes: number;
  answer(context: Context, body: Json, metadata: RequestMetadata): Promise<RestResponse>;
}

/** Whether anybody may send it. */
export const isOpen = (endpoint: ActionEndpoint): endpoint is ActionEndpoint & { readonly form: z.ZodObject } =>
  'parse' in endpoint.form;

type Definition<Kind, Parts extends string> = Omit<Kind, 'kind' | 'path' | 'maxBodyBytes' | Parts> & {
  readonly path?: ActionEndpoint['path'];
  readonly maxBodyBytes?: number;
};

const ACTION = { kind: 'action', path: {}, maxBodyBytes: MAX_BODY_BYTES } as const;

interface QueryDefinition<Parameters extends z.ZodObject>
  extends Omit<
    QueryEndpoint,
    | 'kind'
    | 'path'
    | 'parameters'
    | 'forInstitute'
    | 'ignoresOthers'
    | 'revalidates'
    | 'mayLag'
    | 'signed'
    | 'errors'
    | 'answers'
    | 'answer'
  > {
  readonly path?: QueryEndpoint['path'];
  readonly parameters?: Parameters;
  readonly forInstitute?: boolean;
  readonly ignoresOthers?: boolean;
  readonly revalidates?: boolean;
  readonly mayLag?: boolean;
  readonly signed?: SignedForm;
  readonly errors?: readonly ErrorCode[];
}

export const NO_PARAMETERS = z.strictObject({});

/** A read whose response is one JSON value with the status 200. */
export const jsonQuery = <Response extends z.ZodType, Parameters extends z.ZodObject = typeof NO_PARAMETERS>({
  response,
  otherAnswers = [],
  answer,
  ...rest
}: QueryDefinition<Parameters> & {
  readonly response: Response;
  /** What other clients get. */
  readonly otherAnswers?: readonly DeclaredAnswer[];
  answer(context: Context, query: Query<z.output<Parameters>>): Promise<z.output<Response>> | z.output<Response>;
}): QueryEndpoint =>
  rawQuery({
    ...rest,
    answers: [json(response), ...otherAnswers],
    answer: async (context, query: Query<z.output<Parameters>>) => jsonResponse(200, await answer(context, query)),
  });

/** A read whose response is declared by `answers`. */
export const rawQuery = <Parameters extends z.ZodObject = typeof NO_PARAMETERS>(
  definition: QueryDefinition<Parameters> & {
    readonly answers: readonly DeclaredAnswer[];
    answer(context: Context, query: Query<z.output<Parameters>>): Promise<RestResponse> | RestResponse;
  },
): QueryEndpoint => ({
  path: {},
  forInstitute: false,
  ignoresOthers: false,
  revalidates: false,
  mayLag: false,
  signed: null,
  errors: [],
  ...definition,
  kind: 'query',
  parameters: definition.parameters ?? NO_PARAMETERS,
  // The dispatcher passes what the schema of this endpoint parsed.
  answer: definition.answer as QueryEndpoint['answer'],
});

/** A signed POST that is not an operation. */
export const jsonAction = <Response extends z.ZodType>({
  response,
  answer,
  ...rest
}: Definition<ActionEndpoint, 'signed' | 'form' | 'answers' | 'answer'> & {
  readonly signed: SignedForm;
  readonly response: Response;
  answer(context: Context, body: Json, metadata: RequestMetadata): Promise<z.output<Response>>;
}): ActionEndpoint => ({
  ...ACTION,
  ...rest,
  form: rest.signed.form,
  answers: [json(response)],
  answer: async (...given) => jsonResponse(200, await answer(...given)),
});

/** A POST of the institute that is not a decision on the ledger. */
export const instituteAction = <Response extends z.ZodType>({
  response,
  answer,
  ...rest
}: Definition<ActionEndpoint, 'signed' | 'answers' | 'answer'> & {
  readonly response: Response;
  answer(context: Context, body: Json): Promise<z.output<Response>>;
}): ActionEndpoint => ({
  ...ACTION,
  ...rest,
  signed: null,
  answers: [json(response)],
  answer: async (context, body) => jsonResponse(200, await answer(context, body)),
});

/** A signed POST whose response is streamed. */
export const rawAction = (
  definition: Definition<ActionEndpoint, 'signed' | 'form'> & { readonly signed: SignedForm },
): ActionEndpoint => ({
  ...ACTION,
  ...definition,
  form: definition.signed.form,
});

/** A POST that anybody may send, with a JSON body whose other members are ignored. */
export const openAction = <Body extends z.ZodObject, Response extends z.ZodType>({
  body,
  response,
  answer,
  ...rest
}: Definition<ActionEndpoint, 'signed' | 'form' | 'answers' | 'answer'> & {
  readonly path: ActionEndpoint['path'];
  readonly body: Body;
  readonly response: Response;
  answer(context: Context, body: z.output<Body>, metadata: RequestMetadata): Promise<z.output<Response>>;
}): ActionEndpoint => ({
  ...ACTION,
  ...rest,
  signed: null,
  form: body,
  answers: [json(response)],
  answer: async (context, given, metadata) => jsonResponse(200, await answer(context, readBody(body, given), metadata)),
});

export const json = (schema: z.ZodType, status = 200, description = 'The result.'): DeclaredAnswer => ({
  status,
  description,
  type: JSON_TYPE,
  schema,
});
