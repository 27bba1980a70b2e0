import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../protocol/errors.ts';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import type { Answer } from '../../testing/test-service.ts';

/** Fails unless the response is this error in the documented format. Protocol §5. */
export function expectRefusal({ status, headers, body }: Answer, code: ErrorCode): void {
  expect([body.code, status]).toEqual([code, ERRORS[code][0]]);
  expect(Object.keys(body)).toEqual(['error', 'code', ...('details' in body ? ['details'] : []), 'request_id']);
  expect(body.error).toMatch(/^\p{Lu}.*\.$/u);
  expect(body.request_id).toBe(headers.get('x-request-id'));
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
}

/** Any hex SHA-256. */
export const A_DIGEST: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);

/** Hex SHA-256 of the canonical message of a signed body. */
export function messageDigest(
  functionName: string,
  { signature: _, ...signed }: Readonly<Record<string, Json>>,
): string {
  return createHash('sha256')
    .update(canonicalJson({ function: functionName, ...signed }))
    .digest('hex');
}
