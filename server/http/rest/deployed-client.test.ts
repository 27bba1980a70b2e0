import { createHash, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import {
  type Answer,
  freshDomain,
  newPerson,
  type Person,
  startTestService,
  type TestService,
} from '../../testing/test-service.ts';

/**
 * A deployed client with every deviation that the protocol accepts (§1, §8): keys in upper-case hex, unescaped signatures in
 * queries, extra slashes in paths, empty strings for unknown values, dates for times, and its own record ids.
 */
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

type Fields = Record<string, Json>;
const MAX_ATTEMPTS = 40;

const accepted = ({ status, body }: Answer, expected = 200) => {
  expect(status, JSON.stringify(body).slice(0, 2_000)).toBe(expected);
  return body;
};

function clientOf(person: Person) {
  const key = person.publicKey.toUpperCase();
  const signed = (functionName: string, fields: Fields): Fields => person.sign(functionName, { ...fields });
  const post = (path: string, functionName: string, fields: Fields) => service.post(path, signed(functionName, fields));
  return { key, signed, post };
}

const holder = clientOf(newPerson());
const lab = clientOf(newPerson());
const domain = freshDomain().toUpperCase();
const labDomain = freshDomain();
const state = { beoId: '', ieoId: '', tokenId: '', recordIds: [] as string[] };

test('creates an identity with key and domain in upper case', async () => {
  const fields = { domain, publicKey: holder.key, recovery: null };
  const body = accepted(await holder.post('/api/relayer/beo/', 'createBEO', fields), 201);
  state.beoId = body.beo_id;
  expect(body).toMatchObject({ domain: domain.toLowerCase(), beo: { public_key: holder.key.toLowerCase() } });
  const found = accepted(await service.get(`/api//beos/domain/${domain}/`));
  expect(found.beo).toEqual({ ...body.beo, ledger: found.beo.ledger });
});

test('resolves a domain at the address of an old SDK, which takes a 404 for a free name', async () => {
  const { status, headers, body } = await service.get(`/v1/beo/resolve/${domain}`);
  const current = await service.get(`/api/beos/domain/${domain}`);
  expect([status, body, headers.get('etag')]).toEqual([200, current.body, current.headers.get('etag')]);
  const free = await service.get(`/v1/beo/resolve/${freshDomain()}`, { accept: '*/*' });
  expect([free.status, free.body.code]).toEqual([404, 'BEO_NOT_FOUND']);
});

test('receives DOMAIN_RESERVED for a reserved name', async () => {
  for (const name of ['institute.bsp', 'ROOT.bsp', 'my.admin.bsp']) {
    const { status, body } = await service.get(`/api/beos/domain/${name}`);
    expect([name, status, body.code]).toEqual([name, 400, 'DOMAIN_RESERVED']);
  }
  expect((await service.get('/api/beos/domain/unknown.bsp')).body.code).toBe('BEO_NOT_FOUND');
  expect((await service.get('/api/beos/domain/not_valid.bsp')).body.code).toBe('DOMAIN_INVALID');
});

test('registers a LABORATORY, which becomes a LAB; the entry contains the signed value', async () => {
  const fields = {
    domain: labDomain,
    ieoType: 'LABORATORY',
    displayName: 'Laboratório',
    publicKey: lab.key,
    country: '',
    jurisdiction: '',
    legalId: '',
  };
  const body = accepted(await lab.post('/api/ieo//', 'createIEO', fields), 201);
  state.ieoId = body.ieo_id;
  expect(body.ieo).toMatchObject({ ieo_type: 'LAB', country: null, jurisdiction: null, legal_id: null });
  const { transaction } = accepted(await service.get(`/api/transactions/${body.transactionId}`));
  expect(Buffer.from(transaction.item, 'base64').toString()).toContain('"ieoType":"LABORATORY"');
  const person = newPerson();
  const changed = { ...person.sign('createIEO', { ...fields, domain: freshDomain(), publicKey: person.publicKey }) };
  expect((await service.post('/api/ieo', { ...changed, ieoType: 'LAB' })).body.code).toBe('INVALID_SIGNATURE');
  const unknown = await lab.post('/api/ieo', 'createIEO', { ...fields, domain: freshDomain(), ieoType: 'laboratory' });
  expect(unknown.body.code).toBe('VALIDATION_FAILED');
});

test('lists institutions with empty filters', async () => {
  const body = accepted(await service.get('/api/ieos/?ieoType=LABORATORY&status=&certLevel=&limit=1000&cursor='));
  expect(Object.keys(body)).toEqual(['ieos', 'count', 'next_cursor']);
  expect(body).toMatchObject({ ieos: [{ ieo_id: state.ieoId }], count: 1, next_cursor: null });
  // The entry may be posted between the two reads.
  const ieos = [{ ...body.ieos[0], ledger: { ...body.ieos[0].ledger, status: expect.any(String) } }];
  expect(accepted(await service.get('/api/ieo?ieoType=LAB'))).toEqual({ ...body, ieos });
});

test('grants, verifies, certifies and revokes SOVEREIGN_EXPORT, which means EXPORT_DATA; the entry contains the signed name', async () => {
  const intents = ['SOVEREIGN_EXPORT', 'READ_RECORDS'];
  const grant = (names: string[]) => {
    const fields = { beoId: domain, ieoId: domain, scope: { intents: names, categories: ['*'] }, expiresInDays: 1 };
    return holder.post('/api/relayer/consent', 'grantConsent', fields);
  };
  const { token, transactionId } = accepted(await grant(intents), 201);
  expect(token.scope.intents).toEqual(['EXPORT_DATA', 'READ_RECORDS']);
  const { transaction } = accepted(await service.get(`/api/transactions/${transactionId}`));
  expect(Buffer.from(transaction.item, 'base64').toString()).toContain(`"intents":${JSON.stringify(intents)}`);
  expect((await grant(['READ_RECORDS', 'EXPORT_DATA'])).body.code).toBe('DUPLICATE_TOKEN');
  expect((await grant(['EXPORT_DATA', 'SOVEREIGN_EXPORT'])).body.code).toBe('VALIDATION_FAILED');
  const verdict = () => service.get(`/api/consent/${token.token_id}?intent=SOVEREIGN_EXPORT`);
  expect(accepted(await verdict())).toMatchObject({ valid: true });
  const fields = { targetBeo: domain, consentToken: token.token_id, format: 'JSON' };
  accepted(await holder.post('/api/exchange/export', 'sovereignExport', fields));

  const [instituteKey = ''] = service.instituteKeys;
  const certification = { ieoId: state.ieoId, level: 'BASIC', intents: ['SOVEREIGN_EXPORT'] };
  const certified = await service.post('/api/ieo/certification', certification, { 'x-institute-key': instituteKey });
  expect(accepted(certified).ieo.certification.intents).toEqual(['EXPORT_DATA']);

  const { intent: _, ...revocation } = holder.signed('revokeByIntent', { beoId: domain, intent: 'SOVEREIGN_EXPORT' });
  const revoked = await service.request('/api/consent/intent/SOVEREIGN_EXPORT', {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(revocation),
  });
  expect(accepted(revoked).revoked_count).toBe(1);
  expect(accepted(await verdict())).toMatchObject({ valid: false, reason: 'TOKEN_REVOKED' });
});

test('grants a consent by domains, with empty members', async () => {
  const scope = {
    intents: ['SUBMIT_RECORD', 'READ_RECORDS', 'EXPORT_DATA'],
    categories: ['BSP-GL', 'BSP-CV'],
    levels: null,
    period: null,
    max_records: null,
  };
  const fields = { beoId: domain, ieoId: labDomain, scope, expiresInDays: 365 };
  const { token } = accepted(await holder.post('/api/relayer/consent', 'grantConsent', fields), 201);
  state.tokenId = token.token_id;
});

test('verifies the consent at both paths, with and without intent, category and level', async () => {
  for (const path of [
    `/api/consent/${state.tokenId}`,
    `/api/consent/${state.tokenId}/verify`,
    `/api/consent/${state.tokenId}/`,
  ]) {
    for (const query of ['', '?intent=&category=&level=', '?intent=READ_RECORDS&category=BSP-GL&level=STANDARD']) {
      expect(accepted(await service.get(`${path}${query}`))).toMatchObject({
        valid: true,
        token: { token_id: state.tokenId },
      });
    }
  }
});

test('receives TOKEN_NOT_FOUND for malformed token ids', async () => {
  const malformed = [
    'x',
    'tok_',
    'undefined',
    'null',
    'a%20b',
    '%00',
    '%F0%9F%92%89',
    "'%3B--",
    'x'.repeat(3_000),
    state.beoId,
  ];
  for (const id of [...malformed, 'intent', 'tok_00000000-0000-4000-8000-000000000000']) {
    for (const path of [`/api/consent/${id}`, `/api/consent/${id}/verify`]) {
      expect([path, accepted(await service.get(path))]).toEqual([path, { valid: false, reason: 'TOKEN_NOT_FOUND' }]);
    }
  }
});

test('submits records with its own ids and timestamps, and empty strings for unknown values', async () => {
  const records = ['LAB-1', 'LAB-2'].map((record_id, index) => ({
    record_id,
    beo_id: '',
    ieo_id: state.ieoId,
    ieo_domain: labDomain,
    biomarker: 'BSP-GL-001',
    category: 'BSP-GL',
    level: '',
    value: '92.0',
    unit: 'mg/dL',
    timestamp: `2026-01-3${index}T08:15:00Z`,
    collected_at: null,
    ref_range: { functional_low: 70, functional_high: 99, critical_low: 40, critical_high: 400, population: null },
    confidence: null,
    supersedes: '',
    status: 'ACTIVE',
    source: { method: 'hexokinase', ieo_id: '' },
    version: '',
  }));
  const fields = { targetBeo: domain, consentToken: state.tokenId, records };
  const sent = { ...lab.signed('submitRecords', fields), recordCount: records.length };
  const body = accepted(await service.post('/api/exchange/records/', sent), 201);
  expect(body).toMatchObject({ status: 'SUCCESS', arweave_txs: Array(2).fill(body.transactionId) });
  expect(body.tx_hashes).toEqual(body.arweave_txs);
  state.recordIds = body.record_ids;
});

test('corrects a record by its own id', async () => {
  const correction = {
    record_id: 'LAB-3',
    biomarker: 'BSP-GL-001',
    value: '93.0',
    unit: 'mg/dL',
    timestamp: '2026-01-30T08:15:00Z',
    supersedes: 'LAB-1',
  };
  const fields = { targetBeo: state.beoId, consentToken: state.tokenId, records: [correction] };
  accepted(await lab.post('/api/exchange/records', 'submitRecords', fields), 201);
  const { records } = accepted(await read(lab, { status: 'SUPERSEDED' }));
  expect(records).toMatchObject([{ record_id: state.recordIds[0], client_record_id: 'LAB-1', status: 'SUPERSEDED' }]);
});

/** Reads with an unescaped query, in which each + of the signature arrives as a space. */
async function read(by: typeof lab, filters: Fields = {}, targetBeo = state.beoId): Promise<Answer> {
  const body = by.signed('readRecords', { targetBeo, consentToken: state.tokenId });
  const query = Object.entries({ ...body, ...filters }).map(([name, value]) => `${name}=${value}`);
  return service.get(`/api/exchange/records?${query.join('&')}`);
}

test('reads with an unescaped signature in the query', async () => {
  for (let attempt = 0, withPlus = 0; withPlus < 5; attempt += 1) {
    expect(attempt).toBeLessThan(MAX_ATTEMPTS);
    const body = lab.signed('readRecords', { targetBeo: state.beoId, consentToken: state.tokenId });
    if (!String(body.signature).includes('+')) continue;
    withPlus += 1;
    const query = Object.entries(body).map(([name, value]) => `${name}=${value}`);
    expect(accepted(await service.get(`/api/exchange/records?${query.join('&')}`)).total).toBe(2);
  }
});

test('reads with empty filters, dates without times and a limit above the maximum', async () => {
  const filters = {
    categories: '',
    biomarkers: '',
    levels: '',
    status: '',
    from: '2026-01-30',
    to: '2026-01-30',
    limit: 5_000,
  };
  const { records, total } = accepted(await read(lab, filters));
  expect([total, records.map(({ client_record_id: id }: { client_record_id: string }) => id)]).toEqual([1, ['LAB-3']]);
  expect(records[0]).toMatchObject({ value: '93.0', collected_at: '2026-01-30T08:15:00.000Z' });
});

test('reads and exports with the holder’s key and the laboratory’s consent', async () => {
  expect(accepted(await read(holder)).total).toBe(2);
  const fields = { targetBeo: domain, consentToken: state.tokenId, format: 'JSON' };
  const { data } = accepted(await holder.post('/api/exchange/export/', 'sovereignExport', fields));
  expect(JSON.parse(data).records).toHaveLength(3);
});

test('receives the digest of the verified message with INVALID_SIGNATURE', async () => {
  const { publicKey, privateKey } = newPerson();
  const fields = {
    targetBeo: state.beoId,
    consentToken: state.tokenId,
    nonce: '0123456789abcdef',
    timestamp: new Date().toISOString(),
  };
  const unsorted = JSON.stringify({ function: 'readRecords', ...fields });
  const signature = sign(null, Buffer.from(unsorted), privateKey).toString('base64url');
  const { status, body } = await service.get(`/api/exchange/records?${new URLSearchParams({ ...fields, signature })}`);
  expect([publicKey.length, status, body.code]).toEqual([64, 401, 'INVALID_SIGNATURE']);
  const canonical = canonicalJson({ function: 'readRecords', ...fields });
  expect(body.details.message_sha256).toBe(createHash('sha256').update(canonical).digest('hex'));
});

test('reads the history of consents as a whole and in pages', async () => {
  const tokens = [{ token_id: state.tokenId, status: 'ACTIVE' }, { status: 'REVOKED' }];
  const whole = accepted(await service.get(`/api/consent/history/${domain}/`));
  expect(whole).toMatchObject({ tokens, count: 2, next_cursor: null });
  const page = accepted(await service.get(`/api/consent/history/${domain}?limit=500`));
  expect(page).toMatchObject({ tokens, count: 2, next_cursor: null });
});

test('revokes a consent with an unsigned beoId', async () => {
  const { tokenId: _, ...body } = holder.signed('revokeToken', { tokenId: state.tokenId });
  const answer = await service.request(`/api/consent/${state.tokenId}/`, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, beoId: domain }),
  });
  expect(accepted(answer).token_id).toBe(state.tokenId);
  const verdict = accepted(await service.get(`/api/consent/${state.tokenId}/verify`));
  expect(verdict).toMatchObject({ valid: false, reason: 'TOKEN_REVOKED' });
});
