import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derivedIds } from '../../protocol/ids.ts';
import { canonicalJson, type Json } from '../../protocol/signing/canonical-json.ts';
import { sealedDigest } from '../../protocol/signing/sealing.ts';
import { A_DIGEST, expectRefusal } from '../http/rest/test-refusal.ts';
import { openReceipt, wholeChain } from '../ledger/test-chain.ts';
import { createClock } from '../platform/db/clock.ts';
import { freshDomain, newPerson, startTestService, type TestService } from '../testing/test-service.ts';
import { type Fields, type Parties, type Party, partiesOf } from './test-parties.ts';

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

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NO_RECOVERY = { enabled: false, threshold: 2, guardians: [] };

const read = async (reference: string) => (await service.get(`/api/ieos/${reference}`)).body.ieo;
const certification = async (reference: string) => (await service.get(`/api/ieos/${reference}/certification`)).body;
const keysOf = (body: object) => Object.keys(body).sort();

async function created(more: Fields = {}) {
  const person = newPerson();
  const sent = parties.sign(person, 'createIEO', parties.ieoFields(person, more));
  const answer = await service.post('/api/ieo', sent);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { person, sent, answer, domain: answer.body.domain as string, ieo: answer.body.ieo };
}

describe('creating an institution', () => {
  test('returns the institution, the transaction and a receipt', async () => {
    const domain = freshDomain();
    const described = {
      displayName: 'Charité – 検査',
      country: 'DE',
      jurisdiction: 'Berlin',
      legalId: 'HRB 1234',
    };
    const { person, sent, answer } = await created({ domain, ieoType: 'LAB', ...described });
    const { body, headers } = answer;
    expect(keysOf(body)).toEqual(['domain', 'ieo', 'ieo_id', 'receipt', 'transactionId']);
    expect(headers.get('location')).toBe(`/api/transactions/${body.transactionId}`);
    expect(body.ieo_id).toBe(derivedIds(service.service.context.ledgerId, sent.signature).ieoId());
    expect(body.domain).toBe(domain);
    expect(body.ieo).toEqual({
      ieo_id: body.ieo_id,
      domain,
      display_name: 'Charité – 検査',
      ieo_type: 'LAB',
      country: 'DE',
      jurisdiction: 'Berlin',
      legal_id: 'HRB 1234',
      public_key: person.publicKey,
      key_version: 1,
      status: 'ACTIVE',
      created_at: expect.stringMatching(INSTANT),
      updated_at: body.ieo.created_at,
      locked_at: null,
      version: '1.0.0',
      certification: { level: 'UNCERTIFIED', granted_at: null, expires_at: null, categories: [], intents: [] },
      contacts: { api_endpoint: null, webhook_url: null },
      recovery: NO_RECOVERY,
      arweave_tx: body.transactionId,
      ledger: { seq: expect.any(Number), status: 'ACCEPTED' },
    });
    const { entry } = openReceipt(body.receipt);
    const { signature, ...signed } = sent;
    expect(entry).toEqual({
      v: 1,
      epoch: 1,
      seq: body.ieo.ledger.seq,
      prev: entry.prev,
      accepted_at: body.ieo.created_at,
      function: 'createIEO',
      entity_id: body.ieo_id,
      signer: person.publicKey,
      signature,
      message: { function: 'createIEO', ...signed },
    });
  });

  test('stores null for fields that are absent, null or empty', async () => {
    const empty = { country: null, jurisdiction: null, legal_id: null };
    expect((await created()).ieo).toMatchObject(empty);
    expect((await created({ country: null, jurisdiction: null, legalId: null })).ieo).toMatchObject(empty);
    expect((await created({ country: '', jurisdiction: '', legalId: '' })).ieo).toMatchObject(empty);
  });

  test('accepts domain and key in upper case: stores both in lower case and the message as signed', async () => {
    const person = newPerson();
    const domain = freshDomain();
    const fields = { domain: domain.toUpperCase(), publicKey: person.publicKey.toUpperCase() };
    const sent = parties.sign(person, 'createIEO', parties.ieoFields(person, fields));
    const { status, body } = await service.post('/api/ieo', sent);
    expect(status).toBe(201);
    expect(body.ieo).toMatchObject({ domain, public_key: person.publicKey });
    expect(openReceipt(body.receipt).entry).toMatchObject({ message: fields, signer: person.publicKey });
  });

  test('accepts seven types', async () => {
    for (const ieoType of ['LAB', 'HOSPITAL', 'WEARABLE', 'PHYSICIAN', 'INSURER', 'RESEARCH', 'PLATFORM']) {
      expect((await created({ ieoType })).ieo.ieo_type).toBe(ieoType);
    }
  });

  test('accepts names, countries and legal ids of the maximum length', async () => {
    const texts = { country: 'c'.repeat(60), jurisdiction: 'j'.repeat(60), legalId: 'l'.repeat(60) };
    for (const displayName of ['AB', 'n'.repeat(120)]) {
      expect((await created({ displayName, ...texts })).ieo.display_name).toBe(displayName);
    }
  });

  test('makes it readable by id, by domain in any case, and by the id of the creating transaction', async () => {
    const { domain, answer, ieo } = await created();
    for (const path of [
      `/api/ieos/domain/${domain}`,
      `/api/ieos/domain/${domain.toUpperCase()}`,
      `/api/ieos/${domain}`,
      `/api/ieos/${domain.replace('p', 'P').replace('bsp', 'bSp')}`,
      `/api/ieos/${ieo.ieo_id}`,
      `/api/ieos/${ieo.ieo_id.toUpperCase()}`,
      `/api/ieos/${answer.body.transactionId}`,
    ]) {
      const found = await service.get(path);
      expect([path, found.status, keysOf(found.body)]).toEqual([path, 200, ['ieo']]);
      expect({ ...found.body.ieo, ledger: null }).toEqual({ ...ieo, ledger: null });
    }
  });

  test('reaches the network', async () => {
    const { answer, ieo } = await created();
    const path = `/api/transactions/${answer.body.transactionId}`;
    await expect
      .poll(async () => (await service.get(path)).body.transaction, { interval: 100 })
      .toMatchObject({ status: 'FINAL', function: 'createIEO', entity_id: ieo.ieo_id });
    expect((await read(ieo.ieo_id)).ledger).toEqual({ seq: ieo.ledger.seq, status: 'FINAL' });
  });
});

describe('the key of an institution', () => {
  test('locks and unlocks it by any reference', async () => {
    const party = await parties.newInstitution();
    const locked = await parties.ieo({ ...party, id: party.domain.toUpperCase() }, 'lock', 'lockIEO');
    expect(locked.status).toBe(200);
    expect(keysOf(locked.body)).toEqual(['locked_at', 'receipt', 'transactionId']);
    const at = locked.body.locked_at;
    expect(openReceipt(locked.body.receipt).entry).toMatchObject({
      function: 'lockIEO',
      entity_id: party.id,
      message: { ieoId: party.domain.toUpperCase() },
    });
    expect(await read(party.id)).toMatchObject({ status: 'LOCKED', locked_at: at, updated_at: at });
    const repeated = await parties.ieo(party, 'lock', 'lockIEO');
    expectRefusal(repeated, 'ALREADY_LOCKED');
    expect(repeated.body.details).toEqual({ locked_at: at });

    const unlocked = await parties.ieo({ ...party, id: party.transactionId }, 'unlock', 'unlockIEO');
    expect(keysOf(unlocked.body)).toEqual(['receipt', 'transactionId', 'unlocked_at']);
    expect(await read(party.id)).toMatchObject({
      status: 'ACTIVE',
      locked_at: null,
      updated_at: unlocked.body.unlocked_at,
    });
    expectRefusal(await parties.ieo(party, 'unlock', 'unlockIEO'), 'NOT_LOCKED');
  });

  test('can only unlock, rotate and destroy while it is locked', async () => {
    const party = await parties.newInstitution();
    await parties.ieo(party, 'lock', 'lockIEO');
    const noContacts = { apiEndpoint: null, webhookUrl: null };
    expectRefusal(await parties.ieo(party, 'contacts', 'updateContacts', noContacts), 'IEO_LOCKED');
    expectRefusal(await parties.ieo(party, 'recovery', 'updateRecovery', { recovery: null }), 'IEO_LOCKED');
    const person = newPerson();
    const rotated = await parties.ieo(party, 'rotate-key', 'rotateKey', { newPublicKey: person.publicKey });
    expect(rotated.status).toBe(200);
    expect((await read(party.id)).status).toBe('LOCKED');
    expect((await parties.ieo({ ...party, person }, 'destroy', 'destroyIEO')).status).toBe(200);
  });

  test('can only rotate and destroy while it is suspended, and do nothing after it is revoked', async () => {
    const noContacts = { apiEndpoint: null, webhookUrl: null };
    const party = await parties.newInstitution();
    await parties.decide('suspendIEO', { ieoId: party.id, reason: 'Unpaid.' });
    expectRefusal(await parties.ieo(party, 'lock', 'lockIEO'), 'IEO_NOT_ACTIVE');
    expectRefusal(await parties.ieo(party, 'unlock', 'unlockIEO'), 'IEO_NOT_ACTIVE');
    expectRefusal(await parties.ieo(party, 'contacts', 'updateContacts', noContacts), 'IEO_NOT_ACTIVE');
    expectRefusal(await parties.ieo(party, 'recovery', 'updateRecovery', { recovery: null }), 'IEO_NOT_ACTIVE');
    const successor = { ...party, person: newPerson() };
    const { publicKey } = successor.person;
    expect((await parties.ieo(party, 'rotate-key', 'rotateKey', { newPublicKey: publicKey })).status).toBe(200);

    const suspended = await parties.newInstitution();
    await parties.decide('suspendIEO', { ieoId: suspended.id, reason: 'Unpaid.' });
    expect((await parties.ieo(suspended, 'destroy', 'destroyIEO')).status).toBe(200);

    await parties.decide('revokeIEO', { ieoId: party.id, reason: 'Never paid.' });
    for (const [path, name, more] of [
      ['lock', 'lockIEO', {}],
      ['unlock', 'unlockIEO', {}],
      ['rotate-key', 'rotateKey', { newPublicKey: newPerson().publicKey }],
      ['contacts', 'updateContacts', noContacts],
      ['recovery', 'updateRecovery', { recovery: null }],
      ['destroy', 'destroyIEO', {}],
    ] as const) {
      expectRefusal(await parties.ieo(successor, path, name, more), 'IEO_NOT_ACTIVE');
    }
    expect(await read(party.id)).toMatchObject({ status: 'REVOKED', display_name: 'A Clinic', public_key: publicKey });
  });

  test('rotates to a new key; the old key is then refused', async () => {
    const party = await parties.newInstitution();
    const successor = { ...party, person: newPerson() };
    const newPublicKey = successor.person.publicKey.toUpperCase();
    const rotated = await parties.ieo(party, 'rotate-key', 'rotateKey', { newPublicKey });
    expect(rotated.body).toEqual({
      transactionId: expect.any(String),
      receipt: expect.any(String),
      key_version: 2,
      public_key: successor.person.publicKey,
    });
    expect(openReceipt(rotated.body.receipt).entry).toMatchObject({ function: 'rotateKey', entity_id: party.id });
    const refused = await parties.ieo(party, 'lock', 'lockIEO');
    expectRefusal(refused, 'INVALID_SIGNATURE');
    expect(refused.body.details).toEqual({ expected_key: 'IEO', message_sha256: A_DIGEST });
    expect((await parties.ieo(successor, 'lock', 'lockIEO')).status).toBe(200);
    expectRefusal(await parties.ieo(successor, 'rotate-key', 'rotateKey', { newPublicKey }), 'KEY_UNCHANGED');
    expect(await read(party.id)).toMatchObject({ key_version: 2, arweave_tx: party.transactionId });
  });

  test('sets both contact URLs, of which each may be null', async () => {
    const party = await parties.newInstitution();
    const apiEndpoint = 'https://api.clinic.example/v1?tenant=7';
    const webhookUrl = 'https://hooks.clinic.example:8443/perpetua';
    const updated = await parties.ieo(party, 'contacts', 'updateContacts', { apiEndpoint, webhookUrl });
    expect(updated.status).toBe(200);
    expect(keysOf(updated.body)).toEqual(['ieo', 'receipt', 'transactionId']);
    expect(updated.body.ieo.contacts).toEqual({ api_endpoint: apiEndpoint, webhook_url: webhookUrl });
    expect(updated.body.ieo.ledger).toEqual({ seq: openReceipt(updated.body.receipt).entry.seq, status: 'ACCEPTED' });
    expect((await read(party.id)).contacts).toEqual({ api_endpoint: apiEndpoint, webhook_url: webhookUrl });
    const removed = await parties.ieo(party, 'contacts', 'updateContacts', { apiEndpoint: null, webhookUrl });
    expect(removed.body.ieo.contacts).toEqual({ api_endpoint: null, webhook_url: webhookUrl });
    await parties.ieo(party, 'contacts', 'updateContacts', { apiEndpoint: null, webhookUrl: null });
    expect((await read(party.id)).contacts).toEqual({ api_endpoint: null, webhook_url: null });
  });

  test.each([
    'http://clinic.example',
    'https://user:secret@clinic.example',
    'https://localhost/hook',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'ftp://clinic.example',
    'javascript:alert(1)',
    'clinic.example',
    '',
    `https://clinic.example/${'a'.repeat(500)}`,
  ])('cannot set the contact URL %s', async (url) => {
    for (const name of ['apiEndpoint', 'webhookUrl']) {
      const fields = { apiEndpoint: null, webhookUrl: null, [name]: url };
      const refused = await parties.ieo(clinic, 'contacts', 'updateContacts', fields);
      expectRefusal(refused, 'VALIDATION_FAILED');
      expect(refused.body.details.issues[0].path).toBe(name);
    }
  });

  test('destroys it: its name, key and contacts are deleted, and its domain stays taken', async () => {
    const { person, domain, answer, ieo } = await created({ country: 'DE', jurisdiction: 'Berlin', legalId: 'HRB 9' });
    const party = { person, domain, id: ieo.ieo_id, transactionId: answer.body.transactionId };
    await parties.ieo(party, 'contacts', 'updateContacts', { apiEndpoint: 'https://a.example', webhookUrl: null });
    await parties.institute('certification', { ieoId: party.id, level: 'BASIC', categories: ['BSP-DV'] }, 1);
    const destroyed = await parties.ieo(party, 'destroy', 'destroyIEO');
    expect(destroyed.status).toBe(200);
    expect(keysOf(destroyed.body)).toEqual(['destroyed_at', 'receipt', 'transactionId']);
    const expected = {
      ...ieo,
      display_name: null,
      country: null,
      jurisdiction: null,
      legal_id: null,
      public_key: null,
      status: 'DESTROYED',
      updated_at: destroyed.body.destroyed_at,
      ledger: expect.objectContaining({ seq: openReceipt(destroyed.body.receipt).entry.seq }),
    };
    for (const reference of [party.id, party.transactionId, domain]) {
      expect(await read(reference)).toEqual(expected);
    }
    expectRefusal(await parties.ieo(party, 'lock', 'lockIEO'), 'IEO_DESTROYED');
    expectRefusal(await parties.ieo({ ...party, id: domain }, 'destroy', 'destroyIEO'), 'IEO_DESTROYED');

    const stranger = newPerson();
    const fields = parties.ieoFields(stranger, { domain: domain.toUpperCase() });
    for (const later of [0, 11 * 60_000, 400 * 24 * 3_600_000]) {
      shift += later;
      expectRefusal(await service.post('/api/ieo', parties.sign(stranger, 'createIEO', fields)), 'DOMAIN_TAKEN');
      const beo = { domain, publicKey: stranger.publicKey, recovery: null };
      const refused = await service.post('/api/relayer/beo', parties.sign(stranger, 'createBEO', beo));
      expectRefusal(refused, 'DOMAIN_TAKEN');
      expect(refused.body.details).toBe(undefined);
    }
  });
});

describe('guardians of an institution', () => {
  const NURSE = { name: 'Wilhelmina Quastenflosser', contact: 'wilhelmina@qflosser.example' };
  const LAWYER = { name: 'Barnabas Quastenflosser', contact: '+49 30 5550199' };
  const SECRETS = [NURSE.name, NURSE.contact, LAWYER.name, LAWYER.contact];

  const count = async (table: string, owner: string) => {
    const { rows } = await service.service.context.pool.query(`SELECT 1 FROM ${table} WHERE owner_id = $1`, [owner]);
    return rows.length;
  };

  async function configured() {
    const party = await parties.newInstitution();
    const guardianKey = newPerson().publicKey;
    const recovery = {
      threshold: 2,
      guardians: [
        { ...NURSE, role: 'primary', public_key: guardianKey.toUpperCase() },
        { ...LAWYER, role: 'tertiary', public_key: '' },
      ],
    };
    const sent = parties.sign(party.person, 'updateRecovery', { ieoId: party.domain, recovery });
    const answer = await service.post('/api/ieo/recovery', sent);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return { party, guardianKey, sent, answer };
  }

  test('are stored and shown by role and key, without invitations; the response contains the salt', async () => {
    const { party, guardianKey, sent, answer } = await configured();
    const { body } = answer;
    expect(keysOf(body)).toEqual(['ieo', 'receipt', 'salt', 'transactionId']);
    const ids = derivedIds(service.service.context.ledgerId, sent.signature);
    const { entry } = openReceipt(body.receipt);
    const shared = { status: 'PENDING', accepted: false, confirmed: false, added_at: entry.accepted_at };
    const recovery = {
      enabled: true,
      threshold: 2,
      guardians: [
        {
          guardian_id: ids.guardianId('primary'),
          role: 'primary',
          public_key: guardianKey,
          accepted_at: null,
          ...shared,
        },
        { guardian_id: ids.guardianId('tertiary'), role: 'tertiary', public_key: null, accepted_at: null, ...shared },
      ],
    };
    expect(body.ieo.recovery).toEqual(recovery);
    expect((await read(party.id)).recovery).toEqual(recovery);

    const { signature, ...message } = sent;
    const digest = sealedDigest(
      Buffer.from(body.salt, 'hex'),
      Buffer.from(signature, 'base64'),
      canonicalJson({ function: 'updateRecovery', ...message }),
    );
    const bound = (role: 'primary' | 'tertiary', public_key: string | null) => ({
      guardian_id: ids.guardianId(role),
      invitation_id: ids.invitationId(role),
      role,
      public_key,
    });
    expect(entry).toEqual({
      v: 1,
      epoch: 1,
      seq: body.ieo.ledger.seq,
      prev: entry.prev,
      accepted_at: body.ieo.updated_at,
      function: 'updateRecovery',
      entity_id: party.id,
      signer: party.person.publicKey,
      signature: null,
      sealed: digest,
      public: {
        timestamp: sent.timestamp,
        ieoId: party.domain,
        enabled: true,
        guardians: [bound('primary', guardianKey), bound('tertiary', null)],
      },
    });
    const { rows } = await service.service.context.pool.query('SELECT 1 FROM invitations WHERE beo_id = $1', [
      party.id,
    ]);
    expect(rows).toEqual([]);
  });

  test('have their names and contacts in no read, ledger entry or plain-text column', async () => {
    const { party, sent, answer } = await configured();
    const { pool } = service.service.context;
    const secrets = [...SECRETS, answer.body.salt, sent.signature, sent.nonce];
    const seq = openReceipt(answer.body.receipt).entry.seq;
    const paths = [`/api/ieos/${party.id}`, '/api/ieos?limit=200', `/api/transactions/${answer.body.transactionId}`];
    const reads = await Promise.all(paths.map((path) => service.get(path)));
    const lines = String((await service.get(`/api/ledger/entries?after=${seq - 1}&limit=1000`)).body).trim();
    const items = lines.split('\n').map((line) => Buffer.from(JSON.parse(line).item, 'base64').toString('latin1'));
    const tables = await pool.query<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const stored: unknown[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await pool.query<Record<string, unknown>>(`SELECT * FROM ${name}`);
      stored.push(...rows.flatMap((row) => Object.values(row)));
    }
    const text = [
      ...reads.map(({ body }) => JSON.stringify(body)),
      ...items,
      ...stored.map((value) =>
        Buffer.isBuffer(value) ? `${value.toString('hex')} ${value.toString('latin1')}` : JSON.stringify(value),
      ),
    ].join('\n');
    for (const secret of secrets) {
      const bytes = Buffer.from(secret);
      for (const form of [secret, bytes.toString('hex'), bytes.toString('base64').replace(/.?.?=*$/, '')]) {
        expect(text.includes(form), `${secret} as ${form}`).toBe(false);
      }
    }
  });

  test('are deleted when they are replaced or removed', async () => {
    const { party, answer } = await configured();
    const { vault, pool } = service.service.context;
    const [primary] = answer.body.ieo.recovery.guardians;
    const replacement = { guardians: [{ name: 'Cornelia Replacement', contact: 'new@example.org', role: 'primary' }] };
    expect((await parties.ieo(party, 'recovery', 'updateRecovery', { recovery: replacement })).status).toBe(200);
    expect(await vault.read(pool, `guardian:${primary.guardian_id}`)).toBe(null);
    const rows = () => count('vault_rows', party.id);
    expect(await rows()).toBe(3);
    expect((await parties.ieo(party, 'recovery', 'updateRecovery', { recovery: null })).status).toBe(200);
    expect(await rows()).toBe(2);
  });

  test('are kept in the vault until the institution is destroyed', async () => {
    const kept = await configured();
    const { party, answer } = await configured();
    const { vault, pool } = service.service.context;
    const [primary] = answer.body.ieo.recovery.guardians;
    expect(await vault.read(pool, `guardian:${primary.guardian_id}`)).toEqual(NURSE);
    expect(await count('vault_rows', party.id)).toBe(3);
    expect(await count('vault_keys', party.id)).toBe(1);
    expect((await parties.ieo(party, 'destroy', 'destroyIEO')).status).toBe(200);
    expect(await count('vault_rows', party.id)).toBe(0);
    expect(await count('vault_keys', party.id)).toBe(0);
    expect(await vault.read(pool, `guardian:${primary.guardian_id}`)).toBe(null);
    expect(await count('vault_rows', kept.party.id)).toBe(3);
    expect((await read(party.id)).recovery).toEqual(NO_RECOVERY);
  });

  test('are deleted by a configuration without guardians, whose message is public', async () => {
    const { party } = await configured();
    const { status, body } = await parties.ieo(party, 'recovery', 'updateRecovery', { recovery: null });
    expect([status, keysOf(body)]).toEqual([200, ['ieo', 'receipt', 'transactionId']]);
    expect(body.ieo.recovery).toEqual(NO_RECOVERY);
    expect(openReceipt(body.receipt).entry).toMatchObject({ message: { recovery: null } });
  });

  test('must have different keys, none of them the institution’s', async () => {
    const { party, guardianKey } = await configured();
    const guarded = (keys: string[]) =>
      ({
        recovery: {
          guardians: keys.map((public_key, at) => ({ ...NURSE, role: ['primary', 'secondary'][at], public_key })),
        },
      }) as Fields;
    const own = party.person.publicKey;
    expectRefusal(await parties.ieo(party, 'recovery', 'updateRecovery', guarded([own])), 'PUBLIC_KEY_TAKEN');
    const repeatedKey = guarded([guardianKey, guardianKey.toUpperCase()]);
    expectRefusal(await parties.ieo(party, 'recovery', 'updateRecovery', repeatedKey), 'PUBLIC_KEY_TAKEN');
    const smallOrder = guarded([`01${'00'.repeat(31)}`]);
    expectRefusal(await parties.ieo(party, 'recovery', 'updateRecovery', smallOrder), 'PUBLIC_KEY_INVALID');
    const rotated = await parties.ieo(party, 'rotate-key', 'rotateKey', { newPublicKey: guardianKey });
    expectRefusal(rotated, 'PUBLIC_KEY_TAKEN');
  });
});

describe('the certification of an institution', () => {
  test('is returned for any reference, with level, period and the reason why it is not valid', async () => {
    const party = await parties.newInstitution();
    expect(await certification(party.id)).toEqual({
      certified: false,
      level: 'UNCERTIFIED',
      granted_at: null,
      expires_at: null,
      reason: 'UNCERTIFIED',
    });
    const day = 24 * 3_600_000;
    const expiresAt = new Date(Date.now() + shift + day).toISOString();
    const { body } = await parties.institute('certification', { ieoId: party.id, level: 'ADVANCED', expiresAt }, 3);
    const facts = { level: 'ADVANCED', granted_at: body.ieo.updated_at, expires_at: expiresAt };
    for (const name of [party.id, party.domain.toUpperCase(), party.transactionId]) {
      expect(await certification(name)).toEqual({ certified: true, ...facts });
    }
    await parties.ieo(party, 'lock', 'lockIEO');
    expect(await certification(party.id)).toEqual({ certified: false, ...facts, reason: 'IEO_NOT_ACTIVE' });
    await parties.ieo(party, 'unlock', 'unlockIEO');
    shift += day + 60_000;
    expect(await certification(party.id)).toEqual({ certified: false, ...facts, reason: 'CERTIFICATION_EXPIRED' });
    await parties.ieo(party, 'destroy', 'destroyIEO');
    expect(await certification(party.id)).toEqual({
      certified: false,
      level: 'UNCERTIFIED',
      granted_at: null,
      expires_at: null,
      reason: 'IEO_NOT_ACTIVE',
    });
  });
});

test('the resulting chain is valid', async () => {
  const entries = await wholeChain(service.service.context.pool);
  expect(new Set(entries.map((entry): Json => entry.function))).toEqual(
    new Set([
      'createIEO',
      'lockIEO',
      'unlockIEO',
      'rotateKey',
      'updateContacts',
      'updateRecovery',
      'destroyIEO',
      'openProposal',
      'approveProposal',
      'updateCertification',
    ]),
  );
});
