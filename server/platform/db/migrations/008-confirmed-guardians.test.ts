import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Guardians, guardiansOf } from '../../../features/guardians/test-guardians.ts';
import { newPerson, startTestService, type TestService } from '../../../testing/test-service.ts';
import { migrate } from '../migrate.ts';

let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService();
  guardians = guardiansOf(service);
});
afterAll(() => service.stop());

/** Reverts the changes of the migration. */
const UNDO = `
  DELETE FROM migrations WHERE name = '008-confirmed-guardians';
  DROP INDEX beos_guardian_keys;
  DROP FUNCTION accepted_guardian_keys;
  DROP TABLE destroyed_links;
  UPDATE beos SET recovery = recovery - 'requiredSince';
  UPDATE beos SET recovery = jsonb_set(recovery, '{guardians}',
    (SELECT jsonb_agg(guardian - 'namedAt') FROM jsonb_array_elements(recovery -> 'guardians') AS guardian))
    WHERE jsonb_array_length(recovery -> 'guardians') > 0;
  UPDATE ieos SET recovery = jsonb_set(recovery, '{guardians}',
    (SELECT jsonb_agg(guardian - 'namedAt') FROM jsonb_array_elements(recovery -> 'guardians') AS guardian))
    WHERE jsonb_array_length(recovery -> 'guardians') > 0;
`;

test('migrates guardians of an older database to the state that a replay of its ledger computes', async () => {
  const { pool } = service.service.context;
  const { holder, guardians: accepted } = await guardians.guarded({ count: 2, confirm: false });
  const [first, second] = accepted;
  const bound = newPerson();
  const named = guardians.guardian('tertiary', { public_key: bound.publicKey });
  const kept = guardians.guardian(first.role, { public_key: first.person.publicKey });
  const { body } = await guardians.configure(holder, { guardians: [kept, named] });
  const recovery = { guardians: [guardians.guardian('primary', { public_key: newPerson().publicKey })] };
  await guardians.newHolder();
  const institution = await guardians.newInstitution();
  await guardians.ieo(institution, 'recovery', 'updateRecovery', { recovery });
  const rows = async () => ({
    beos: (await pool.query('SELECT id, recovery FROM beos ORDER BY id')).rows,
    ieos: (await pool.query('SELECT id, recovery FROM ieos ORDER BY id')).rows,
  });

  const pending = await rows();
  await pool.query(UNDO);
  expect(await migrate(pool)).toEqual(['008-confirmed-guardians']);
  expect(await rows()).toEqual(pending);

  await guardians.seated(body.invitations[0].url, bound);
  const expected = await rows();
  const found = expected.beos.find(({ id }) => id === holder.id).recovery.guardians;
  const byKey = Object.fromEntries(
    found.map((guardian: { publicKey: string; namedAt: string }) => [guardian.publicKey, guardian.namedAt]),
  );
  expect(byKey).toEqual({
    [first.person.publicKey]: expect.any(String),
    [bound.publicKey]: expect.any(String),
    [second.person.publicKey]: null,
  });
  await pool.query(UNDO);
  await pool.query(
    `UPDATE beos SET recovery = jsonb_set(recovery, '{guardians,0,countsUntil}', '"2030-01-01T00:00:00.000Z"') WHERE id = $1`,
    [holder.id],
  );
  await migrate(pool);
  expect(await rows()).toEqual(expected);
});
