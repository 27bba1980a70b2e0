import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERROR_DETAILS } from '../../../protocol/error-details.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import { ledgerIdOf } from '../../../protocol/ids.ts';
import { OPERATIONS } from '../../../protocol/operations.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { messageBytes } from '../../../protocol/signing/message-bytes.ts';
import vectors from '../../../protocol/vectors/messages.json' with { type: 'json' };
import { checksHere } from '../../platform/crypto/signature-checks.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { LIMIT_GROUPS } from '../limits/groups.ts';
import { ROUTES } from '../rest/routes.ts';
import { openApiDocument } from './document.ts';
import { describeApi } from './model.ts';
import type { JsonSchema } from './schemas.ts';
import { requestValidator, testDocument, testModel } from './test-document.ts';

const document = testDocument();
const { operations } = testModel();

/** Every object in a value. */
const schemasIn = (value: unknown): JsonSchema[] => {
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : [value as JsonSchema]), ...Object.values(value).flatMap(schemasIn)];
};

describe('the document', () => {
  test('grants no license, as the packages grant none', () => {
    for (const folder of ['.', 'client', 'mcp']) {
      expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).license).toBe('UNLICENSED');
      expect(readdirSync(folder).filter((name) => /^licen[cs]e/i.test(name))).toEqual([]);
    }
    expect(document.info.license.name).toBe('All rights reserved');
  });

  test('has next to a pattern the type of the text, so that generators make one check of both', () => {
    const alone = schemasIn(document).filter(({ pattern, type }) => pattern !== undefined && type !== 'string');
    expect(alone).toEqual([]);
  });

  test('has no schema with the name of a generic type of TypeScript, which the code of generators would then not mean', () => {
    const generic = ['Array', 'Map', 'Omit', 'Partial', 'Pick', 'Promise', 'Readonly', 'Record', 'Required', 'Set'];
    expect(Object.keys(document.components.schemas).filter((name) => generic.includes(name))).toEqual([]);
  });

  test('names who to contact, types collected_at, and describes the ids of a submission', () => {
    expect(document.info.contact.name).toBe('The operator of this service');
    const schemas: Readonly<Record<string, JsonSchema>> = document.components.schemas;
    const { properties } = schemas.SubmittedRecord as { properties: Record<string, JsonSchema> };
    for (const name of ['collected_at', 'timestamp']) {
      expect(properties[name]).toMatchObject({ type: ['string', 'null'], description: expect.stringMatching(/./) });
    }
    const submission = operations.find(({ id }) => id === 'submitRecords')?.answers[0]?.schema as {
      properties: Record<string, JsonSchema>;
    };
    for (const name of ['record_ids', 'arweave_txs', 'tx_hashes']) {
      expect(submission.properties[name]?.description).toMatch(/./);
    }
  });

  test('has the pages of links, besides their JSON', () => {
    for (const path of [
      '/api/guardian/accept/{token}',
      '/api/guardian/confirm-recovery/{token}',
      '/api/mail/unsubscribe/{token}',
    ]) {
      const { responses = {} } = (document.paths[path]?.get ?? {}) as {
        responses?: Record<string, { content: object }>;
      };
      for (const status of ['200', '404', '410'].filter((code) => code in responses)) {
        expect([path, status, Object.keys(responses[status]?.content ?? {})]).toEqual([
          path,
          status,
          expect.arrayContaining(['text/html']),
        ]);
      }
      expect(Object.keys(responses['200']?.content ?? {})).toEqual(['application/json', 'text/html']);
    }
  });

  test('is the same whenever it is built', () => {
    expect(JSON.stringify(openApiDocument(describeApi(ROUTES)))).toBe(JSON.stringify(document));
  });

  test('contains every route and every operation, each with an id of its own', () => {
    const inDocument = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const inTable = ROUTES.map(({ method, path }) => `${method} ${path.replace(/[:*](\w+)/g, '{$1}')}`);
    expect(inDocument.toSorted()).toEqual(inTable.toSorted());
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(OPERATIONS.map(({ name }) => name)));
  });

  test('describes every operation with what its page states', () => {
    const described = new Map(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods as Record<string, { description: string }>).map(([method, { description }]) => [
          `${method.toUpperCase()} ${path}`,
          description,
        ]),
      ),
    );
    expect(described.get('POST /api/relayer/beo/lock')).toBe(
      [
        '- Signed by: The current key of the holder in beoId.',
        '- Function to sign: `lockBEO`.',
        '- Effect: An accepted request is recorded on the ledger.',
        '- Rate limit: 10 requests in 60 seconds per client address, and the same per signing key (group `relayer`).',
        '- Largest body: 256 KiB.',
      ].join('\n'),
    );
    expect(described.get('GET /health')).toContain('- Authorization: None: anybody may send it.');
    expect([...described].filter(([, description]) => !description.includes('- Effect: '))).toEqual([]);
  });

  test('has a schema for every parameter in a path', () => {
    const undeclared = ROUTES.flatMap((route) =>
      route.kind === 'query'
        ? [...route.path.matchAll(/:(\w+)/g)].flatMap(([, name = '']) =>
            name in route.endpoint.path ? [] : [route.path],
          )
        : [],
    );
    expect(undeclared).toEqual([]);
  });

  test('names every error code with its status, and every limit', () => {
    const used = new Set(operations.flatMap(({ errors }) => errors.map(({ code }) => code)));
    // These are answers to an address or a method that the document does not have.
    const elsewhere = ['METHOD_NOT_ALLOWED'];
    expect(Object.keys(ERRORS).filter((code) => !(used as Set<string>).has(code))).toEqual(elsewhere);
    for (const { errors } of operations) for (const { code, status } of errors) expect(status).toBe(ERRORS[code][0]);
    for (const { limit } of operations) if (limit) expect(LIMIT_GROUPS[limit.group].limit).toBe(limit.requests);
  });

  test('names the details of an error by its code', () => {
    const isError = requestValidator(document.components.schemas.Error);
    const error = (code: string, details?: object) => ({ error: 'A sentence.', code, request_id: '1', details });
    expect(isError(error('WRONG_LEDGER', { ledger_id: 'ab'.repeat(32) }))).toBe(true);
    expect(isError(error('WRONG_LEDGER', { ledger_id: 'another' }))).toBe(false);
    expect(isError(error('ALREADY_LOCKED', { locked_at: '2026-01-31T12:00:00.000Z' }))).toBe(true);
    expect(isError(error('ALREADY_LOCKED', {}))).toBe(false);
    expect(Object.keys(ERRORS)).toEqual(expect.arrayContaining(Object.keys(ERROR_DETAILS)));
  });

  test('has no schema that accepts everything where a request has a field', () => {
    const open = operations.flatMap(({ id, fields }) =>
      fields.flatMap(({ name, schema }) => {
        const { description: _, ...rest } = schema;
        return Object.keys(rest).length === 0 ? [`${id} ${name}`] : [];
      }),
    );
    expect(open).toEqual([]);
  });

  test('consists of valid schemas without component paths in $id', () => {
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/"\$id"|"\$defs"|"\$schema"/);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const schema of Object.values<JsonSchema>(document.components.schemas)) {
      expect(ajv.validateSchema(schema), ajv.errorsText(ajv.errors)).toBe(true);
    }
  });
});

describe('the examples', () => {
  const signatures = checksHere();
  const withExample = operations.flatMap((operation) =>
    operation.example && operation.signed ? [[operation.id, operation, operation.example] as const] : [],
  );

  test('exist for every signed request', () => {
    expect(operations.filter(({ signed, example }) => signed && !example).map(({ id }) => id)).toEqual([]);
  });

  test.each(withExample)(
    'of %s is signed as x-signed-message says, and has the documented form',
    async (_, operation, example) => {
      const { signed, body } = operation;
      const { signature, ...members } = example;
      const message = { function: signed?.function ?? '', ...members } as Record<string, Json>;
      for (const name of signed?.unsigned ?? []) delete message[name];
      expect(signed?.members).toEqual(expect.arrayContaining(Object.keys(message)));
      const keys = vectors.cases.flatMap(({ publicKey = '' }) => (publicKey ? [publicKey.toLowerCase()] : []));
      const checks = [...new Set(keys)].map((key) => signatures.isSigned(message, String(signature), key));
      expect(await Promise.all(checks), Buffer.from(messageBytes(message)).toString()).toContain(true);
      if (body) expect(requestValidator(body)(example)).toBe(true);
    },
  );

  test('are for the ledger of the vectors', () => {
    expect(ledgerIdOf(vectors.relayerPublicKey)).toBe(vectors.ledgerId);
  });
});

describe('GET /api/openapi.json', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  test('returns the document, and 304 if the client has it', async () => {
    const { status, headers, body } = await service.get('/api/openapi.json');
    expect([status, body]).toEqual([200, JSON.parse(JSON.stringify(document))]);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const etag = headers.get('etag') ?? '';
    const again = await service.get('/api/openapi.json', { 'if-none-match': `"other", W/${etag}` });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await service.get('/api/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200);
  });
});
