import { isUtf8 } from 'node:buffer';
import type { Json } from '../../protocol/canonical-json.ts';
import { refusal } from '../../protocol/errors.ts';
import type { RestRequest } from './http.ts';

export const MAX_DEPTH = 32;
/** Of a body; of a batch of records, `MAX_BATCH_BYTES`. */
export const MAX_BODY_BYTES = 256 * 1024;
export const MAX_BATCH_BYTES = 1024 * 1024;
const JSON_MEDIA_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/**
 * Reads a body as JSON that everything behind it can carry.
 * @throws UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, INVALID_JSON, or VALIDATION_FAILED for depth, NUL, lone surrogates,
 * `__proto__` keys and numbers beyond a double. Protocol §5.
 */
export async function readJson(request: RestRequest, maxBytes: number): Promise<Json> {
  const type = request.header('content-type');
  if (type !== undefined && type !== '' && !JSON_MEDIA_TYPE.test(type)) throw refusal('UNSUPPORTED_MEDIA_TYPE');
  const bytes = await request.body(maxBytes);
  if (bytes === null) throw tooLarge(maxBytes);
  return carriable(parse(bytes));
}

export const tooLarge = (maxBytes: number) =>
  refusal('BODY_TOO_LARGE', `The body may have at most ${maxBytes / 1024} KiB.`, { max_bytes: maxBytes });

/** The same value, if everything behind it can carry it. @throws VALIDATION_FAILED for what `readJson` refuses it for. */
export function carriable(value: Json): Json {
  const problem = uncarriable(value, '', 1);
  if (!problem) return value;
  throw refusal('VALIDATION_FAILED', `The body cannot be taken: ${problem.path || 'it'} ${problem.message}.`, {
    issues: [problem],
  });
}

function parse(bytes: Uint8Array): Json {
  if (!isUtf8(bytes)) throw refusal('INVALID_JSON');
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as Json;
  } catch {
    throw refusal('INVALID_JSON');
  }
}

interface Problem {
  readonly path: string;
  readonly message: string;
}

function uncarriable(value: Json, path: string, depth: number): Problem | null {
  if (typeof value === 'string') return textProblem(value, path);
  if (typeof value === 'number') return Number.isFinite(value) ? null : { path, message: 'is too large a number' };
  if (value === null || typeof value !== 'object') return null;
  if (depth > MAX_DEPTH) return { path: '', message: `is nested deeper than ${MAX_DEPTH} levels` };
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__')
      return { path: `${path}.__proto__`.replace(/^\./, ''), message: 'is not allowed as a name' };
    const here = path ? `${path}.${key}` : key;
    const problem = textProblem(key, path) ?? uncarriable(member as Json, here, depth + 1);
    if (problem) return problem;
  }
  return null;
}

function textProblem(text: string, path: string): Problem | null {
  if (text.includes('\0')) return { path: printable(path), message: 'contains a NUL character' };
  return text.isWellFormed() ? null : { path: printable(path), message: 'contains half of a surrogate pair' };
}

const printable = (path: string): string => path.replaceAll('\0', '').toWellFormed();
