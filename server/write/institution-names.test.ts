import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../protocol/errors.ts';
import { expectRefusal } from '../http/rest/test-refusal.ts';
import { wholeChain } from '../ledger/test-chain.ts';
import { createClock } from '../platform/db/clock.ts';
import { newPerson, startTestService, type TestService } from '../testing/test-service.ts';
import { type Fields, type Parties, type Party, partiesOf } from './test-parties.ts';

let shift = 0;
let service: TestService;
let parties: Parties;
let clinic: Party;
beforeAll(async () => {
  service = await startTestService({ OPERATOR_NAME: 'Fundação Modelo' }, { clock: createClock(Date.now, () => shift) });
  parties = partiesOf(service, () => Date.now() + shift);
  clinic = await parties.newInstitution();
});
afterAll(() => service.stop());

const certification = async (reference: string) => (await service.get(`/api/ieos/${reference}/certification`)).body;

describe('domains', () => {
  test('are shared by persons and institutions', async () => {
    const holder = await parties.newHolder();
    const person = newPerson();
    const beo = (domain: string) =>
      service.post(
        '/api/relayer/beo',
        parties.sign(person, 'createBEO', { domain, publicKey: person.publicKey, recovery: null }),
      );
    const ieo = (domain: string) =>
      service.post('/api/ieo', parties.sign(person, 'createIEO', parties.ieoFields(person, { domain })));
    for (const taken of [clinic.domain, clinic.domain.toUpperCase()]) {
      expectRefusal(await beo(taken), 'DOMAIN_TAKEN');
      expectRefusal(await ieo(taken), 'DOMAIN_TAKEN');
    }
    for (const taken of [holder.domain, holder.domain.toUpperCase()]) expectRefusal(await ieo(taken), 'DOMAIN_TAKEN');
  });

  test('of destroyed persons are never given to institutions', async () => {
    const holder = await parties.newHolder();
    await parties.beo(holder, 'destroy', 'destroyBEO');
    const person = newPerson();
    const createWithDomain = () =>
      service.post('/api/ieo', parties.sign(person, 'createIEO', parties.ieoFields(person, { domain: holder.domain })));
    expectRefusal(await createWithDomain(), 'DOMAIN_TAKEN');
    shift += 10.1 * 60_000;
    expectRefusal(await createWithDomain(), 'DOMAIN_TAKEN');
    await service.service.context.pool.query('DELETE FROM names WHERE holder_id IS NULL');
    expectRefusal(await createWithDomain(), 'DOMAIN_TAKEN');
  });
});

describe('a reference finds only the requested kind of entity', () => {
  let holder: Party;
  let token: { token_id: string; arweave_tx: string };
  let proposal: { proposal_id: string; arweave_tx: string };
  let rotation: string;
  beforeAll(async () => {
    holder = await parties.newHolder();
    token = await parties.granted(holder, clinic.id);
    proposal = (await parties.propose('changeCertLevel', { ieoId: clinic.id, level: 'BASIC' })).body.proposal;
    const rotated = await parties.newInstitution();
    const { body } = await parties.ieo(rotated, 'rotate-key', 'rotateKey', { newPublicKey: newPerson().publicKey });
    rotation = body.transactionId;
  });

  test('in reads', async () => {
    const people = [holder.id, holder.domain, holder.transactionId];
    const institutions = [clinic.id, clinic.domain, clinic.domain.toUpperCase(), clinic.transactionId];
    const others = [proposal.proposal_id, proposal.arweave_tx, token.arweave_tx, rotation, randomUUID()];
    for (const name of [...people, ...others]) {
      expectRefusal(await service.get(`/api/ieos/${name}`), 'IEO_NOT_FOUND');
      expectRefusal(await service.get(`/api/ieos/${name}/certification`), 'IEO_NOT_FOUND');
    }
    for (const name of [...institutions, ...others]) {
      expectRefusal(await service.get(`/api/beos/${name}`), 'BEO_NOT_FOUND');
      expectRefusal(await service.get(`/api/consent/history/${name}`), 'BEO_NOT_FOUND');
    }
    expectRefusal(await service.get(`/api/ieos/domain/${holder.domain}`), 'IEO_NOT_FOUND');
    expectRefusal(await service.get(`/api/beos/domain/${clinic.domain}`), 'BEO_NOT_FOUND');
    for (const name of institutions) expect((await certification(name)).level).toBe('UNCERTIFIED');
    for (const name of people) expect((await service.get(`/api/consent/history/${name}`)).body.count).toBe(1);
    for (const name of [
      token.token_id,
      token.token_id.slice(0, 4) + token.token_id.slice(4).toUpperCase(),
      token.arweave_tx,
    ]) {
      expect((await parties.verdict(name)).token.token_id).toBe(token.token_id);
    }
    for (const name of [clinic.transactionId, holder.transactionId, proposal.arweave_tx, `tok_${clinic.id}`]) {
      expect(await parties.verdict(name)).toEqual({ valid: false, reason: 'TOKEN_NOT_FOUND' });
    }
  });

  test('in operations', async () => {
    for (const id of [holder.id, holder.domain, holder.transactionId, token.arweave_tx, rotation]) {
      expectRefusal(await parties.ieo({ ...clinic, id }, 'lock', 'lockIEO'), 'IEO_NOT_FOUND');
      expectRefusal(await parties.propose('reinstateIEO', { ieoId: id }), 'IEO_NOT_FOUND');
      expectRefusal(await parties.institute('certification', { ieoId: id, level: 'BASIC' }, 1), 'IEO_NOT_FOUND');
    }
    for (const id of [clinic.id, clinic.domain, clinic.transactionId, token.arweave_tx, proposal.proposal_id]) {
      expectRefusal(await parties.beo({ ...holder, id }, 'lock', 'lockBEO'), 'BEO_NOT_FOUND');
      expectRefusal(await parties.grant({ ...holder, id }, clinic.id), 'BEO_NOT_FOUND');
    }
    for (const name of [clinic.transactionId, holder.transactionId, proposal.arweave_tx]) {
      expectRefusal(await parties.revoke(holder, name), 'TOKEN_NOT_FOUND');
    }
    for (const name of [clinic.id, clinic.transactionId, holder.id, token.arweave_tx]) {
      expectRefusal(await parties.approve(name, 2), 'PROPOSAL_NOT_FOUND');
    }
  });
});

describe('an operation of an institution is refused', () => {
  let destroyed: Party;
  beforeAll(async () => {
    destroyed = await parties.newInstitution();
    await parties.ieo(destroyed, 'destroy', 'destroyIEO');
  });

  const creation = (changed: Fields = {}): [string, Fields] => {
    const person = newPerson();
    return ['', parties.sign(person, 'createIEO', parties.ieoFields(person, changed))];
  };
  const creationWithout = (name: string): [string, Fields] => {
    const person = newPerson();
    const { [name]: _, ...fields }: Fields = parties.ieoFields(person);
    return ['', parties.sign(person, 'createIEO', fields)];
  };
  const change = (path: string, name: string, more: Fields = {}, from: Party = clinic): [string, Fields] => [
    `/${path}`,
    parties.sign(from.person, name, { ieoId: from.id, ...more }),
  ];
  const without = ([path, body]: [string, Fields], name: string): [string, Fields] => {
    const { [name]: _, ...rest } = body;
    return [path, rest];
  };
  const guardian = { name: 'A', contact: 'b', role: 'primary' };

  test.each<[ErrorCode, string, () => [string, Fields]]>([
    ['VALIDATION_FAILED', 'no domain', () => creationWithout('domain')],
    ['VALIDATION_FAILED', 'no type', () => creationWithout('ieoType')],
    ['VALIDATION_FAILED', 'no name', () => creationWithout('displayName')],
    ['VALIDATION_FAILED', 'no key', () => creationWithout('publicKey')],
    ['VALIDATION_FAILED', 'a type that does not exist', () => creation({ ieoType: 'PHARMACY' })],
    ['VALIDATION_FAILED', 'a type in lower case', () => creation({ ieoType: 'lab' })],
    ['VALIDATION_FAILED', 'a name of one character', () => creation({ displayName: ' A ' })],
    ['VALIDATION_FAILED', 'a name of two lines', () => creation({ displayName: 'A\nB' })],
    ['VALIDATION_FAILED', 'an invisible name', () => creation({ displayName: '\u3164\u3164\u3164' })],
    ['VALIDATION_FAILED', 'a country of two lines', () => creation({ country: 'PT\nES' })],
    ['VALIDATION_FAILED', 'a legal id with a bidirectional mark', () => creation({ legalId: '1\u200f2' })],
    ['VALIDATION_FAILED', 'a name with a bidirectional override', () => creation({ displayName: 'Lab \u202eexe' })],
    ['VALIDATION_FAILED', 'a name that mixes scripts', () => creation({ displayName: 'Hоspital' })],
    ['VALIDATION_FAILED', 'a name with an invisible joiner', () => creation({ displayName: 'Hos\u200dpital' })],
    ['VALIDATION_FAILED', 'a name with full-width letters', () => creation({ displayName: 'Ｈospital' })],
    [
      'VALIDATION_FAILED',
      'a name with three marks on a letter',
      () => creation({ displayName: 'Lab e\u0316\u0317\u0318' }),
    ],
    ['VALIDATION_FAILED', 'a name that ends with a space', () => creation({ displayName: 'Lab ' })],
    ['VALIDATION_FAILED', 'the name of the service', () => creation({ displayName: 'PERPETUA' })],
    ['VALIDATION_FAILED', 'the name of the operator', () => creation({ displayName: 'Fundacao Modelo' })],
    ['VALIDATION_FAILED', 'a name of 121 characters', () => creation({ displayName: 'n'.repeat(121) })],
    ['VALIDATION_FAILED', 'a country of 61 characters', () => creation({ country: 'c'.repeat(61) })],
    ['VALIDATION_FAILED', 'a number as legal id', () => creation({ legalId: 7 })],
    ['VALIDATION_FAILED', 'a status', () => creation({ status: 'ACTIVE' })],
    ['VALIDATION_FAILED', 'a certification', () => creation({ certification: { level: 'ADVANCED' } })],
    ['VALIDATION_FAILED', 'a recovery, which a later operation sets', () => creation({ recovery: null })],
    ['VALIDATION_FAILED', 'a reason, which only a BEO’s lock has', () => change('lock', 'lockIEO', { reason: 'x' })],
    ['VALIDATION_FAILED', 'a beoId', () => change('lock', 'lockIEO', { beoId: clinic.id })],
    ['VALIDATION_FAILED', 'no id', () => without(change('lock', 'lockIEO'), 'ieoId')],
    ['VALIDATION_FAILED', 'an invalid id', () => change('lock', 'lockIEO', { ieoId: 'us' })],
    ['VALIDATION_FAILED', 'a domain of another suffix as id', () => change('lock', 'lockIEO', { ieoId: 'us.example' })],
    ['VALIDATION_FAILED', 'only one of the URLs', () => change('contacts', 'updateContacts', { apiEndpoint: null })],
    ['VALIDATION_FAILED', 'no recovery', () => change('recovery', 'updateRecovery')],
    [
      'VALIDATION_FAILED',
      'a repeated role',
      () => change('recovery', 'updateRecovery', { recovery: { guardians: [guardian, guardian] } }),
    ],
    [
      'RECOVERY_THRESHOLD_INVALID',
      'a threshold of 1',
      () => change('recovery', 'updateRecovery', { recovery: { guardians: [guardian], threshold: 1 } }),
    ],
    ['DOMAIN_INVALID', 'another suffix', () => creation({ domain: 'clinic.example' })],
    ['DOMAIN_RESERVED', 'a reserved word', () => creation({ domain: 'institute.bsp' })],
    ['PUBLIC_KEY_INVALID', 'an invalid key', () => creation({ publicKey: 'key' })],
    [
      'PUBLIC_KEY_INVALID',
      'a rotation to a key of small order',
      () => change('rotate-key', 'rotateKey', { newPublicKey: `ec${'ff'.repeat(30)}7f` }),
    ],
    ['NONCE_REQUIRED', 'no nonce', () => without(creation(), 'nonce')],
    [
      'NONCE_TOO_SHORT',
      'a nonce of 5 characters',
      () => ['/lock', clinic.person.sign('lockIEO', { ieoId: clinic.id }, { nonce: 'short' })],
    ],
    ['TIMESTAMP_INVALID', 'no timestamp', () => without(change('lock', 'lockIEO'), 'timestamp')],
    ['SIGNATURE_MISSING', 'no signature', () => without(change('destroy', 'destroyIEO'), 'signature')],
    [
      'INVALID_SIGNATURE',
      'a stranger’s signature',
      () => change('destroy', 'destroyIEO', {}, { ...clinic, person: newPerson() }),
    ],
    ['INVALID_SIGNATURE', 'a signature for a BEO’s operation', () => change('lock', 'lockBEO')],
    ['IEO_NOT_FOUND', 'an unknown id', () => change('lock', 'lockIEO', { ieoId: randomUUID() })],
    ['IEO_NOT_FOUND', 'an unknown domain', () => change('unlock', 'unlockIEO', { ieoId: 'unknown.bsp' })],
    [
      'IEO_DESTROYED',
      'a destroyed institution',
      () => change('rotate-key', 'rotateKey', { newPublicKey: newPerson().publicKey }, destroyed),
    ],
    ['DOMAIN_TAKEN', 'a taken domain', () => creation({ domain: clinic.domain })],
    ['NOT_LOCKED', 'an unlocked institution to unlock', () => change('unlock', 'unlockIEO')],
  ])('with %s for %s', async (code, _, request) => {
    const [path, body] = request();
    expectRefusal(await service.post(`/api/ieo${path}`, body), code);
  });

  test('when its timestamp is old or its nonce is used', async () => {
    const at = (seconds: number) => ({ timestamp: new Date(Date.now() + shift + seconds * 1000).toISOString() });
    const lock = (fields: { nonce?: string; timestamp?: string }) =>
      service.post('/api/ieo/lock', clinic.person.sign('lockIEO', { ieoId: clinic.id }, fields));
    expectRefusal(await lock(at(-310)), 'TIMESTAMP_TOO_OLD');
    expectRefusal(await lock(at(40)), 'TIMESTAMP_IN_FUTURE');
    const nonce = randomUUID();
    const first = await lock({ nonce, ...at(0) });
    expect(first.status).toBe(200);
    const repeated = await lock({ nonce, ...at(0) });
    expectRefusal(repeated, 'NONCE_REUSED');
    expect(repeated.body.details).toEqual({ transactionId: first.body.transactionId });
    expect((await parties.ieo(clinic, 'unlock', 'unlockIEO')).status).toBe(200);
  });
});

test('the resulting chain is valid', async () => {
  const entries = await wholeChain(service.service.context.pool);
  expect(entries.length).toBeGreaterThan(10);
  const functions: unknown[] = entries.map((entry) => entry.function);
  expect(new Set(functions)).toEqual(
    new Set([
      'createIEO',
      'createBEO',
      'destroyBEO',
      'grantConsent',
      'openProposal',
      'rotateKey',
      'destroyIEO',
      'lockIEO',
      'unlockIEO',
    ]),
  );
});
