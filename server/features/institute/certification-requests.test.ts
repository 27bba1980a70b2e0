import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { verifyNatively } from '../../platform/crypto/ed25519.ts';
import { createClock } from '../../platform/db/clock.ts';
import { newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Fields, type Parties, type Party, partiesOf } from '../../write/test-parties.ts';
import { requestCertification } from './certification-requests.ts';

let shift = 0;
let service: TestService;
let parties: Parties;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  parties = partiesOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const PATH = '/api/ieo/certification-request';
const GROUNDS = 'ISO 15189, certificate 4711.\nAudited in May.';
const ASKED = { level: 'ADVANCED', categories: ['BSP-CV'], intents: ['SOVEREIGN_EXPORT'], grounds: GROUNDS };

const send = (lab: Party, name: string, path: string, more: Fields = {}, signer: Party = lab) =>
  service.post(`${PATH}${path}`, parties.sign(signer.person, name, { ieoId: lab.id, ...more }));
const ask = (lab: Party, more: Fields = ASKED, signer?: Party) => send(lab, 'requestCertification', '', more, signer);
const read = async (lab: Party) => (await send(lab, 'readCertificationRequest', '/read')).body.request;
const withdraw = (lab: Party) => send(lab, 'withdrawCertificationRequest', '/withdraw');
const key = (number: number) => ({ 'x-institute-key': service.instituteKeys[number - 1] ?? '' });
const decline = (body: Json, headers: Record<string, string> = key(3)) =>
  service.post(`${PATH}/decline`, body, headers);
const requestedAt = async (lab: Party) => (await read(lab)).requested_at;
const codeOf = async (answer: ReturnType<typeof service.post>) => {
  const { status, body } = await answer;
  return [status, body.code];
};

/** The requests that the institute sees, from all pages. */
async function listed(limit = 1) {
  const all = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { status, body } = await service.get(`/api/ieo/certification-requests?limit=${limit}${query}`, key(1));
    expect(status, JSON.stringify(body)).toBe(200);
    all.push(...body.requests);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return all;
}

test('an institution asks with its signature, reads its request, replaces it and takes it back', async () => {
  const lab = await parties.newInstitution();
  expect(await read(lab)).toBeNull();
  const { status, body } = await ask({ ...lab, id: lab.domain });
  const request = {
    level: 'ADVANCED',
    categories: ['BSP-CV'],
    intents: ['EXPORT_DATA'],
    grounds: GROUNDS,
    requested_at: expect.any(String),
    status: 'OPEN',
    answered_at: null,
    reason: null,
  };
  expect([status, body]).toEqual([200, { ieo_id: lab.id, request }]);
  expect(await read(lab)).toEqual(request);

  await ask(lab, { level: 'BASIC', grounds: 'Something else.' });
  const replaced = { ...request, level: 'BASIC', categories: [], intents: [], grounds: 'Something else.' };
  expect(await read(lab)).toEqual(replaced);
  expect((await withdraw(lab)).body).toEqual({ ieo_id: lab.id, request: null });
  expect(await read(lab)).toBeNull();
  expect(await codeOf(withdraw(lab))).toEqual([404, 'NOT_FOUND']);
});

test('the institute sees the open requests of active institutions, oldest first, as they were signed', async () => {
  const labs = [await parties.newInstitution(), await parties.newInstitution(), await parties.newInstitution()];
  for (const lab of labs) {
    shift += 1_000;
    await ask(lab);
  }
  const ids = labs.map(({ id }) => id);
  const found = (await listed()).filter(({ institution }) => ids.includes(institution.ieo_id));
  expect(found.map(({ institution }) => institution.ieo_id)).toEqual(ids);
  const [{ institution, message, signature, public_key: publicKey, ...first }] = found;
  const { ieo } = (await service.get(`/api/ieos/${ids[0]}`)).body;
  // Its status on the network moves on.
  expect(institution).toEqual({ ...ieo, ledger: { ...ieo.ledger, status: expect.any(String) } });
  expect(first).toEqual(await read(labs[0] as Party));
  expect(JSON.parse(message)).toMatchObject({ function: 'requestCertification', ieoId: ids[0], ...ASKED });
  expect(publicKey).toBe(labs[0]?.person.publicKey);
  expect(verifyNatively(publicKey, Buffer.from(message), Buffer.from(signature, 'base64'))).toBe(true);

  await parties.ieo(labs[0] as Party, 'lock', 'lockIEO');
  await parties.ieo(labs[1] as Party, 'destroy', 'destroyIEO');
  const left = (await listed(200)).filter(({ institution: one }) => ids.includes(one.ieo_id));
  expect(left.map(({ institution: one }) => one.ieo_id)).toEqual([ids[2]]);
  const { rows } = await service.service.context.pool.query('SELECT FROM certification_requests WHERE ieo_id = $1', [
    ids[1],
  ]);
  expect(rows).toEqual([]);
});

test('only a key of the institute lists and declines', async () => {
  const lab = await parties.newInstitution();
  await ask(lab);
  const body = { ieoId: lab.id, requestedAt: await requestedAt(lab), reason: 'It has expired.' };
  for (const [headers, code] of [
    [{}, 'INSTITUTE_KEY_MISSING'],
    [{ 'x-institute-key': 'x'.repeat(32) }, 'INSTITUTE_KEY_INVALID'],
  ] as const) {
    expect(await codeOf(decline(body, headers))).toEqual([401, code]);
    expect(await codeOf(service.get('/api/ieo/certification-requests', headers))).toEqual([401, code]);
  }
  expect((await read(lab)).status).toBe('OPEN');
});

test('a request is declined once, with a reason that the institution reads, and can be made again', async () => {
  const lab = await parties.newInstitution();
  await ask(lab);
  const reason = 'The certificate has expired.';
  const at = await requestedAt(lab);
  const { status, body } = await decline({ ieoId: lab.domain, requestedAt: at, reason });
  expect([status, body.request]).toMatchObject([200, { status: 'DECLINED', reason, answered_at: expect.any(String) }]);
  expect(await read(lab)).toEqual(body.request);
  expect(await codeOf(decline({ ieoId: lab.id, requestedAt: at, reason }))).toEqual([404, 'NOT_FOUND']);
  expect((await listed(200)).map(({ institution }) => institution.ieo_id)).not.toContain(lab.id);
  shift += 1_000;
  await ask(lab);
  expect(await read(lab)).toMatchObject({ status: 'OPEN', answered_at: null, reason: null });
  expect(await codeOf(decline({ ieoId: lab.id, requestedAt: at, reason }))).toEqual([404, 'NOT_FOUND']);
  expect((await read(lab)).status).toBe('OPEN');

  const wrong: [Json, unknown][] = [
    [{ ieoId: lab.id, requestedAt: at }, [400, 'VALIDATION_FAILED']],
    [{ ieoId: lab.id, reason }, [400, 'VALIDATION_FAILED']],
    [{ ieoId: lab.id, requestedAt: at, reason: ' ' }, [400, 'VALIDATION_FAILED']],
    [{ ieoId: lab.id, requestedAt: at, reason: 'r'.repeat(501) }, [400, 'VALIDATION_FAILED']],
    [{ ieoId: lab.id, requestedAt: at, reason, more: 1 }, [400, 'VALIDATION_FAILED']],
    [{ ieoId: 'unknown.bsp', requestedAt: at, reason }, [404, 'IEO_NOT_FOUND']],
  ];
  for (const [given, expected] of wrong) expect(await codeOf(decline(given))).toEqual(expected);
});

test('certifying answers the request, other decisions do not', async () => {
  const [certified, declined, removed] = [
    await parties.newInstitution(),
    await parties.newInstitution(),
    await parties.newInstitution(),
  ];
  const proposed = await parties.newInstitution();
  const suspended = await parties.newInstitution();
  for (const lab of [certified, declined, removed, proposed, suspended]) await ask(lab);
  await decline({ ieoId: declined.id, requestedAt: await requestedAt(declined), reason: 'Not yet.' });
  await parties.institute('certification', { ieoId: declined.id, level: 'BASIC' }, 2);
  await parties.institute('certification', { ieoId: removed.id, level: 'UNCERTIFIED' }, 2);
  await parties.institute('certification', { ieoId: certified.id, level: 'BASIC' }, 1);
  await parties.decide('changeCertLevel', { ieoId: proposed.id, level: 'ADVANCED' });
  await parties.decide('suspendIEO', { ieoId: suspended.id, reason: 'A complaint.' });
  const states = await Promise.all([certified, declined, removed, proposed, suspended].map(read));
  expect(states.map(({ status }) => status)).toEqual(['ANSWERED', 'ANSWERED', 'OPEN', 'ANSWERED', 'OPEN']);
  expect(states[1].reason).toBeNull();
  expect(await codeOf(ask(suspended))).toEqual([403, 'IEO_NOT_ACTIVE']);
  expect((await withdraw(suspended)).status).toBe(200);
});

test('what is wrong with a request is refused with its code, and changes nothing', async () => {
  const [lab, other] = [await parties.newInstitution(), await parties.newInstitution()];
  await ask(lab);
  const before = await read(lab);
  const wrong: [Fields, unknown][] = [
    [{ ...ASKED, level: 'UNCERTIFIED' }, [400, 'VALIDATION_FAILED']],
    [{ ...ASKED, grounds: '' }, [400, 'VALIDATION_FAILED']],
    [{ ...ASKED, grounds: 'g'.repeat(2_001) }, [400, 'VALIDATION_FAILED']],
    [{ ...ASKED, categories: ['BSP-XX'] }, [400, 'VALIDATION_FAILED']],
    [{ ...ASKED, intents: ['READ'] }, [400, 'VALIDATION_FAILED']],
    [{ ...ASKED, more: true }, [400, 'VALIDATION_FAILED']],
  ];
  for (const [fields, expected] of wrong)
    expect(await codeOf(ask(lab, fields)), JSON.stringify(fields)).toEqual(expected);
  expect(await codeOf(ask(lab, ASKED, other))).toEqual([401, 'INVALID_SIGNATURE']);
  expect(await codeOf(ask({ ...lab, id: 'unknown.bsp' }))).toEqual([404, 'IEO_NOT_FOUND']);
  const used = parties.sign(lab.person, 'requestCertification', { ieoId: lab.id, ...ASKED, grounds: 'Twice.' });
  expect((await service.post(PATH, used)).status).toBe(200);
  expect(await codeOf(service.post(PATH, used))).toEqual([409, 'NONCE_REUSED']);
  await ask(lab);
  expect(await read(lab)).toEqual({ ...before, requested_at: expect.any(String) });
  await parties.ieo(lab, 'lock', 'lockIEO');
  expect(await codeOf(ask(lab))).toEqual([423, 'IEO_LOCKED']);
});

test('no request is stored after the end of the institution, or under a key that was replaced', async () => {
  const [ended, rotated] = [await parties.newInstitution(), await parties.newInstitution()];
  const context = service.service.context;
  // What a request has read that is checked before a change, and stored after it.
  const before = new Map<string, unknown>();
  for (const { id } of [ended, rotated]) before.set(id, await context.readers.IEO.entity(id, 'ieoId'));
  await parties.ieo(ended, 'destroy', 'destroyIEO');
  const next = newPerson();
  await parties.ieo(rotated, 'rotate-key', 'rotateKey', { newPublicKey: next.publicKey });
  for (const lab of [ended, rotated]) {
    const stale = {
      ...context,
      readers: { ...context.readers, IEO: { ...context.readers.IEO, entity: async () => before.get(lab.id) } },
    } as unknown as typeof context;
    const body = parties.sign(lab.person, 'requestCertification', { ieoId: lab.id, ...ASKED });
    await expect(requestCertification(stale, body, null)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  }
  const { rows } = await context.pool.query('SELECT FROM certification_requests WHERE ieo_id = ANY($1::uuid[])', [
    [ended.id, rotated.id],
  ]);
  expect(rows).toEqual([]);
});
