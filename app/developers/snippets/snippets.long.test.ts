import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensurePython } from '../../../.ci/python.mjs';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { describedApi } from '../../../server/http/openapi/described.ts';
import { type SigningKey, signedFields, signingKeyOf } from '../../../server/platform/crypto/signed-request.ts';
import { freshDomain, startTestService, type TestService } from '../../../server/testing/test-service.ts';
import { curlOf } from './curl.ts';
import { exampleRequest } from './example-request.ts';
import { pythonOf } from './python.ts';
import { typescriptOf } from './typescript.ts';

const LANGUAGES = { curl: curlOf, TypeScript: typescriptOf, Python: pythonOf };
type Language = keyof typeof LANGUAGES;
const NAMES = Object.keys(LANGUAGES) as Language[];

const { operations } = describedApi();
const directory = mkdtempSync(join(tmpdir(), 'perpetua-snippets-'));
const [HOLDER_SEED, INSTITUTION_SEED] = ['a1'.repeat(32), 'b2'.repeat(32)];
const [holder, institution] = [signingKeyOf(HOLDER_SEED), signingKeyOf(INSTITUTION_SEED)];
let python: string;
let service: TestService;
let ledgerId: string;
let beoId: string;
let ieoId: string;
/** A consent for each language. */
let tokens: readonly string[];

const CATEGORIES = ['BSP-CV', 'BSP-GL', 'BSP-HM', 'BSP-IM', 'BSP-ME', 'BSP-RN'];
const scopeWith = (category: string | undefined) => ({ intents: ['READ_RECORDS'], categories: [category ?? ''] });

const post = async (key: SigningKey, path: string, name: string, fields: Record<string, Json>) => {
  const { status, body } = await service.post(path, signedFields(name, { ...fields, ledgerId }, key.privateKey));
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};

beforeAll(async () => {
  const { path, advice } = ensurePython();
  if (path === null) throw new Error(advice);
  python = path;
  await build({
    input: resolve('client/index.ts'),
    platform: 'node',
    logLevel: 'silent',
    output: { file: join(directory, 'node_modules/@perpetua/client/index.js'), format: 'esm' },
  });
  writeFileSync(
    join(directory, 'node_modules/@perpetua/client/package.json'),
    JSON.stringify({ name: '@perpetua/client', type: 'module', exports: './index.js' }),
  );
  service = await startTestService({ LEDGER_ID_REQUIRED: 'true' });
  ledgerId = (await service.get('/api/ledger')).body.ledger_id;
  const person = { domain: freshDomain(), publicKey: holder.publicKey, recovery: null };
  beoId = (await post(holder, '/api/relayer/beo', 'createBEO', person)).beo_id;
  const lab = { domain: freshDomain(), ieoType: 'LAB', displayName: 'Lab', publicKey: institution.publicKey };
  ieoId = (await post(institution, '/api/ieo', 'createIEO', lab)).ieo_id;
  const granted = [];
  for (const category of CATEGORIES.slice(0, NAMES.length)) {
    const consent = { beoId, ieoId, scope: scopeWith(category), expiresInDays: 30 };
    granted.push(await post(holder, '/api/relayer/consent', 'grantConsent', consent));
  }
  tokens = granted.map(({ token }) => token.token_id);
});

afterAll(async () => {
  await service?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The snippet of an operation with other fields than those of its example; signed now, for curl. */
function snippetOf(language: Language, id: string, key: SigningKey | null, fields: Record<string, Json>): string {
  const operation = operations.find((one) => one.id === id);
  if (!operation) throw new Error(`There is no operation ${id}.`);
  const { signed } = operation;
  const example = signed && key ? signedFields(signed.function, { ...fields, ledgerId }, key.privateKey) : fields;
  const given = { ...operation, example };
  return LANGUAGES[language](given, exampleRequest(given, operations), service.url);
}

async function run(language: Language, code: string, seed: string): Promise<string> {
  const [instituteKey = ''] = service.instituteKeys;
  const file = join(directory, 'snippet.mjs');
  writeFileSync(file, code);
  const commands = {
    curl: ['bash', '-c', code],
    TypeScript: [process.execPath, file],
    Python: [python, '-c', code],
  } as const;
  const [command, ...args] = commands[language];
  const child = spawn(command, args, {
    cwd: resolve('docs/examples'),
    env: { ...process.env, PERPETUA_SEED: seed, INSTITUTE_KEY: instituteKey, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return language === 'curl' ? output : `${output}${problems}`;
}

describe.each(NAMES.map((language, index) => ({ language, index })))(
  'the snippets in $language',
  ({ language, index }) => {
    test('send a signed POST', async () => {
      const fields = { beoId, ieoId, scope: scopeWith(CATEGORIES[NAMES.length + index]), expiresInDays: 30 };
      expect(await run(language, snippetOf(language, 'grantConsent', holder, fields), HOLDER_SEED)).toContain(
        'transactionId',
      );
    });

    test('send a signed GET', async () => {
      const code = snippetOf(language, 'listReceived', institution, { ieoId });
      expect(await run(language, code, INSTITUTION_SEED)).toContain(tokens[index]);
    });

    test('send a DELETE', async () => {
      const code = snippetOf(language, 'revokeToken', holder, { tokenId: tokens[index] ?? '' });
      expect(await run(language, code, HOLDER_SEED)).toContain('transactionId');
      const { body } = await service.get(`/api/consent/${tokens[index]}`);
      expect(body.reason).toBe('TOKEN_REVOKED');
    });

    test('send a decision of the institute', async () => {
      const code = snippetOf(language, 'updateCertification', null, { ieoId, level: 'ADVANCED' });
      expect(await run(language, code, '')).toContain('transactionId');
    });

    test('send a signed POST that writes no entry', async () => {
      const code = snippetOf(language, 'readWebhook', institution, { ieoId });
      expect(await run(language, code, INSTITUTION_SEED)).toMatch(/webhook/);
    });

    test('read without a signature', async () => {
      const operation = operations.find(({ id }) => id === 'getBeosByBeoId');
      if (!operation) throw new Error('There is no such read.');
      const request = exampleRequest(operation, operations);
      const code = LANGUAGES[language](operation, request, service.url).replaceAll(request.path, `/api/beos/${beoId}`);
      const own = code.replace(decodeURIComponent(request.path.split('/').at(-1) ?? ''), beoId);
      expect(await run(language, own, '')).toContain(beoId);
    });
  },
);

describe('the snippets of all requests', () => {
  const snippets = (language: Language) =>
    operations.map((operation) =>
      LANGUAGES[language](operation, exampleRequest(operation, operations), 'http://localhost'),
    );

  test('are valid Python, shell commands and JavaScript', () => {
    const program = 'import ast, json, sys\nfor code in json.load(sys.stdin): ast.parse(code)';
    const parsed = spawnSync(python, ['-c', program], { input: JSON.stringify(snippets('Python')), encoding: 'utf8' });
    expect(parsed.stderr).toBe('');
    for (const code of snippets('curl')) expect(spawnSync('bash', ['-nc', code], { encoding: 'utf8' }).stderr).toBe('');
    const AsyncFunction = (async () => {}).constructor as new (code: string) => unknown;
    for (const code of snippets('TypeScript')) new AsyncFunction(code.replace(/^import .*$/gm, ''));
  });

  test('use the client for every signed request and decision, and name no secret key', () => {
    const code = snippets('TypeScript');
    const without = operations.filter(({ signed, forInstitute }, index) => {
      const needsClient = signed !== null || forInstitute;
      return needsClient && !code[index]?.includes('await client.');
    });
    expect(without.map(({ id }) => id)).toEqual([]);
    expect(NAMES.flatMap(snippets).join('\n')).not.toMatch(/(01){32}|undefined|\[object/);
  });
});
