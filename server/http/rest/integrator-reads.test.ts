import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Fields, type Parties, type Party, partiesOf } from '../../write/test-parties.ts';
import { createCaller } from '../trpc/router.ts';
import { expectRefusal } from './test-refusal.ts';

let service: TestService;
let parties: Parties;
let clinic: Party;

beforeAll(async () => {
  service = await startTestService();
  parties = partiesOf(service);
  clinic = await parties.newInstitution({ displayName: 'Clínica São Rafael' });
});
afterAll(() => service.stop());

/** Without what changes while an entry is relayed. */
const unrelayed = ({ ledger: _, ...view }: { readonly ledger: unknown }) => view;

const call = () => createCaller({ services: service.service.context, address: '192.0.2.1' });

describe('the consents that an institution received', () => {
  const headersOf = (institution: Party, fields: Fields = { ieoId: institution.id }) => {
    const { signature, nonce, timestamp } = parties.sign(institution.person, 'listReceived', fields);
    return { 'x-signature': String(signature), 'x-nonce': String(nonce), 'x-timestamp': String(timestamp) };
  };
  const list = (institution: Party, query = '') =>
    service.request(`/api/consent/received?ieoId=${institution.id}${query}`, { headers: headersOf(institution) });

  test('are listed newest first, page by page, as the pages list them', async () => {
    const granted = [];
    for (let count = 0; count < 3; count++) {
      granted.unshift((await parties.granted(await parties.newHolder(), clinic.id)).token_id);
    }
    const first = await list(clinic, '&limit=2');
    expect([first.status, Object.keys(first.body).sort()]).toEqual([200, ['locked_beos', 'next_cursor', 'tokens']]);
    const second = await list(clinic, `&limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body.next_cursor).toBe(null);
    const listed = [...first.body.tokens, ...second.body.tokens];
    expect(listed.map(({ token_id }) => token_id)).toEqual(granted);
    expect((await call().receivedConsents({ reference: clinic.id })).tokens.map(unrelayed)).toEqual(
      listed.map(unrelayed),
    );
  });

  test('name the holders whose identity is locked', async () => {
    const laboratory = await parties.newInstitution();
    const [locked, open] = [await parties.newHolder(), await parties.newHolder()];
    for (const holder of [locked, open]) await parties.granted(holder, laboratory.id);
    await parties.beo(locked, 'lock', 'lockBEO');
    expect((await list(laboratory)).body.locked_beos).toEqual([locked.id]);
  });

  test('are listed for the institution alone', async () => {
    const other = await parties.newInstitution();
    const path = `/api/consent/received?ieoId=${clinic.id}`;
    const by = (headers: Record<string, string>) => service.request(path, { headers });
    const refused = await by(headersOf(other, { ieoId: clinic.id }));
    expectRefusal(refused, 'INVALID_SIGNATURE');
    expect(refused.body.details.expected_key).toBe('IEO');
    expectRefusal(await by({}), 'NONCE_REQUIRED');
    const headers = headersOf(clinic);
    expect((await by(headers)).status).toBe(200);
    expectRefusal(await by(headers), 'NONCE_REUSED');
    expectRefusal(
      await service.get(`${path}&signature=${encodeURIComponent(headers['x-signature'])}`),
      'VALIDATION_FAILED',
    );
  });

  test('cannot be listed for an institution that does not exist or is destroyed, or with a wrong cursor', async () => {
    const gone = await parties.newInstitution();
    expectRefusal(await list({ ...gone, id: randomUUID() }), 'IEO_NOT_FOUND');
    expectRefusal(await list(clinic, '&cursor=AAAA'), 'VALIDATION_FAILED');
    expectRefusal(await list(clinic, '&limit=0'), 'VALIDATION_FAILED');
    expect((await parties.ieo(gone, 'destroy', 'destroyIEO')).status).toBe(200);
    expectRefusal(await list(gone), 'IEO_DESTROYED');
  });
});

describe('institutions by name', () => {
  const search = (query: string) => service.get(`/api/ieos/search${query}`);

  test('are found by the beginnings of words, with or without accents typed in full', async () => {
    const { status, body } = await search('?name=rafa%20cl%C3%ADn');
    expect([status, body.ieos.map(({ ieo_id }: { ieo_id: string }) => ieo_id)]).toEqual([200, [clinic.id]]);
    expect(body.ieos).toEqual(await call().findInstitutions({ typed: 'rafa clín' }));
    expect((await search('?name=nothing-like-this')).body).toEqual({ ieos: [] });
  });

  test.each(['', '?name=', `?name=${'x'.repeat(201)}`, '?name=a&limit=0', '?name=a&cursor=x', '?name=a&name=b'])(
    'refuses %s',
    async (query) => expectRefusal(await search(query), 'VALIDATION_FAILED'),
  );
});

describe('the proposals of the institute', () => {
  const get = (path: string, key = service.instituteKeys[0] ?? '') =>
    service.request(`/api/ieo/proposals${path}`, { headers: { 'x-institute-key': key } });

  test('are listed newest first, page by page, as the pages list them', async () => {
    const opened = [];
    for (const reason of ['First.', 'Second.', 'Third.']) {
      opened.unshift((await parties.propose('suspendIEO', { ieoId: clinic.id, reason })).body.proposal.proposal_id);
    }
    const first = await get('?limit=2');
    const second = await get(`?limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body.next_cursor).toBe(null);
    const listed = [...first.body.proposals, ...second.body.proposals];
    expect(listed.map(({ proposal_id }) => proposal_id)).toEqual(opened);
    expect((await call().proposals()).proposals.map(unrelayed)).toEqual(listed.map(unrelayed));
    expectRefusal(await get('?cursor=AAAA'), 'VALIDATION_FAILED');
  });

  test('are read one by one, by id or by the transaction that opened them', async () => {
    const { proposal, transactionId } = (await parties.propose('suspendIEO', { ieoId: clinic.id, reason: 'One.' }))
      .body;
    const { status, body } = await get(`/${proposal.proposal_id}`);
    expect([status, body.proposal]).toMatchObject([200, { ...proposal, institution: { ieo_id: clinic.id } }]);
    expect((await get(`/${transactionId}`)).body).toEqual(body);
    expectRefusal(await get(`/${randomUUID()}`), 'PROPOSAL_NOT_FOUND');
    expectRefusal(await get('/nothing'), 'VALIDATION_FAILED');
  });

  test('need an institute key', async () => {
    for (const path of ['', `/${randomUUID()}`]) {
      expectRefusal(await service.get(`/api/ieo/proposals${path}`), 'INSTITUTE_KEY_MISSING');
      expectRefusal(await get(path, newPerson().publicKey), 'INSTITUTE_KEY_INVALID');
    }
  });
});

describe('the proof of an entry', () => {
  test('is for clients that prefer JSON the chain that the explorer checks', async () => {
    const accept = { accept: 'application/json' };
    const { status, body } = await service.get(`/api/ledger/proof/${clinic.transactionId}`, accept);
    const { head, network, ...proof } = await call().proof({ id: clinic.transactionId });
    expect([status, body.id]).toEqual([200, clinic.transactionId]);
    expect(body).toMatchObject({ ...proof, after: expect.arrayContaining(proof.after.slice(0, 1)) });
    expect(body.network).toMatchObject({ wallet_address: network.wallet_address, status: expect.any(String) });
    expect(body.head).toMatchObject({ ...head, at: expect.any(String), signature: expect.any(String) });
  });

  test.each(['nothing', 'A'.repeat(43), '%00'])('does not exist for %s', async (id) => {
    expectRefusal(await service.get(`/api/ledger/proof/${id}`), 'TRANSACTION_NOT_FOUND');
  });
});
