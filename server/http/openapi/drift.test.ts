import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { signedFields } from '../../crypto/signed-request.ts';
import { freshDomain, type Person, startTestService, type TestService } from '../../test-service.ts';
import { type Parties, partiesOf } from '../../write/test-parties.ts';
import type { ApiField, ApiOperation } from './model.ts';
import type { JsonSchema } from './schemas.ts';
import type { SignedMessage } from './signed-message.ts';
import { arbitraryOf } from './test-arbitrary.ts';
import { requestValidator, testModel } from './test-document.ts';

/** Every answer is also checked against the document by the test service: see checkAnswer. */

const RUNS = 12;
const ENVELOPE = ['signature', 'nonce', 'timestamp', 'ledgerId'];

type Values = Record<string, unknown>;

let service: TestService;
let parties: Parties;
let known: { readonly values: Values; readonly holder: Person; readonly institution: Person };

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

const namesIn = ({ fields }: ApiOperation, place: ApiField['in']): readonly ApiField[] =>
  fields.filter((field) => field.in === place);

/** The members of a request, by their place. */
interface Draft {
  readonly path: Values;
  readonly query: Values;
  readonly header: Values;
  readonly body: unknown;
}

const membersOf = (fields: readonly ApiField[]): fc.Arbitrary<Values> =>
  fc.record(Object.fromEntries(fields.map(({ name, schema }) => [name, arbitraryOf(schema)])), {
    requiredKeys: fields.filter(({ required }) => required).map(({ name }) => name),
  });

const draftOf = (operation: ApiOperation): fc.Arbitrary<Draft> =>
  fc.record({
    path: membersOf(namesIn(operation, 'path')),
    query: membersOf(namesIn(operation, 'query')),
    header: membersOf(namesIn(operation, 'header')),
    body: operation.body ? arbitraryOf(operation.body) : fc.constant(null),
  });

/** Replaces ids by those of existing entities, and signs, so that a request gets further than its form. */
function realized(operation: ApiOperation, { path, query, header, body }: Draft): Draft {
  const replaced = { path: replace(path), query: replace(query), header, body };
  if (!operation.signed) return replaced;
  if (operation.body === null) return signedRead(operation.signed, replaced);
  if (!isObject(body)) return replaced;
  const { signer } = operation.signed;
  const named: Values = { ...replace(body), ...samePathFields(operation, replaced.path) };
  if ('domain' in named) named.domain = freshDomain();
  if (signer.startsWith('the key in')) named.publicKey = signerOf(operation.signed).publicKey;
  return { ...replaced, body: signedBody(operation.signed, named) };
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a body with a new envelope. */
function signedBody(message: SignedMessage, members: Values): Values {
  const isHint = (name: string) => message.unsigned.includes(name);
  const given = Object.entries(members).filter(([name]) => !ENVELOPE.includes(name));
  const fields = Object.fromEntries(given.filter(([name]) => !isHint(name))) as Record<string, Json>;
  const hints = Object.fromEntries(given.filter(([name]) => isHint(name)));
  return { ...signedFields(message.function, fields, signerOf(message).privateKey), ...hints };
}

const replace = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, known.values[name] ?? value]));

const signerOf = ({ signer }: SignedMessage): Person =>
  signer.includes('institution') ? known.institution : known.holder;

/** A signed GET: the fields stay in the query or in their headers, and the envelope is in headers. */
function signedRead(message: SignedMessage, { path, query, header }: Draft): Draft {
  const memberOf = new Map(Object.entries(message.headers).map(([member, name]) => [name, member]));
  const inHeaders = Object.entries(header).map(([name, value]) => [memberOf.get(name) ?? name, value]);
  const given = { ...query, ...replace(Object.fromEntries(inHeaders)) };
  const isField = ([name]: [string, unknown]) => message.members.includes(name) && !ENVELOPE.includes(name);
  const fields = Object.fromEntries(Object.entries(given).filter(isField)) as Record<string, Json>;
  const sent = Object.entries(signedFields(message.function, fields, signerOf(message).privateKey));
  const filters = Object.entries(query).filter(([name]) => !message.members.includes(name) && name !== 'signature');
  return {
    path,
    query: Object.fromEntries([...filters, ...sent.filter(([member]) => !(member in message.headers))]),
    header: Object.fromEntries(
      sent.flatMap(([member, value]) => (message.headers[member] ? [[message.headers[member], value]] : [])),
    ),
    body: null,
  };
}

/** The signed fields that the path contains. */
const samePathFields = ({ takes }: ApiOperation, values: Values): Values =>
  Object.fromEntries(Object.entries(takes).map(([parameter, field]) => [field, values[parameter]]));

const asText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

function send({ method, path: template, forInstitute }: ApiOperation, { path, query, header, body }: Draft) {
  const target = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(path[name])));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, asText(value)]));
  const headers = Object.entries(header).map(([name, value]): [string, string] => [
    name,
    asText(value).replace(/[^!-~]/g, '?'),
  ]);
  return service.request(`${target}?${search}`, {
    method,
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      ...(forInstitute ? { 'x-institute-key': service.instituteKeys[0] ?? '' } : {}),
      ...Object.fromEntries(headers),
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
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
    const { status, body } = await send(operation, realized(operation, { path: {}, query, header: {}, body: null }));
    expect(status, JSON.stringify(body)).toBe(200);
    await fc.assert(
      fc.asyncProperty(draftOf(operation), async (draft) => {
        const filtered = await send(operation, realized(operation, draft));
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
        const { status } = await send(operation, isRealized ? realized(operation, draft) : draft);
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
        const body = signed && isObject(spoiltBody) ? signedBody(signed, spoiltBody) : spoiltBody;
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
