import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { describedApi } from '../../../server/http/openapi/described.ts';
import { exampleRequest } from './example-request.ts';
import { typescriptOf } from './typescript.ts';

test('the TypeScript snippets of all requests have the types of the client', () => {
  const { operations } = describedApi();
  const folder = resolve('.build', `snippets-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const files = operations.map((operation) => {
    const file = `${operation.id}.ts`;
    writeFileSync(
      join(folder, file),
      typescriptOf(operation, exampleRequest(operation, operations), 'http://localhost'),
    );
    return file;
  });
  const paths = { '@perpetua/client': [resolve('client/index.ts')] };
  const compilerOptions = { moduleDetection: 'force', types: ['node'], paths, plugins: [] };
  const settings = { extends: resolve('tsconfig.json'), compilerOptions, files, include: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const { stdout, error } = spawnSync(resolve('node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect([stdout, error]).toEqual(['', undefined]);
});
