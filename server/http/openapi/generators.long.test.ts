import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDocument } from './test-document.ts';

const folder = resolve('.build', `generators-${process.pid}`);
const GENERATOR = 'node_modules/perpetua-generators/node_modules/.bin/openapi-typescript';

/** Uses the types as an integrator does. Each line below an `@ts-expect-error` must be an error. */
const CONSUMER = `
import type { components, operations } from './api.ts';

type Body<Name extends 'createBEO' | 'submitRecords'> = operations[Name]['requestBody']['content']['application/json'];
type Answer<Name extends keyof operations, Status extends keyof operations[Name]['responses']> =
  operations[Name]['responses'][Status] extends { content: { 'application/json': infer Value } } ? Value : never;

const signed = { nonce: 'n', timestamp: '2026-01-31T12:00:00.000Z', signature: 's' };

export const creation: Body<'createBEO'> = { domain: 'maria.bsp', publicKey: 'ab', recovery: null, ...signed };
// @ts-expect-error the key is missing
export const withoutKey: Body<'createBEO'> = { domain: 'maria.bsp', recovery: null, ...signed };
// @ts-expect-error undefined is not absent
export const undefinedLedger: Body<'createBEO'> = { ...creation, ledgerId: undefined };

const record: components['schemas']['SubmittedRecord'] = {
  biomarker: 'BSP-CV-001',
  value: 5.2,
  unit: 'mmol/L',
  collected_at: null,
};
export const submission: Body<'submitRecords'> = { targetBeo: 'maria.bsp', consentToken: 't', records: [record], ...signed };
// @ts-expect-error a value is not a boolean
export const wrongValue: Body<'submitRecords'> = { ...submission, records: [{ ...record, value: true }] };
// @ts-expect-error collected_at is a text
export const wrongTime: Body<'submitRecords'> = { ...submission, records: [{ ...record, collected_at: 1 }] };

export const filter: operations['readRecords']['parameters']['query'] = { targetBeo: 'maria.bsp', categories: ['BSP-CV'] };
// @ts-expect-error no such category
export const wrongFilter: operations['readRecords']['parameters']['query'] = { ...filter, categories: ['BSP-XX'] };

export const created = ({ beo_id, beo, salt }: Answer<'createBEO', 201>): [string, string | null, string | undefined] =>
  [beo_id, beo.domain, salt];
export const submitted = ({ record_ids }: Answer<'submitRecords', 201>): string[] => record_ids;
export const read = ({ records, total }: Answer<'readRecords', 200>): [string, number][] =>
  records.map(({ biomarker }) => [biomarker, total]);
// @ts-expect-error a count is not a text
export const wrongTotal = ({ total }: Answer<'readRecords', 200>): string => total;

export const detail = ({ error, code, details }: Answer<'submitRecords', 422>): [string, string, unknown] =>
  [error, code, details?.['issues']];
export const error: components['schemas']['Error'] = {
  error: 'It is locked.',
  code: 'ALREADY_LOCKED',
  details: { locked_at: '2026-01-31T12:00:00.000Z' },
  request_id: 'r',
};
// Of each, a text is read: if it were unknown, the wrong lines would be errors for that reason.
export const texts: string[] = [creation.domain, submission.consentToken, record.unit, filter.targetBeo, error.code];
// @ts-expect-error no such code
export const wrongError: components['schemas']['Error'] = { ...error, code: 'NO_SUCH_CODE' };
`;

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program; returns what it reported of errors. */
const run = (program: string, ...args: string[]): string => {
  const { status, stdout, stderr, error } = spawnSync(resolve(program), args, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? '' : `${error ?? ''}${stdout}${stderr}`;
};

test('the types that openapi-typescript makes of the document compile, and reject what the API does', () => {
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(testDocument()));
  expect(run(GENERATOR, 'openapi.json', '--output', 'api.ts')).toBe('');
  writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
  const settings = {
    extends: resolve('tsconfig.json'),
    compilerOptions: { types: [], plugins: [], incremental: false, tsBuildInfoFile: null, skipLibCheck: false },
    files: ['api.ts', 'consumer.ts'],
    include: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  expect(run('node_modules/.bin/tsc', '-p', '.')).toBe('');
});
