import { isUtf8 } from 'node:buffer';
import { refusal } from '../../protocol/errors.ts';
import { invalidRecords } from '../../protocol/records/record.ts';
import { recordProblem } from '../../protocol/records/record-problems.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { inexactNumbers, type JsonPath } from '../../protocol/signing/exact-numbers.ts';
import type { RestRequest } from './http.ts';
import type { BodyQueue } from './limits/body-queue.ts';

export const MAX_DEPTH = 32;
/** Characters of a problem's path in a response. */
const MAX_PATH = 200;
/** Of any body except a batch of records, which may have MAX_BATCH_BYTES. */
export const MAX_BODY_BYTES = 256 * 1024;
const JSON_MEDIA_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

const COMPRESSED = 'The body must not be compressed: send it without Content-Encoding.';

export interface ReadBody {
  /** Undefined if no body was read. */
  readonly json: Json | undefined;
  /** The size of the body. */
  readonly bytes: number;
}

interface Form {
  /** The largest body. */
  readonly bytes: number;
  readonly depth: number;
  /** Whether it is a batch of records, whose numbers are refused with RECORD_INVALID. */
  readonly isBatch?: boolean;
}

/**
 * Reads a body as JSON that can be canonicalized and stored.
 * @throws UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, INVALID_JSON, or VALIDATION_FAILED for depth, NUL, lone surrogates and
 * `__proto__` keys; for numbers that would be rounded VALIDATION_FAILED or RECORD_INVALID. Protocol §5, §8.
 */
export async function readJson(
  { runQueued }: BodyQueue,
  request: RestRequest,
  form: Form,
): Promise<ReadBody & { readonly json: Json }> {
  refuseOtherTypes(request);
  return runQueued(request.address, announcedBytes(request, form.bytes), async () => {
    const bytes = await request.body(form.bytes);
    if (bytes === null) throw tooLarge(form.bytes);
    const { text, json } = parse(bytes);
    requireStorable(json, form.depth);
    requireExactNumbers(text, json, form.isBatch ?? false);
    return { json, bytes: bytes.length };
  });
}

/** @throws UNSUPPORTED_MEDIA_TYPE for a Content-Type other than JSON, and for a compressed body. */
function refuseOtherTypes(request: RestRequest): void {
  const coding = request.header('content-encoding') ?? '';
  if (coding !== '' && !/^identity$/i.test(coding)) throw refusal('UNSUPPORTED_MEDIA_TYPE', COMPRESSED);
  const type = request.header('content-type');
  if (type !== undefined && type !== '' && !JSON_MEDIA_TYPE.test(type)) throw refusal('UNSUPPORTED_MEDIA_TYPE');
}

/** The largest size the body can have; a chunked body does not announce its size. */
function announcedBytes(request: RestRequest, maxBytes: number): number {
  const announced = Number(request.header('content-length') ?? maxBytes);
  return announced <= maxBytes ? announced : maxBytes;
}

export const tooLarge = (maxBytes: number) =>
  refusal('BODY_TOO_LARGE', `The body may have at most ${maxBytes / 1024} KiB.`, { max_bytes: maxBytes });

/** @throws VALIDATION_FAILED, see `readJson` */
function requireStorable(value: Json, maxDepth: number): void {
  const problem = problemIn(value, maxDepth);
  if (!problem) return;
  const { message, names } = problem;
  const path = printable(names.reverse().join('.').slice(0, MAX_PATH));
  throw refusal('VALIDATION_FAILED', `The body is not acceptable: ${path || 'it'} ${message}.`, {
    issues: [{ path, message }],
  });
}

/** At most as many numbers are reported: a response must not be larger than its request. */
const MAX_NUMBERS = 100;

/** @throws VALIDATION_FAILED, or RECORD_INVALID if all the numbers that would be rounded are in records */
function requireExactNumbers(text: string, json: Json, isBatch: boolean): void {
  const found = inexactNumbers(text, MAX_NUMBERS).map((path) =>
    path.map((name) => (typeof name === 'string' ? printable(name) : name)),
  );
  if (found.length === 0) return;
  const message = recordProblem('inexact');
  const inRecords = found.flatMap(([list, index, ...path]) =>
    isBatch && list === 'records' && typeof index === 'number' ? [{ index, path: joined(path), message }] : [],
  );
  const records = (json as { readonly records?: Json }).records;
  if (inRecords.length === found.length && Array.isArray(records)) throw invalidRecords(inRecords, records.length);
  const issues = found.map((path) => ({ path: joined(path), message }));
  throw refusal('VALIDATION_FAILED', `The body is not acceptable: ${issues[0]?.path || 'it'} ${message}.`, { issues });
}

const joined = (path: JsonPath): string => path.join('.').slice(0, MAX_PATH);

function parse(bytes: Uint8Array): { readonly text: string; readonly json: Json } {
  if (!isUtf8(bytes)) throw refusal('INVALID_JSON');
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    return { text, json: JSON.parse(text) as Json };
  } catch {
    throw refusal('INVALID_JSON');
  }
}

interface Problem {
  readonly message: string;
  /** The path to it, innermost name first: collected on the way out, and only for a problem. */
  readonly names: string[];
}

/** `depth`: how many further levels are allowed. */
function problemIn(value: Json, depth: number): Problem | null {
  if (typeof value === 'string') return textProblem(value);
  if (value === null || typeof value !== 'object') return null;
  if (depth === 0) return { message: `is nested deeper than ${MAX_DEPTH} levels`, names: [] };
  return isList(value) ? problemInList(value, depth) : problemInObject(value, depth);
}

const isList = (value: object): value is readonly Json[] => Array.isArray(value);

function problemInList(list: readonly Json[], depth: number): Problem | null {
  for (let index = 0; index < list.length; index++) {
    const problem = problemIn(list[index] as Json, depth - 1);
    if (problem) return atPath(String(index), problem);
  }
  return null;
}

function problemInObject(object: { readonly [name: string]: Json }, depth: number): Problem | null {
  for (const name in object) {
    if (name === '__proto__') return { message: 'is not allowed as a name', names: [name] };
    const problem = textProblem(name) ?? problemIn(object[name] as Json, depth - 1);
    if (problem) return atPath(name, problem);
  }
  return null;
}

function atPath(name: string, problem: Problem): Problem {
  problem.names.push(name);
  return problem;
}

function textProblem(text: string): Problem | null {
  if (text.includes('\0')) return { message: 'contains a NUL character', names: [] };
  return text.isWellFormed() ? null : { message: 'contains half of a surrogate pair', names: [] };
}

const printable = (path: string): string => path.replaceAll('\0', '').toWellFormed();
