import type { z } from 'zod';
import { sha256 } from '#digests';
import { domainProblem } from '../domains.ts';
import type { Approver } from '../entities/proposal.ts';
import { type ErrorCode, isRefusal, type ProtocolError, refusal } from '../errors.ts';
import type { LedgerId } from '../ids.ts';
import type { AnyOperation } from '../operations.ts';
import { parseTimestamp } from '../time.ts';
import { isObject, type Json } from './canonical-json.ts';
import { isKeyHex } from './ed25519.ts';
import { ENVELOPE, ENVELOPE_FIELDS, ENVELOPE_WITH_LEDGER } from './envelope.ts';
import { messageBytes } from './message-bytes.ts';

export type JsonObject = { readonly [key: string]: Json };

export interface Issue {
  readonly path: string;
  readonly message: string;
  readonly code: ErrorCode;
}

/** A request of valid form: the signed message, and its signature. */
export interface SignedRequest {
  readonly fields: Readonly<Record<string, Json>>;
  /** Fields that are sent but not signed. */
  readonly hints: Readonly<Record<string, Json>>;
  readonly message: JsonObject;
  readonly nonce: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly signature: string;
}

/** The parts of an operation that the form of a request is checked against. */
export type RequestForm = Pick<AnyOperation, 'function' | 'fields' | 'hints' | 'introduces'>;

/** The rules of the ledger that apply to every request. */
export interface LedgerRules {
  readonly suffix: string;
  readonly ledgerId: LedgerId;
  /** Whether every signed request must name the ledger. */
  readonly ledgerIdRequired: boolean;
}

/** Limit of reported issues: a response must not be larger than its request. */
const MAX_ISSUES = 20;

/**
 * Checks the form of a signed request and that it is for this ledger, and returns the signed fields exactly as they were sent.
 * Does not check time, state or signature. Protocol §1.
 * @throws {ProtocolError} VALIDATION_FAILED with every issue, the code of the first issue if all have their own, or WRONG_LEDGER
 */
export function readSignedRequest(operation: RequestForm, body: Json, ledger: LedgerRules): SignedRequest {
  const { fields, hints } = readSignedFields(operation, body, ledger);
  const { ledgerId, nonce, timestamp, signature } = body as {
    ledgerId?: string;
    nonce: string;
    timestamp: string;
    signature: string;
  };
  if (ledgerId !== undefined && ledgerId.toLowerCase() !== ledger.ledgerId) {
    throw refusal('WRONG_LEDGER', undefined, { ledger_id: ledger.ledgerId });
  }
  const message = { function: operation.function, ...fields, nonce, timestamp };
  return {
    fields,
    hints,
    message: ledgerId === undefined ? message : { ...message, ledgerId },
    nonce,
    timestamp: parseTimestamp(timestamp) ?? Number.NaN,
    signature,
  };
}

function readSignedFields(operation: RequestForm, body: Json, ledger: LedgerRules) {
  try {
    return readFields(operation, body, ledger.suffix, (envelope) => envelopeIssues(envelope, ledger));
  } catch (error) {
    // INVALID_SIGNATURE here means that only the signature is malformed, so the message can be reported.
    const { signature: _, ...signed } = isObject(body) ? body : {};
    const names = Object.keys(signed).filter((name) => !Object.hasOwn(operation.hints ?? {}, name));
    const fields = Object.fromEntries(names.map((name) => [name, signed[name] as Json]));
    throw withMessageDigest(error, { function: operation.function, ...fields });
  }
}

/**
 * Adds the SHA-256 of the canonical message to INVALID_SIGNATURE, so that a client can check whether it signed another one
 * (protocol §1). Returns every other error unchanged.
 */
export function withMessageDigest(error: unknown, message: JsonObject): unknown {
  if (!isRefusal(error) || error.code !== 'INVALID_SIGNATURE') return error;
  return refusal(error.code, error.message, {
    ...error.details,
    message_sha256: sha256(messageBytes(message)),
  });
}

/** Whether a request whose signature is optional has any envelope field; then the whole envelope is checked. */
export const isSigned = (body: Json): boolean =>
  isObject(body) && [...ENVELOPE_NAMES].some((name) => body[name] !== undefined && body[name] !== null);

/** Like readSignedRequest, for a request without a signature. */
export const readUnsignedRequest = (form: RequestForm, body: Json, suffix: string): Pick<SignedRequest, 'fields'> =>
  readFields(form, body, suffix, () => []);

/**
 * Like readSignedRequest, for a request of the institute. It has no signature; the message on the ledger names the institute key
 * by number. Protocol §3, §4.
 */
export function readInstituteRequest(
  operation: AnyOperation,
  body: Json,
  approver: Approver,
): Pick<SignedRequest, 'fields' | 'message'> {
  const { fields } = readFields(operation, body, '', (envelope) =>
    [...ENVELOPE_NAMES].filter((name) => envelope[name] !== undefined).map(unknownField),
  );
  return { fields, message: { function: operation.function, ...fields, approver } };
}

function readFields(
  operation: RequestForm,
  body: Json,
  suffix: string,
  envelopeIssues: (body: JsonObject) => readonly Issue[],
): Pick<SignedRequest, 'fields' | 'hints'> {
  if (!isObject(body)) throw refusal('VALIDATION_FAILED', 'The body must be a JSON object.', { issues: [] });
  const hintSchemas = operation.hints ?? {};
  const fields: Record<string, Json> = {};
  const hints: Record<string, Json> = {};
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(body)) {
    if (ENVELOPE_NAMES.has(key)) continue;
    if (Object.hasOwn(operation.fields.shape, key)) fields[key] = value;
    else if (Object.hasOwn(hintSchemas, key)) hints[key] = value;
    else unknown.push(key);
  }
  const issues = [
    ...unknown.map(unknownField),
    ...schemaIssues(operation.fields, fields),
    ...Object.entries(hints).flatMap(([key, value]) => schemaIssues(hintSchemas[key] as z.ZodType, value, key)),
    ...envelopeIssues(body),
  ];
  if (issues.length > 0) throw shapeError(issues);
  const problem = introducedProblem(operation, fields, suffix);
  if (problem) throw problem;
  return { fields, hints };
}

/** The value at a path of member names joined by dots. */
export const valueAt = (fields: JsonObject, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>(
      (value, name) => (value !== undefined && isObject(value) ? value[name] : undefined),
      fields,
    );

const ENVELOPE_NAMES: ReadonlySet<string> = new Set(ENVELOPE_FIELDS);

const unknownField = (path: string): Issue => ({
  path,
  message: 'is not a field of this operation',
  code: 'VALIDATION_FAILED',
});

function schemaIssues(schema: z.ZodType, value: unknown, root = ''): Issue[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.map((issue) => ({
    path: [...(root ? [root] : []), ...issue.path].join('.'),
    message: issue.message,
    code: issue.code === 'custom' ? ((issue.params?.code as ErrorCode) ?? 'VALIDATION_FAILED') : 'VALIDATION_FAILED',
  }));
}

const envelopeIssues = (
  { ledgerId, nonce, timestamp, signature }: JsonObject,
  { ledgerIdRequired }: LedgerRules,
): Issue[] =>
  schemaIssues(ledgerIdRequired ? ENVELOPE_WITH_LEDGER : ENVELOPE, { ledgerId, nonce, timestamp, signature });

function shapeError(issues: readonly Issue[]): ProtocolError {
  const first = issues.find(({ code }) => code === 'VALIDATION_FAILED') ?? issues[0];
  const details = {
    issues: issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({ path: path.slice(0, 200), message })),
  };
  if (!first || first.code === 'VALIDATION_FAILED') {
    const where = first ? `: ${first.path.slice(0, 200) || 'the body'} ${first.message}` : '';
    return refusal('VALIDATION_FAILED', `The request does not have the form this operation needs${where}.`, details);
  }
  return refusal(first.code, undefined, details);
}

function introducedProblem(operation: RequestForm, fields: JsonObject, suffix: string): ProtocolError | null {
  const { keys = [], domains = [] } = operation.introduces?.(fields) ?? {};
  if (!keys.every(isKeyHex)) return refusal('PUBLIC_KEY_INVALID');
  for (const domain of domains) {
    const problem = domainProblem(domain, suffix);
    if (problem) return problem;
  }
  return null;
}
