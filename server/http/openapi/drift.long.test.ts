import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, partiesOf } from '../../write/test-parties.ts';
import type { ApiOperation } from './model.ts';
import type { JsonSchema } from './schemas.ts';
import type { SignedMessage } from './signed-message.ts';
import { requestValidator, testModel } from './test-document.ts';
import {
  asText,
  type Draft,
  draftOf,
  isObject,
  type KnownEntities,
  namesIn,
  realized,
  rendered,
  signedBody,
} from './test-request.ts';

/** Every answer is also checked against the document by the test service: see checkAnswer. */

const RUNS = 12;

let service: TestService;
let parties: Parties;
let known: KnownEntities;

beforeAll(async () => {
  service = await startTestService();
  parties = partiesOf(service);
  const [holder, institution] = [await parties.newHolder(), await parties.newInstitution()];
  const { token_id: token } = await parties.granted(holder, institution.id);
  known = {
    values: {
      beoId: holder.id,
      targetBeo: holder.id,
      ieoId: institution.id,
      tokenId: token,
      consentToken: token,
      ieo_domain: institution.id,
      beo_domain: holder.id,
      id: holder.transactionId,
    },
    holder: holder.person,
    institution: institution.person,
  };
});
afterAll(() => service.stop());

function send(operation: ApiOperation, draft: Draft) {
  const { method, path, query, headers, body } = rendered(operation, draft, service.instituteKeys[0] ?? '');
  return service.request(`${path}?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`, {
    method,
    redirect: 'manual',
    headers,
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  });
}

/** Whether a path segment reaches the route: a dot segment or an encoded slash does not. */
const isSegment = (value: unknown): boolean => /^[\w.~-]*\w[\w.~-]*$/.test(asText(value));

const reachesRoute = ({ path }: Draft): boolean => Object.values(path).every(isSegment);

/** An anything that replaces a member of a body. */
const WRONG = fc.oneof(
  fc.constantFrom<unknown>(null, true, 7, -1, 1.5, '', ' ', [], {}, [null], 'x'.repeat(600)),
  fc.jsonValue({ maxDepth: 1 }),
);

/** A body with one member dropped, added or replaced. */
const spoilt = (body: unknown): fc.Arbitrary<unknown> => {
  if (typeof body !== 'object' || body === null) return WRONG;
  const names = Object.keys(body);
  if (names.length === 0) return WRONG;
  return fc.oneof(
    fc.constantFrom(...names).map((name) => Object.fromEntries(Object.entries(body).filter(([one]) => one !== name))),
    fc.tuple(fc.constantFrom(...names), WRONG).map(([name, value]) => ({ ...body, [name]: value })),
    WRONG.map((value) => ({ ...body, unknownMember: value })),
    WRONG,
  );
};

/** The codes of a body of the wrong form, and of a link, which is looked up first. */
const OF_A_FORM =
  /^(VALIDATION_FAILED|PUBLIC_KEY_INVALID|DOMAIN_INVALID|DOMAIN_RESERVED|\w+_REQUIRED|RECOVERY_THRESHOLD_INVALID|RECORD_INVALID|TOO_MANY_RECORDS|BODY_TOO_LARGE|LINK_NOT_FOUND)$/;

/** A model is of the tables, so the tests can be listed before the service starts. */
const OPERATIONS = testModel().operations.map((operation): [string, ApiOperation] => [operation.id, operation]);
const WITH_BODY = OPERATIONS.flatMap(([id, operation]): [string, ApiOperation, JsonSchema][] =>
  operation.body ? [[id, operation, operation.body]] : [],
);
const WITH_QUERY = OPERATIONS.filter(([, operation]) => operation.method === 'GET');

const SIGNED_READS = OPERATIONS.flatMap(([id, operation]): [string, ApiOperation, SignedMessage][] =>
  operation.signed && operation.body === null ? [[id, operation, operation.signed]] : [],
);

/** What a filter may be refused for, after the signature was verified. */
const OF_A_FILTER = /^(VALIDATION_FAILED|CATEGORY_NOT_AUTHORIZED|PERIOD_NOT_AUTHORIZED)$/;

// First, because other tests destroy what is known.
describe.each(SIGNED_READS)('%s', (_, operation, { members }) => {
  test('is accepted if it is signed as the document says', async () => {
    const query = Object.fromEntries(Object.entries(known.values).filter(([name]) => members.includes(name)));
    const { status, body } = await send(
      operation,
      realized(operation, { path: {}, query, header: {}, body: null }, known),
    );
    expect(status, JSON.stringify(body)).toBe(200);
    await fc.assert(
      fc.asyncProperty(draftOf(operation), async (draft) => {
        const filtered = await send(operation, realized(operation, draft, known));
        if (filtered.status !== 200) expect(filtered.body.code).toMatch(OF_A_FILTER);
      }),
      { numRuns: RUNS },
    );
  });
});

describe.each(OPERATIONS)('%s', (_, operation) => {
  test('answers what the document accepts as the document says', async () => {
    await fc.assert(
      fc.asyncProperty(draftOf(operation).filter(reachesRoute), fc.boolean(), async (draft, isRealized) => {
        const { status } = await send(operation, isRealized ? realized(operation, draft, known) : draft);
        expect(status).not.toBe(500);
      }),
      { numRuns: RUNS },
    );
  });
});

describe.each(WITH_BODY)('%s', (_, operation, schema) => {
  test('rejects every body that the document rejects, for its form', async () => {
    const accepts = requestValidator(schema);
    const wrong = draftOf(operation)
      .filter(reachesRoute)
      .chain((draft) => spoilt(draft.body).map((body) => ({ ...draft, body })));
    await fc.assert(
      fc.asyncProperty(wrong, async ({ body: spoiltBody, ...draft }) => {
        const { signed } = operation;
        // Signed as it is, so that only its form can be the reason.
        const body = signed && isObject(spoiltBody) ? signedBody(signed, spoiltBody, known) : spoiltBody;
        const { status, body: answer } = await send(operation, { ...draft, body });
        expect(status).not.toBe(500);
        if (accepts(body)) return;
        expect([answer.code, body]).toEqual([expect.toSatisfy((code) => OF_A_FORM.test(code)), body]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe.each(WITH_QUERY)('%s', (_, operation) => {
  test('rejects parameters that the document does not have, and values that it rejects', async () => {
    const parameters = namesIn(operation, 'query');
    const wrong = fc.oneof(
      fc.constant(['unknownParameter', 'x'] as const),
      ...parameters.map(({ name }) =>
        fc.tuple(fc.constant(name), fc.constantFrom('-1', '1.5', 'x', 'NaN', '1,2,x', '\u0000')),
      ),
    );
    await fc.assert(
      fc.asyncProperty(draftOf(operation).filter(reachesRoute), wrong, async (draft, [name, value]) => {
        const { status } = await send(operation, { ...draft, query: { ...draft.query, [name]: value } });
        expect(status).not.toBe(500);
        const schema = parameters.find((parameter) => parameter.name === name)?.schema;
        const read = schema?.type === 'integer' ? Number(value) : schema?.type === 'array' ? value.split(',') : value;
        if (!schema || !requestValidator(schema)(read))
          expect([name, value, status >= 400]).toEqual([name, value, true]);
      }),
      { numRuns: RUNS },
    );
  });
});
