import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, type Party, partiesOf } from '../../write/test-parties.ts';

let service: TestService;
let parties: Parties;
let clinic: Party;
let used = 0;

beforeAll(async () => {
  service = await startTestService();
  parties = partiesOf(service);
  clinic = await parties.newInstitution();
});
afterAll(() => service.stop());

const newKey = () => `decision-${++used}`;
const headSeq = async () => (await service.get('/api/ledger')).body.head.seq;
const suspension = (reason = 'A complaint.') => ({
  action: 'suspendIEO',
  params: { ieoId: clinic.id, reason },
  justification: 'It was found to be true.',
});

const send = (body: Json, idempotencyKey: string, { key = 1, path = 'approve' } = {}) =>
  service.post(`/api/ieo/${path}`, body, {
    'x-institute-key': service.instituteKeys[key - 1] ?? '',
    'idempotency-key': idempotencyKey,
  });

test('a repeated proposal is opened once and gets the same response', async () => {
  const key = newKey();
  const seq = await headSeq();
  const first = await send(suspension(), key);
  const repeated = await send(suspension(), key);
  expect([first.status, repeated.status]).toEqual([200, 200]);
  expect(repeated.body).toEqual(first.body);
  expect(repeated.headers.get('location')).toBe(`/api/transactions/${first.body.transactionId}`);
  expect(await headSeq()).toBe(seq + 1);
});

test('tRPC takes the key too', async () => {
  const headers = { 'x-institute-key': service.instituteKeys[0] ?? '', 'idempotency-key': newKey() };
  const call = { function: 'openProposal', body: suspension('Through tRPC.') };
  const seq = await headSeq();
  const first = await service.post('/api/trpc/operate', call, headers);
  const repeated = await service.post('/api/trpc/operate', call, headers);
  expect([first.status, repeated.body]).toEqual([200, first.body]);
  expect(await headSeq()).toBe(seq + 1);
});

test('twenty copies at once open one proposal', async () => {
  const key = newKey();
  const seq = await headSeq();
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(suspension('At once.'), key)));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.transactionId}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(await headSeq()).toBe(seq + 1);
});

test('a repeated approval reports that it executed the proposal', async () => {
  const { body } = await send(suspension('For good.'), newKey());
  const key = newKey();
  const approval = { proposalId: body.proposal.proposal_id };
  const first = await send(approval, key, { key: 2 });
  const repeated = await send(approval, key, { key: 2 });
  expect(first.body).toMatchObject({ executed: true });
  expect(repeated.body).toEqual(first.body);
  expectRefusal(await send(approval, newKey(), { key: 2 }), 'ALREADY_APPROVED');
  await parties.decide('reinstateIEO', { ieoId: clinic.id });
});

test('a repeated certification is applied once', async () => {
  const key = newKey();
  const body = { ieoId: clinic.id, level: 'BASIC' };
  const seq = await headSeq();
  const first = await send(body, key, { path: 'certification' });
  const repeated = await send(body, key, { path: 'certification' });
  expect([repeated.status, repeated.body.transactionId]).toEqual([200, first.body.transactionId]);
  expect(repeated.body.ieo.certification).toEqual(first.body.ieo.certification);
  expect(await headSeq()).toBe(seq + 1);
});

test('a key cannot be used for another request', async () => {
  const key = newKey();
  const first = await send(suspension('One reason.'), key);
  const other = await send(suspension('Another reason.'), key);
  expectRefusal(other, 'IDEMPOTENCY_KEY_REUSED');
  expect(other.body.details).toEqual({ transactionId: first.body.transactionId });
});

test('each institute key has its own idempotency keys', async () => {
  const key = newKey();
  const first = await send(suspension('Mine.'), key);
  const other = await send(suspension('Mine.'), key, { key: 2 });
  expect(other.status).toBe(200);
  expect(other.body.transactionId).not.toBe(first.body.transactionId);
});

test('a refused request leaves the key unused', async () => {
  const key = newKey();
  const { body } = await send(suspension('Wait.'), newKey());
  expectRefusal(await send({ proposalId: body.proposal.proposal_id }, key), 'ALREADY_APPROVED');
  expect((await send(suspension('Later.'), key)).status).toBe(200);
});

test.each([
  ['empty', ''],
  ['with a space', 'two words'],
  ['too long', 'x'.repeat(256)],
  ['not in ASCII', 'clé'],
])('a key that is %s is refused', async (_, key) => {
  const seq = await headSeq();
  const answer = await send(suspension('Bad key.'), key);
  expectRefusal(answer, 'VALIDATION_FAILED');
  expect(answer.body.details.issues[0].path).toBe('Idempotency-Key');
  expect(await headSeq()).toBe(seq);
});

test('without a key two equal requests open two proposals', async () => {
  const first = await parties.propose('suspendIEO', { ieoId: clinic.id, reason: 'Twice.' });
  const second = await parties.propose('suspendIEO', { ieoId: clinic.id, reason: 'Twice.' });
  expect(second.body.transactionId).not.toBe(first.body.transactionId);
});
