import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere, settle } from '../../../auditor/audit/test-operator.ts';
import { verify } from '../../../auditor/audit/verify.ts';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { type Answer, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import type { Fields, Party } from '../../write/test-parties.ts';
import { type AcceptedGuardian, type Guardians, guardiansOf } from './test-guardians.ts';

let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService();
  guardians = guardiansOf(service);
});
afterAll(() => service.stop());

interface Entry extends Fields {
  readonly guardian_id: string;
  readonly role: string;
}
interface Configuration extends Fields {
  readonly guardians: Entry[];
}

const configurationOf = async ({ id }: Party): Promise<Configuration> => (await guardians.beoOf(id)).recovery;

/** The guardians with names and contacts as the holder reads them, by role. */
async function listed({ person, id }: Party): Promise<Record<string, Fields>> {
  const { status, body } = await service.post(
    '/api/guardian/list',
    guardians.sign(person, 'listGuardians', { beoId: id }),
  );
  expect(status, JSON.stringify(body)).toBe(200);
  return Object.fromEntries(body.recovery.guardians.map((guardian: Entry) => [guardian.role, guardian]));
}

async function configured(holder: Party, recovery: Fields): Promise<Answer['body']> {
  const { status, body } = await guardians.configure(holder, recovery);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

function refusedAt({ status, body }: Answer, path: string): void {
  expect([status, body.code, body.details?.issues?.[0]?.path]).toEqual([400, 'VALIDATION_FAILED', path]);
}

const role = (name: string) => ({ name: `The ${name} guardian`, contact: `${name}@example.org` });

describe('a configuration that is read and sent again', () => {
  test('keeps the guardians with their names, and renews open invitations', async () => {
    const { holder, guardians: accepted } = await guardians.guarded();
    await guardians.invite(holder, 'tertiary');
    for (let time = 0; time < 2; time++) {
      const before = await configurationOf(holder);
      const { invitations, recovery } = await configured(holder, before);
      expect(recovery.guardians.slice(0, 2)).toEqual(before.guardians.slice(0, 2));
      expect(invitations).toMatchObject([{ role: 'tertiary' }]);
      expect(invitations[0].guardian_id).not.toBe(before.guardians[2]?.guardian_id);
      expect(await listed(holder)).toMatchObject({
        primary: { ...role('primary'), guardian_id: accepted[0].id },
        secondary: { ...role('secondary'), guardian_id: accepted[1].id },
        tertiary: { ...role('tertiary'), guardian_id: invitations[0].guardian_id },
      });
      if (time === 1) await guardians.seated(invitations[0].url);
    }
    expect((await guardians.recovered({ holder, guardians: accepted })).id).toBe(holder.id);
  });

  test('can be the holder’s list with a change', async () => {
    const { holder } = await guardians.guarded();
    const { primary, secondary } = await listed(holder);
    await configured(holder, {
      guardians: [
        { ...primary, name: 'Ana' },
        { ...secondary, contact: null },
      ],
    });
    expect(await listed(holder)).toMatchObject({
      primary: { ...role('primary'), name: 'Ana' },
      secondary: role('secondary'),
    });
  });

  test('can name guardians by id and swap their roles, without confirming them', async () => {
    const { holder, guardians: accepted } = await guardians.guarded({ confirm: false });
    const [first, second] = accepted;
    const named = (id: string, newRole: string) => ({ guardian_id: id.toUpperCase(), role: newRole });
    const { recovery, invitations } = await configured(holder, {
      guardians: [named(first.id, 'secondary'), { ...named(second.id, 'primary'), name: 'Bea' }],
    });
    expect(invitations).toEqual([]);
    expect(recovery.guardians).toMatchObject([
      { guardian_id: first.id, role: 'secondary', status: 'ACTIVE', confirmed: false },
      { guardian_id: second.id, role: 'primary', status: 'ACTIVE', confirmed: false },
    ]);
    expect(await listed(holder)).toMatchObject({
      primary: { name: 'Bea', contact: role('secondary').contact },
      secondary: role('primary'),
    });
  });

  test('does not restore removed guardians, even if their role is taken', async () => {
    const { holder, guardians: accepted } = await guardians.guarded({ count: 3 });
    await configured(holder, { guardians: [] });
    const next = await guardians.seat(holder, 'primary');
    const before = await configurationOf(holder);
    expect(before.guardians).toHaveLength(4);
    const { recovery, invitations } = await configured(holder, before);
    expect(invitations).toEqual([]);
    const statuses = (list: Entry[]) => new Map(list.map(({ guardian_id, status }) => [guardian_id, status]));
    expect(statuses(recovery.guardians)).toEqual(
      new Map([[next.id, 'ACTIVE'], ...accepted.map(({ id }: AcceptedGuardian): [string, string] => [id, 'REMOVED'])]),
    );
  });

  test('keeps guardians whose names are missing in the vault', async () => {
    const { holder } = await guardians.guarded();
    await service.service.context.pool.query('DELETE FROM vault_rows WHERE owner_id = $1', [holder.id]);
    const before = await configurationOf(holder);
    expect((await configured(holder, before)).recovery).toEqual(before);
  });
});

describe('a guardian without a name', () => {
  test.each<[string, Fields]>([
    ['no identification', {}],
    ['an unknown id', { guardian_id: randomUUID() }],
    ['an invalid id', { guardian_id: 'primary' }],
    ['an unknown key', { public_key: newPerson().publicKey }],
    ['an empty key', { public_key: '', name: null }],
  ])('is refused with %s', async (_, named) => {
    const { holder } = await guardians.guarded();
    await guardians.expectUnchanged(holder, async () => {
      refusedAt(
        await guardians.configure(holder, { guardians: [{ role: 'primary', ...named }] }),
        'recovery.guardians.0.name',
      );
    });
    refusedAt(
      await guardians.configure(holder, { guardians: [{ role: 'primary', ...named, name: 'Ana' }] }),
      'recovery.guardians.0.contact',
    );
  });

  test('is refused if it is another identity’s guardian, or a duplicate', async () => {
    const { holder, guardians: accepted } = await guardians.guarded();
    const foreign = await guardians.guarded();
    const foreignGuardian = { guardian_id: foreign.guardians[0].id, role: 'primary' };
    refusedAt(await guardians.configure(holder, { guardians: [foreignGuardian] }), 'recovery.guardians.0.name');
    const duplicate = [
      { guardian_id: accepted[0].id, role: 'primary' },
      { public_key: accepted[0].person.publicKey, role: 'secondary' },
    ];
    expectRefusal(await guardians.configure(holder, { guardians: duplicate }), 'PUBLIC_KEY_TAKEN');
    const withOtherKey = { guardian_id: accepted[0].id, role: 'primary', public_key: newPerson().publicKey };
    refusedAt(await guardians.configure(holder, { guardians: [withOtherKey] }), 'recovery.guardians.0.name');
  });

  test('is refused in createBEO, because there are no guardians yet', async () => {
    const { guardians: accepted } = await guardians.guarded();
    const person = newPerson();
    const recovery = { guardians: [{ guardian_id: accepted[0].id, role: 'primary' }] };
    const fields = { domain: `${randomUUID()}.bsp`, publicKey: person.publicKey, recovery };
    const answer = await service.post('/api/relayer/beo', guardians.sign(person, 'createBEO', fields));
    refusedAt(answer, 'recovery.guardians.0.name');
  });
});

describe('an institution', () => {
  test('can send back its configuration and keeps the names', async () => {
    const institution = await guardians.newInstitution();
    const update = (recovery: Fields) => guardians.ieo(institution, 'recovery', 'updateRecovery', { recovery });
    const key = newPerson().publicKey;
    const named = [guardians.guardian('primary', { public_key: key }), guardians.guardian('secondary')];
    expect((await update({ guardians: named })).status).toBe(200);
    for (let time = 0; time < 2; time++) {
      const { recovery } = (await service.get(`/api/ieos/${institution.id}`)).body.ieo;
      const answer = await update(recovery);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const after: Entry[] = answer.body.ieo.recovery.guardians;
      expect(after).toMatchObject([
        { role: 'primary', public_key: key },
        { role: 'secondary', public_key: null },
      ]);
      const rows = after.map(({ guardian_id }) => `guardian:${guardian_id}`);
      const { vault, pool } = service.service.context;
      const stored = await vault.readRows(pool, institution.id, rows);
      expect(rows.map((row) => stored.get(row))).toEqual([role('primary'), role('secondary')]);
      const { rowCount } = await pool.query("SELECT FROM vault_rows WHERE owner_id = $1 AND id LIKE 'guardian:%'", [
        institution.id,
      ]);
      expect(rowCount).toBe(2);
    }
    refusedAt(
      await update({ guardians: [{ role: 'primary', guardian_id: randomUUID() }] }),
      'recovery.guardians.0.name',
    );
  });
});

test('verify finds no breach in the resulting ledger and database', async () => {
  await settle(service.databaseUrl);
  const env = { RATE_LIMIT: 'off', DATA_DIR: service.dataDir, DATABASE_URL: service.databaseUrl };
  const { result, text } = await runHere((parts) => verify({}, parts), env);
  expect(result, text).toBe('clean');
});
