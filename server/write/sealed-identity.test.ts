import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derivedIds } from '../../protocol/ids.ts';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import { sealedDigest } from '../../protocol/signing/sealing.ts';
import { openReceipt, wholeChain } from '../ledger/test-chain.ts';
import { type Answer, freshDomain, newPerson, startTestService, type TestService } from '../testing/test-service.ts';

const MOTHER = { name: 'Wilhelmina Quastenflosser', contact: 'wilhelmina@qflosser.example' };
const BROTHER = { name: 'Barnabas Quastenflosser', contact: '+49 30 5550199' };
const SECRETS = [MOTHER.name, MOTHER.contact, BROTHER.name, BROTHER.contact];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function createdWithGuardians() {
  const person = newPerson();
  const guardianKey = newPerson().publicKey;
  const recovery = {
    threshold: 2,
    guardians: [
      { ...MOTHER, role: 'primary', public_key: guardianKey.toUpperCase() },
      { ...BROTHER, role: 'secondary', public_key: '', accepted: false, added_at: null },
    ],
  };
  const sent = person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery });
  const answer = await service.post('/api/relayer/beo', sent);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { person, guardianKey, sent, answer, beoId: answer.body.beo_id as string };
}

const OWNER_COLUMNS = { vault_rows: 'owner_id', vault_keys: 'owner_id', invitations: 'beo_id' } as const;

const count = async (table: keyof typeof OWNER_COLUMNS, beoId: string) => {
  const { rows } = await service.service.context.pool.query(
    `SELECT 1 FROM ${table} WHERE ${OWNER_COLUMNS[table]} = $1`,
    [beoId],
  );
  return rows.length;
};

/** Every value of every table as text; bytes as hex and as Latin-1. */
async function everythingStored(): Promise<string> {
  const { pool } = service.service.context;
  const tables = await pool.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  expect(tables.rows.length).toBeGreaterThan(6);
  const parts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await pool.query<Record<string, unknown>>(`SELECT * FROM ${name}`);
    for (const value of rows.flatMap((row) => Object.values(row))) {
      parts.push(
        Buffer.isBuffer(value) ? `${value.toString('hex')} ${value.toString('latin1')}` : JSON.stringify(value),
      );
    }
  }
  return parts.join('\n');
}

function expectNoSecrets(text: string, secrets: readonly string[]): void {
  for (const secret of secrets) {
    const bytes = Buffer.from(secret);
    for (const form of [secret, bytes.toString('hex'), bytes.toString('base64').replace(/.?.?=*$/, '')]) {
      expect(text.includes(form), `${secret} as ${form}`).toBe(false);
    }
  }
}

describe('an identity with guardians', () => {
  test('returns an invitation for each guardian and the salt of the sealed entry', async () => {
    const { person, guardianKey, sent, answer, beoId } = await createdWithGuardians();
    const { body } = answer;
    expect(Object.keys(body).sort()).toEqual(
      ['beo', 'beo_id', 'domain', 'invitations', 'receipt', 'salt', 'transactionId'].sort(),
    );
    const ids = derivedIds(service.service.context.ledgerId, sent.signature);
    const expires_at = new Date(Date.parse(body.beo.created_at) + 72 * 3_600_000).toISOString();
    const link = new RegExp(`^${service.url}/api/guardian/accept/[\\w-]{43}$`);
    expect(body.invitations).toEqual([
      { guardian_id: ids.guardianId('primary'), role: 'primary', url: expect.stringMatching(link), expires_at },
      { guardian_id: ids.guardianId('secondary'), role: 'secondary', url: expect.stringMatching(link), expires_at },
    ]);

    const { entry } = openReceipt(body.receipt);
    const { signature, ...message } = sent;
    const digest = sealedDigest(
      Buffer.from(body.salt, 'hex'),
      Buffer.from(signature, 'base64'),
      canonicalJson({ function: 'createBEO', ...message }),
    );
    expect(body.salt).toMatch(/^[0-9a-f]{64}$/);
    expect(entry).toEqual({
      v: 1,
      epoch: 1,
      seq: expect.any(Number),
      prev: entry.prev,
      accepted_at: body.beo.created_at,
      function: 'createBEO',
      entity_id: beoId,
      signer: person.publicKey,
      signature: null,
      sealed: digest,
      public: {
        timestamp: sent.timestamp,
        domain: sent.domain,
        publicKey: person.publicKey,
        enabled: true,
        guardians: [
          {
            guardian_id: ids.guardianId('primary'),
            invitation_id: ids.invitationId('primary'),
            role: 'primary',
            public_key: guardianKey,
          },
          {
            guardian_id: ids.guardianId('secondary'),
            invitation_id: ids.invitationId('secondary'),
            role: 'secondary',
            public_key: null,
          },
        ],
      },
    });
  });

  test('shows its guardians by role, key and status, without names and contacts', async () => {
    const { guardianKey, answer, beoId } = await createdWithGuardians();
    const added_at = answer.body.beo.created_at;
    const shared = { status: 'PENDING', accepted: false, confirmed: false, added_at, accepted_at: null };
    const { body } = await service.get(`/api/beos/${beoId}`);
    expect(body.beo.recovery).toEqual({
      enabled: true,
      threshold: 2,
      confirmed_only: false,
      guardians: [
        { guardian_id: expect.any(String), role: 'primary', public_key: guardianKey, ...shared },
        { guardian_id: expect.any(String), role: 'secondary', public_key: null, ...shared },
      ],
    });
  });

  test('has names, contacts, the message and the links in no read, ledger entry or plain-text column', async () => {
    const { sent, answer, beoId } = await createdWithGuardians();
    const { transactionId, salt, invitations, domain } = answer.body;
    const tokens = invitations.map(({ url }: { url: string }) => url.split('/').at(-1));
    const secrets = [...SECRETS, salt, sent.signature, sent.nonce, ...tokens];
    const reads = [
      `/api/beos/${beoId}`,
      `/api/beos/domain/${domain}`,
      `/api/transactions/${transactionId}`,
      '/api/ledger',
      '/api/ledger/entries?limit=1000',
      '/metrics',
      '/ready',
    ];
    const answers = await Promise.all(reads.map((path) => service.get(path)));
    const text = answers.map(({ body }: Answer) => JSON.stringify(body)).join('\n');
    expectNoSecrets(text, secrets);
    const lines = String(answers[4]?.body).trim().split('\n');
    const items = lines.map((line) => Buffer.from(JSON.parse(line).item, 'base64').toString('latin1'));
    expect(items).not.toHaveLength(0);
    expectNoSecrets(items.join('\n'), secrets);
    expectNoSecrets(await everythingStored(), secrets);
  });

  test('has them in the vault, where the key of the vault opens them', async () => {
    const { sent, answer } = await createdWithGuardians();
    const { vault, pool } = service.service.context;
    const [primary] = answer.body.invitations;
    expect(await vault.read(pool, `guardian:${primary.guardian_id}`)).toEqual(MOTHER);
    const { entry } = openReceipt(answer.body.receipt);
    const { signature, ...message } = sent;
    expect(await vault.read(pool, `sealed:${'sealed' in entry ? entry.sealed : ''}`)).toEqual({
      salt: answer.body.salt,
      signature,
      message: { function: 'createBEO', ...message },
    });
    const token = primary.url.split('/').at(-1);
    const found = await pool.query('SELECT id FROM invitations WHERE token_hash = $1', [
      createHash('sha256').update(token).digest(),
    ]);
    expect(await vault.read(pool, `invitation:${found.rows[0]?.id}`)).toEqual({ token });
  });

  test('erases all of it when it is destroyed', async () => {
    const kept = await createdWithGuardians();
    const { person, answer, beoId } = await createdWithGuardians();
    expect(await count('vault_rows', beoId)).toBe(5);
    expect(await count('vault_keys', beoId)).toBe(1);
    expect(await count('invitations', beoId)).toBe(2);
    const destroyed = await service.post('/api/relayer/beo/destroy', person.sign('destroyBEO', { beoId }));
    expect(destroyed.status).toBe(200);
    for (const table of ['vault_rows', 'vault_keys', 'invitations'] as const) expect(await count(table, beoId)).toBe(0);
    expect(await count('vault_rows', kept.beoId)).toBe(5);
    const { vault, pool } = service.service.context;
    expect(await vault.read(pool, `guardian:${answer.body.invitations[0].guardian_id}`)).toBe(null);
    const { body } = await service.get(`/api/beos/${beoId}`);
    expect(body.beo.recovery).toEqual({ enabled: false, threshold: 2, confirmed_only: false, guardians: [] });
    await wholeChain(pool);
  });

  test('is refused if a guardian’s key is invalid, the holder’s or another guardian’s', async () => {
    const person = newPerson();
    const guardianKey = newPerson().publicKey;
    const create = (keys: string[]) => {
      const roles = ['primary', 'secondary', 'tertiary'];
      const guardians = keys.map((public_key, index) => ({ ...MOTHER, role: roles[index] ?? '', public_key }));
      const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: { guardians } };
      return service.post('/api/relayer/beo', person.sign('createBEO', fields));
    };
    expect((await create([person.publicKey])).body).toMatchObject({ code: 'PUBLIC_KEY_TAKEN' });
    expect((await create([guardianKey, guardianKey.toUpperCase()])).body).toMatchObject({ code: 'PUBLIC_KEY_TAKEN' });
    expect((await create(['00'.repeat(32)])).body).toMatchObject({ code: 'PUBLIC_KEY_INVALID' });
    expect((await create(['not a key'])).body).toMatchObject({ code: 'PUBLIC_KEY_INVALID' });
    const withoutGuardians = person.sign('createBEO', {
      domain: freshDomain(),
      publicKey: person.publicKey,
      recovery: null,
    });
    const { beo_id: beoId } = (await service.post('/api/relayer/beo', withoutGuardians)).body;
    expect(beoId).toBeDefined();
  });

  test('cannot rotate to the key of one of its guardians', async () => {
    const { person, guardianKey, beoId } = await createdWithGuardians();
    const body = person.sign('rotateKey', { beoId, newPublicKey: guardianKey });
    expect((await service.post('/api/relayer/beo/rotate-key', body)).body.code).toBe('PUBLIC_KEY_TAKEN');
  });
});
