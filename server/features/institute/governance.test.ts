import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../protocol/errors.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { openReceipt, wholeChain } from '../../ledger/test-chain.ts';
import { createClock } from '../../platform/db/clock.ts';
import { type Answer, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, type Party, partiesOf } from '../../write/test-parties.ts';

let shift = 0;
let service: TestService;
let parties: Parties;
let clinic: Party;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  parties = partiesOf(service, () => Date.now() + shift);
  clinic = await parties.newInstitution();
});
afterAll(() => service.stop());

const DAY = 24 * 3_600_000;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const JUSTIFICATION = 'A complaint was found to be true.';

const read = async (ieoId: string) => (await service.get(`/api/ieos/${ieoId}`)).body.ieo;
const certification = async (ieoId: string) => (await service.get(`/api/ieos/${ieoId}/certification`)).body;
const keysOf = (body: object) => Object.keys(body).sort();
const inDays = (days: number) => new Date(Date.now() + shift + days * DAY).toISOString();

async function opened(action: string, params: Json, key = 1) {
  const answer = await parties.propose(action, params, key);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.proposal;
}

async function executed(proposalId: string, key: number): Promise<Answer> {
  const answer = await parties.approve(proposalId, key);
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ executed: true, proposal: { status: 'EXECUTED' } });
  return answer;
}

describe('a proposal', () => {
  test('has no characters that change the order of its text', async () => {
    const params = { ieoId: clinic.id, reason: 'Two \u202ecomplaints.' };
    const { status, body } = await parties.propose('suspendIEO', params, 2);
    expect([status, body.code, body.details.issues[0].path]).toEqual([400, 'VALIDATION_FAILED', 'params.reason']);
  });

  test('is opened and thereby approved by one key, and changes nothing', async () => {
    const params = { ieoId: clinic.domain.toUpperCase(), reason: 'Two complaints.' };
    const { status, headers, body } = await parties.propose('suspendIEO', params, 2);
    expect([status, keysOf(body)]).toEqual([200, ['executed', 'proposal', 'receipt', 'transactionId']]);
    expect(headers.get('location')).toBe(`/api/transactions/${body.transactionId}`);
    const { item, entry } = openReceipt(body.receipt);
    expect(item.id).toBe(body.transactionId);
    const at = entry.accepted_at;
    expect(body.executed).toBe(false);
    expect(body.proposal).toEqual({
      proposal_id: expect.stringMatching(UUID),
      action: 'suspendIEO',
      params,
      justification: JUSTIFICATION,
      status: 'PENDING',
      approvals: [{ approver: 2, approved_at: at }],
      opened_at: at,
      expires_at: new Date(Date.parse(at) + 7 * DAY).toISOString(),
      executed_at: null,
      version: '1.0.0',
      arweave_tx: body.transactionId,
      ledger: { seq: entry.seq, status: 'ACCEPTED' },
    });
    expect(entry).toEqual({
      v: 1,
      epoch: 1,
      seq: entry.seq,
      prev: entry.prev,
      accepted_at: expect.stringMatching(INSTANT),
      function: 'openProposal',
      entity_id: body.proposal.proposal_id,
      signer: null,
      signature: null,
      message: { function: 'openProposal', action: 'suspendIEO', params, justification: JUSTIFICATION, approver: 2 },
      assigned: { institution: clinic.id },
    });
    expect((await read(clinic.id)).status).toBe('ACTIVE');
  });

  test('is executed by the second of three keys, whichever two they are', async () => {
    for (const [first, second] of [
      [1, 2],
      [3, 1],
      [2, 3],
    ] as const) {
      const { id } = await parties.newInstitution();
      const { proposal_id, expires_at, opened_at } = await opened('suspendIEO', { ieoId: id, reason: 'Late.' }, first);
      const { status, headers, body } = await executed(proposal_id, second);
      expect([status, keysOf(body)]).toEqual([200, ['executed', 'proposal', 'receipt', 'transactionId']]);
      expect(headers.get('location')).toBe(`/api/transactions/${body.transactionId}`);
      const { entry } = openReceipt(body.receipt);
      expect(entry).toMatchObject({
        function: 'approveProposal',
        entity_id: proposal_id,
        signer: null,
        signature: null,
        message: { function: 'approveProposal', proposalId: proposal_id, approver: second },
      });
      expect(body.proposal).toMatchObject({
        proposal_id,
        opened_at,
        expires_at,
        approvals: [
          { approver: first, approved_at: opened_at },
          { approver: second, approved_at: entry.accepted_at },
        ],
        executed_at: entry.accepted_at,
        ledger: { seq: entry.seq, status: 'ACCEPTED' },
      });
      expect(await read(id)).toMatchObject({
        status: 'SUSPENDED',
        updated_at: entry.accepted_at,
        ledger: { seq: entry.seq },
      });
    }
  });

  test('is approved by its id in any case, or its transaction', async () => {
    for (const nameOf of [
      ({ proposal_id }: { proposal_id: string }) => proposal_id.toUpperCase(),
      ({ arweave_tx }: { arweave_tx: string }) => arweave_tx,
    ]) {
      const { id } = await parties.newInstitution();
      const proposal = await opened('suspendIEO', { ieoId: id, reason: 'Late.' });
      const { body } = await executed(nameOf(proposal), 3);
      expect(body.proposal).toMatchObject({ proposal_id: proposal.proposal_id, arweave_tx: proposal.arweave_tx });
      expect(openReceipt(body.receipt).entry).toMatchObject({
        entity_id: proposal.proposal_id,
        message: { proposalId: nameOf(proposal) },
      });
    }
  });

  test('is not approved twice by one key, before or after it is executed; a third key comes too late', async () => {
    const { id } = await parties.newInstitution();
    const { proposal_id } = await opened('suspendIEO', { ieoId: id, reason: 'Late.' });
    expectRefusal(await parties.approve(proposal_id, 1), 'ALREADY_APPROVED');
    expect((await read(id)).status).toBe('ACTIVE');
    await executed(proposal_id, 2);
    expectRefusal(await parties.approve(proposal_id, 1), 'ALREADY_APPROVED');
    expectRefusal(await parties.approve(proposal_id, 2), 'ALREADY_APPROVED');
    expectRefusal(await parties.approve(proposal_id, 3), 'REQUEST_CLOSED');
  });

  test('expires after seven days, and can then be opened anew', async () => {
    const { id } = await parties.newInstitution();
    const early = await opened('suspendIEO', { ieoId: id, reason: 'Late.' });
    shift += 7 * DAY - 60_000;
    const other = await parties.newInstitution();
    const late = await opened('suspendIEO', { ieoId: other.id, reason: 'Late.' });
    await executed(early.proposal_id, 2);
    await parties.decide('reinstateIEO', { ieoId: id });
    shift += 7 * DAY + 60_000;
    expectRefusal(await parties.approve(late.proposal_id, 2), 'REQUEST_CLOSED');
    expectRefusal(await parties.approve(late.proposal_id, 1), 'ALREADY_APPROVED');
    expect((await read(other.id)).status).toBe('ACTIVE');
    await parties.decide('suspendIEO', { ieoId: other.id, reason: 'Late.' });
    expect((await read(other.id)).status).toBe('SUSPENDED');
  });

  test('that does not exist cannot be approved', async () => {
    for (const id of [randomUUID(), 'A'.repeat(43), clinic.id, clinic.transactionId]) {
      expectRefusal(await parties.approve(id, 1), 'PROPOSAL_NOT_FOUND');
    }
  });
});

describe('the institute', () => {
  test('suspends an institution, active or locked, and reinstates it as active', async () => {
    const party = await parties.newInstitution();
    await parties.ieo(party, 'lock', 'lockIEO');
    await parties.decide('suspendIEO', { ieoId: party.id, reason: 'Late.' });
    expect(await read(party.id)).toMatchObject({ status: 'SUSPENDED', locked_at: null });
    expectRefusal(await parties.propose('suspendIEO', { ieoId: party.id, reason: 'Late.' }), 'IEO_NOT_ACTIVE');
    const { body } = await parties.decide('reinstateIEO', { ieoId: party.transactionId });
    expect(await read(party.id)).toMatchObject({ status: 'ACTIVE', updated_at: body.proposal.executed_at });
    expectRefusal(await parties.propose('reinstateIEO', { ieoId: party.id }), 'NOT_LOCKED');
    await parties.ieo(party, 'lock', 'lockIEO');
    expectRefusal(await parties.propose('reinstateIEO', { ieoId: party.id }), 'NOT_LOCKED');
  });

  test('revokes an institution for good, in whatever state', async () => {
    const several = await Promise.all([1, 2, 3].map(() => parties.newInstitution()));
    const [, locked, suspended] = several;
    if (locked) await parties.ieo(locked, 'lock', 'lockIEO');
    await parties.decide('suspendIEO', { ieoId: suspended?.id ?? '', reason: 'Late.' });
    for (const { id } of several) {
      await parties.decide('revokeIEO', { ieoId: id, reason: 'Never came.' });
      expect(await read(id)).toMatchObject({ status: 'REVOKED', locked_at: null });
      for (const [action, params] of [
        ['suspendIEO', { ieoId: id, reason: 'Again.' }],
        ['reinstateIEO', { ieoId: id }],
        ['revokeIEO', { ieoId: id, reason: 'Again.' }],
        ['changeCertLevel', { ieoId: id, level: 'BASIC' }],
      ] as const) {
        expectRefusal(await parties.propose(action, params), 'IEO_NOT_ACTIVE');
      }
      expectRefusal(await parties.institute('certification', { ieoId: id, level: 'BASIC' }, 1), 'IEO_NOT_ACTIVE');
    }
  });

  test('changes the level and the end of a certification, but not its scope', async () => {
    const { id } = await parties.newInstitution();
    const scope = { categories: ['BSP-LA'], intents: ['SUBMIT_RECORD'] };
    await parties.institute('certification', { ieoId: id, level: 'BASIC', ...scope }, 1);
    const expiresAt = inDays(90);
    const { body } = await parties.decide('changeCertLevel', { ieoId: id, level: 'ADVANCED', expiresAt });
    expect((await read(id)).certification).toEqual({
      level: 'ADVANCED',
      granted_at: body.proposal.executed_at,
      expires_at: expiresAt,
      ...scope,
    });
    await parties.decide('changeCertLevel', { ieoId: id, level: 'RESEARCH_PARTNER' });
    expect((await read(id)).certification).toMatchObject({ level: 'RESEARCH_PARTNER', expires_at: null, ...scope });
    await parties.decide('changeCertLevel', { ieoId: id, level: 'UNCERTIFIED' });
    expect((await read(id)).certification).toEqual({
      level: 'UNCERTIFIED',
      granted_at: null,
      expires_at: null,
      categories: [],
      intents: [],
    });
    await parties.decide('suspendIEO', { ieoId: id, reason: 'Late.' });
    await parties.decide('changeCertLevel', { ieoId: id, level: 'BASIC', expiresAt: null });
    expect(await read(id)).toMatchObject({ status: 'SUSPENDED', certification: { level: 'BASIC' } });
  });

  test('applies to the institution’s state at the second approval', async () => {
    const party = await parties.newInstitution();
    const reason = 'Late.';
    const { proposal_id: suspend } = await opened('suspendIEO', { ieoId: party.id, reason });
    await parties.decide('suspendIEO', { ieoId: party.id, reason });
    expectRefusal(await parties.approve(suspend, 3), 'IEO_NOT_ACTIVE');
    const { proposal_id: reinstate } = await opened('reinstateIEO', { ieoId: party.id });
    await parties.decide('reinstateIEO', { ieoId: party.id });
    expectRefusal(await parties.approve(reinstate, 3), 'NOT_LOCKED');
    await executed(suspend, 3);
    await executed(reinstate, 3);
    expect((await read(party.id)).status).toBe('ACTIVE');

    const { proposal_id: last } = await opened('suspendIEO', { ieoId: party.id, reason });
    await parties.ieo(party, 'lock', 'lockIEO');
    const successor = { ...party, person: newPerson() };
    await parties.ieo(party, 'rotate-key', 'rotateKey', { newPublicKey: successor.person.publicKey });
    await executed(last, 3);
    const { proposal_id: tooLate } = await opened('reinstateIEO', { ieoId: party.id });
    await parties.ieo(successor, 'destroy', 'destroyIEO');
    expectRefusal(await parties.approve(tooLate, 2), 'IEO_DESTROYED');
    expectRefusal(await parties.approve(suspend, 1), 'IEO_DESTROYED');
    expectRefusal(await parties.propose('reinstateIEO', { ieoId: party.domain }), 'IEO_DESTROYED');
    expectRefusal(await parties.institute('certification', { ieoId: party.id, level: 'BASIC' }, 1), 'IEO_DESTROYED');
  });

  test('certifies with one key: level, scope and end', async () => {
    const { id, domain, transactionId } = await parties.newInstitution();
    const categories = ['BSP-LA', 'BSP-DV'];
    const intents = ['SUBMIT_RECORD', 'READ_RECORDS'];
    const expiresAt = '2199-01-01T00:00:00+01:00';
    const sent = { ieoId: domain, level: 'ADVANCED', categories, intents, expiresAt };
    const { status, headers, body } = await parties.institute('certification', sent, 3);
    expect([status, keysOf(body)]).toEqual([200, ['ieo', 'receipt', 'transactionId']]);
    expect(headers.get('location')).toBe(`/api/transactions/${body.transactionId}`);
    const { entry } = openReceipt(body.receipt);
    expect(entry).toEqual({
      v: 1,
      epoch: 1,
      seq: entry.seq,
      prev: entry.prev,
      accepted_at: entry.accepted_at,
      function: 'updateCertification',
      entity_id: id,
      signer: null,
      signature: null,
      message: { function: 'updateCertification', ...sent, approver: 3 },
    });
    const granted = { level: 'ADVANCED', granted_at: entry.accepted_at, expires_at: '2198-12-31T23:00:00.000Z' };
    expect(body.ieo.certification).toEqual({ ...granted, categories, intents });
    const found = await read(id);
    expect({ ...found, ledger: null }).toEqual({ ...body.ieo, ledger: null });
    expect(await certification(id)).toEqual({ certified: true, ...granted, categories, intents });

    const again = await parties.institute('certification', { ieoId: transactionId, level: 'BASIC' }, 1);
    expect(again.body.ieo.certification).toEqual({
      level: 'BASIC',
      granted_at: again.body.ieo.updated_at,
      expires_at: null,
      categories: [],
      intents: [],
    });
    await parties.institute('certification', { ieoId: id, level: 'UNCERTIFIED', categories }, 2);
    expect((await read(id)).certification).toMatchObject({ level: 'UNCERTIFIED', granted_at: null, categories: [] });
    expect(await certification(id)).toMatchObject({ certified: false, reason: 'UNCERTIFIED' });
  });

  test('certifies until a future time, after which it has expired', async () => {
    const { id } = await parties.newInstitution();
    await parties.institute('certification', { ieoId: id, level: 'BASIC', expiresAt: inDays(1) }, 1);
    expect(await certification(id)).toMatchObject({ certified: true, level: 'BASIC' });
    shift += DAY + 60_000;
    expect(await certification(id)).toMatchObject({ certified: false, reason: 'CERTIFICATION_EXPIRED' });
    expect((await read(id)).certification.level).toBe('BASIC');
  });
});

describe('a request of the institute is refused', () => {
  const proposal = (more: Record<string, Json> = {}) => ({
    action: 'suspendIEO',
    params: { ieoId: clinic.id, reason: 'Late.' },
    justification: JUSTIFICATION,
    ...more,
  });
  const params = (more: Record<string, Json>, action = 'suspendIEO') =>
    proposal({ action, params: { ieoId: clinic.id, ...more } });
  const certificate = (more: Record<string, Json> = {}) => ({ ieoId: clinic.id, level: 'BASIC', ...more });
  const signed = () => parties.sign(clinic.person, 'openProposal', proposal());

  test.each<[ErrorCode, string, 'approve' | 'certification', () => Json]>([
    ['VALIDATION_FAILED', 'nothing', 'approve', () => ({})],
    ['VALIDATION_FAILED', 'a list', 'approve', () => []],
    ['VALIDATION_FAILED', 'null', 'certification', () => null],
    ['VALIDATION_FAILED', 'an action that does not exist', 'approve', () => proposal({ action: 'destroyIEO' })],
    ['VALIDATION_FAILED', 'an action every object has', 'approve', () => proposal({ action: 'constructor' })],
    ['VALIDATION_FAILED', 'a suspension without a reason', 'approve', () => params({})],
    ['VALIDATION_FAILED', 'an empty reason', 'approve', () => params({ reason: ' ' })],
    ['VALIDATION_FAILED', 'a reason of 501 characters', 'approve', () => params({ reason: 'r'.repeat(501) })],
    ['VALIDATION_FAILED', 'a reason to reinstate', 'approve', () => params({ reason: 'Good.' }, 'reinstateIEO')],
    ['VALIDATION_FAILED', 'a level to suspend', 'approve', () => params({ reason: 'Late.', level: 'BASIC' })],
    ['VALIDATION_FAILED', 'no level to change to', 'approve', () => params({}, 'changeCertLevel')],
    ['VALIDATION_FAILED', 'a level that does not exist', 'approve', () => params({ level: 'GOLD' }, 'changeCertLevel')],
    [
      'VALIDATION_FAILED',
      'an end that is no time',
      'approve',
      () => params({ level: 'BASIC', expiresAt: 'never' }, 'changeCertLevel'),
    ],
    ['VALIDATION_FAILED', 'no institution', 'approve', () => proposal({ params: { reason: 'Late.' } })],
    ['VALIDATION_FAILED', 'an id that is no id', 'approve', () => params({ ieoId: 'clinic', reason: 'Late.' })],
    ['VALIDATION_FAILED', 'a domain elsewhere', 'approve', () => params({ ieoId: 'clinic.example', reason: 'Late.' })],
    ['VALIDATION_FAILED', 'params as a list', 'approve', () => proposal({ params: [] })],
    ['VALIDATION_FAILED', 'params left out', 'approve', () => ({ action: 'suspendIEO', justification: JUSTIFICATION })],
    ['VALIDATION_FAILED', 'no justification', 'approve', () => proposal({ justification: '' })],
    [
      'VALIDATION_FAILED',
      'a justification of 1 001 characters',
      'approve',
      () => proposal({ justification: 'j'.repeat(1_001) }),
    ],
    ['VALIDATION_FAILED', 'opening and approving at once', 'approve', () => proposal({ proposalId: randomUUID() })],
    ['VALIDATION_FAILED', 'an approver of one’s own choice', 'approve', () => proposal({ approver: 3 })],
    ['VALIDATION_FAILED', 'an id of a proposal that is none', 'approve', () => ({ proposalId: 'the last one' })],
    ['VALIDATION_FAILED', 'a domain for a proposal', 'approve', () => ({ proposalId: clinic.domain })],
    ['VALIDATION_FAILED', 'a signature', 'approve', signed],
    ['VALIDATION_FAILED', 'a nonce', 'approve', () => proposal({ nonce: randomUUID() })],
    ['VALIDATION_FAILED', 'a timestamp', 'approve', () => ({ proposalId: randomUUID(), timestamp: inDays(0) })],
    ['VALIDATION_FAILED', 'a signature that is null', 'certification', () => certificate({ signature: null })],
    ['VALIDATION_FAILED', 'a nonce', 'certification', () => certificate({ nonce: randomUUID() })],
    ['VALIDATION_FAILED', 'no level', 'certification', () => ({ ieoId: clinic.id })],
    ['VALIDATION_FAILED', 'a level in lower case', 'certification', () => certificate({ level: 'basic' })],
    [
      'VALIDATION_FAILED',
      'a category that does not exist',
      'certification',
      () => certificate({ categories: ['BSP-ZZ'] }),
    ],
    ['VALIDATION_FAILED', 'an intent that does not exist', 'certification', () => certificate({ intents: ['ALL'] })],
    ['VALIDATION_FAILED', 'an end that is over', 'certification', () => certificate({ expiresAt: inDays(-1) })],
    ['VALIDATION_FAILED', 'a day without a time', 'certification', () => certificate({ expiresAt: '2030-01-01' })],
    [
      'VALIDATION_FAILED',
      'an end in the year 10000',
      'certification',
      () => certificate({ expiresAt: '9999-12-31T23:59:59-23:59' }),
    ],
    ['VALIDATION_FAILED', 'a category twice', 'certification', () => certificate({ categories: ['BSP-LA', 'BSP-LA'] })],
    ['VALIDATION_FAILED', 'a justification', 'certification', () => certificate({ justification: 'Good.' })],
    ['IEO_NOT_FOUND', 'nobody we know', 'approve', () => params({ ieoId: randomUUID(), reason: 'Late.' })],
    ['IEO_NOT_FOUND', 'nobody we know', 'certification', () => certificate({ ieoId: 'nobody.bsp' })],
    ['NOT_LOCKED', 'reinstating what is not suspended', 'approve', () => params({}, 'reinstateIEO')],
  ])('with %s for %s: %s', async (code, _, path, body) => {
    const answer = await parties.institute(path, body(), 1);
    expectRefusal(answer, code);
  });

  test('naming what is wrong within the params', async () => {
    const { body } = await parties.propose('changeCertLevel', { ieoId: 'clinic', level: 'GOLD' });
    expect(body.details.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      'params.ieoId',
      'params.level',
    ]);
  });

  test('but not at the limits of what is allowed', async () => {
    const edge = proposal({ params: { ieoId: clinic.id, reason: 'r'.repeat(500) }, justification: 'j'.repeat(1_000) });
    expect((await parties.institute('approve', edge, 1)).status).toBe(200);
  });
});

describe('a request without a valid institute key', () => {
  const BODIES = (): Record<'approve' | 'certification', Json[]> => ({
    approve: [
      { action: 'suspendIEO', params: { ieoId: clinic.id, reason: 'Late.' }, justification: 'Because.' },
      { action: 'suspendIEO', params: { ieoId: randomUUID(), reason: 'Late.' }, justification: 'Because.' },
      { action: 'nothing' },
      { proposalId: pending },
      { proposalId: randomUUID() },
      { proposalId: 'the last one' },
      {},
      null,
    ],
    certification: [{ ieoId: clinic.id, level: 'BASIC' }, { ieoId: randomUUID(), level: 'BASIC' }, { level: 7 }, []],
  });
  let pending: string;
  let key: string;
  beforeAll(async () => {
    pending = (await opened('suspendIEO', { ieoId: clinic.id, reason: 'Late.' })).proposal_id;
    key = service.instituteKeys[0] ?? '';
  });

  /** What an answer says to somebody who compares it with others. */
  function told({ status, headers, body: { request_id, ...body } }: Answer) {
    expect(request_id).toBe(headers.get('x-request-id'));
    const rest = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
    return JSON.stringify([status, body, rest]);
  }

  async function ask(headers: Record<string, string>, query = ''): Promise<Answer[]> {
    const requests = Object.entries(BODIES()).flatMap(([path, bodies]) =>
      bodies.map((body) => service.post(`/api/ieo/${path}${query}`, JSON.stringify(body), headers)),
    );
    return Promise.all(requests);
  }

  const headSeq = async () => (await service.get('/api/ledger')).body.head.seq;

  test('gets INSTITUTE_KEY_MISSING, wherever else the key may be', async () => {
    const seq = await headSeq();
    const answers = await Promise.all([
      ask({}),
      ask({ 'x-institute-key': '' }),
      ask({ authorization: `Bearer ${key}` }),
      ask({ authorization: key }),
      ask({ cookie: `X-Institute-Key=${key}; x-institute-key=${key}` }),
      ask({ 'x-api-key': key, 'institute-key': key, 'x-institute_key': key }),
      ask({}, `?X-Institute-Key=${key}`),
      ask({}, `?x-institute-key=${key}&key=${key}`),
    ]);
    for (const answer of answers.flat()) expectRefusal(answer, 'INSTITUTE_KEY_MISSING');
    expect(new Set(answers.flat().map(told)).size).toBe(1);
    const inBody = await service.post('/api/ieo/approve', { proposalId: pending, 'X-Institute-Key': key });
    expectRefusal(inBody, 'INSTITUTE_KEY_MISSING');
    expect(await headSeq()).toBe(seq);
  });

  test('gets INSTITUTE_KEY_INVALID, however close the key', async () => {
    const seq = await headSeq();
    const [first, second] = service.instituteKeys;
    const otherThan = (character: string) => (character === 'A' ? 'B' : 'A');
    const wrong = [
      'x',
      key.slice(0, -1),
      key.slice(1),
      `${key}A`,
      key.slice(0, -1) + otherThan(key.slice(-1)),
      otherThan(key.slice(0, 1)) + key.slice(1),
      `${key.slice(0, 20)} ${key.slice(20)}`,
      `"${key}"`,
      `Bearer ${key}`,
      `${first}, ${second}`,
      `${key}, ${key}`,
      key.toLowerCase(),
      key.toUpperCase(),
      service.service.context.instituteDigests?.[0].toString('hex') ?? '',
      'A'.repeat(key.length),
      'k'.repeat(10_000),
      'ÿ'.repeat(43),
      newPerson().publicKey,
    ];
    const answers = await Promise.all(wrong.map((guess) => ask({ 'x-institute-key': guess })));
    for (const answer of answers.flat()) {
      expectRefusal(answer, 'INSTITUTE_KEY_INVALID');
      expect(answer.body.details).toBe(undefined);
    }
    expect(new Set(answers.flat().map(told)).size).toBe(1);
    const parameters = await ask({ 'x-institute-key': 'x' }, '?dry_run=1');
    expect(new Set(parameters.map(told))).toEqual(new Set(answers.flat().map(told)));
    expect(await headSeq()).toBe(seq);
  });

  test('cannot send two key headers', async () => {
    const twice = new Headers({ 'content-type': 'application/json' });
    for (const one of service.instituteKeys.slice(0, 2)) twice.append('x-institute-key', one);
    const body = JSON.stringify({ proposalId: pending });
    const init = { method: 'POST', headers: twice, body };
    expectRefusal(await service.request('/api/ieo/approve', init), 'INSTITUTE_KEY_INVALID');
  });

  test('does not see a proposal', async () => {
    for (const path of [`/api/ieos/${pending}`, `/api/beos/${pending}`]) {
      expect((await service.get(path)).status).toBe(404);
    }
    expect(JSON.stringify((await service.get(`/api/ieos/${clinic.id}`)).body)).not.toContain(pending);
    expectRefusal(await service.get('/api/ieo/approve'), 'METHOD_NOT_ALLOWED');
  });

  test('but a valid key gets detailed errors', async () => {
    const withKey = (body: Json) => service.post('/api/ieo/approve', body, { 'x-institute-key': key });
    expectRefusal(await withKey({ proposalId: pending }), 'ALREADY_APPROVED');
    expectRefusal(await withKey({ proposalId: randomUUID() }), 'PROPOSAL_NOT_FOUND');
    const upper = await service.post('/api/ieo/approve?dry_run=1', { proposalId: pending }, { 'X-INSTITUTE-KEY': key });
    expectRefusal(upper, 'VALIDATION_FAILED');
  });
});

test('the keys are in no response, table or ledger entry', async () => {
  const { pool } = service.service.context;
  const entries = await wholeChain(pool);
  const tables = await pool.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const stored = [];
  for (const { name } of tables.rows) stored.push((await pool.query(`SELECT t::text AS row FROM ${name} t`)).rows);
  const reads = ['/api/ledger', '/ready', '/metrics', '/health'].map((path) => service.get(path));
  const text = JSON.stringify([entries, stored, ...(await Promise.all(reads)).map(({ body }) => body)]);
  const digests = (service.service.context.instituteDigests ?? []).map((digest) => digest.toString('hex'));
  expect(digests).toHaveLength(3);
  for (const secret of [...service.instituteKeys, ...digests]) expect(text.includes(secret)).toBe(false);
});
