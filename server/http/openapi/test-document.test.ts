import { expect, test } from 'vitest';
import { checkAnswer } from './test-document.ts';

type Headers = Readonly<Record<string, string>>;

const ID = { 'x-request-id': '1' };
const JSON_HEADERS = { ...ID, 'content-type': 'application/json; charset=utf-8' };
const DOCUMENT = { ...JSON_HEADERS, etag: '"1"', 'cache-control': 'public' };

const check = (method: string, path: string, status: number, headers: Headers, body: unknown): void =>
  checkAnswer(method, path, { status, header: (name) => headers[name], text: JSON.stringify(body) });

const error = (code: string, details?: object) => ({ error: 'A sentence.', code, request_id: '1', details });

test.each<[string, Parameters<typeof check>]>([
  ['a document', ['GET', '/api/openapi.json', 200, DOCUMENT, { openapi: '3.1.1' }]],
  ['an error', ['GET', '/api/beos/x', 404, JSON_HEADERS, error('BEO_NOT_FOUND')]],
  [
    'an error with details',
    ['GET', '/api/beos/x', 400, JSON_HEADERS, error('VALIDATION_FAILED', { issues: [{ path: 'a', message: 'b' }] })],
  ],
  [
    'a limit',
    [
      'GET',
      '/api/beos/x',
      429,
      { ...JSON_HEADERS, 'retry-after': '1', ratelimit: '1' },
      error('RATE_LIMITED', { retry_after_seconds: 1 }),
    ],
  ],
])('accepts %s as the document has it', (_, answer) => {
  expect(() => check(...answer)).not.toThrow();
});

test.each<[string, Parameters<typeof check>]>([
  [
    'x-request-id is missing',
    ['GET', '/api/openapi.json', 200, { ...DOCUMENT, 'x-request-id': '' }, { openapi: '3.1.1' }],
  ],
  ['ETag is missing', ['GET', '/api/openapi.json', 200, JSON_HEADERS, { openapi: '3.1.1' }]],
  ['ETag is not documented', ['GET', '/health', 200, { ...JSON_HEADERS, etag: '"1"' }, {}]],
  ['Location is not documented', ['GET', '/health', 200, { ...JSON_HEADERS, location: '/' }, {}]],
  ['Location is missing', ['POST', '/api/relayer/beo', 201, JSON_HEADERS, {}]],
  ['Retry-After is missing', ['GET', '/api/beos/x', 429, JSON_HEADERS, error('RATE_LIMITED')]],
  [
    'Retry-After is not documented',
    ['GET', '/api/beos/x', 404, { ...JSON_HEADERS, 'retry-after': '1' }, error('BEO_NOT_FOUND')],
  ],
  ['RateLimit is not documented', ['GET', '/health', 200, { ...JSON_HEADERS, ratelimit: '1' }, {}]],
  ['no such status', ['GET', '/health', 201, JSON_HEADERS, {}]],
  ['no body of the type text/plain', ['GET', '/api/beos/x', 404, { ...ID, 'content-type': 'text/plain' }, 'x']],
  ['BEO_NOT_FOUND has no details', ['GET', '/api/beos/x', 404, JSON_HEADERS, error('BEO_NOT_FOUND', { a: 1 })]],
  [
    'must NOT have additional properties',
    ['GET', '/api/beos/x', 404, JSON_HEADERS, { ...error('BEO_NOT_FOUND'), more: 1 }],
  ],
  ['must be equal to one of the allowed values', ['GET', '/api/beos/x', 404, JSON_HEADERS, error('TOKEN_NOT_FOUND')]],
  ["must have required property 'issues'", ['GET', '/api/beos/x', 400, JSON_HEADERS, error('VALIDATION_FAILED', {})]],
])('refuses an answer: %s', (problem, answer) => {
  expect(() => check(...answer)).toThrow(problem);
});
