import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { createClock } from '../../platform/db/clock.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { type Answer, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { deleteExpiredLinks } from './request-rows.ts';
import { ACCEPT_JSON, type Guardians, guardiansOf, HOUR } from './test-guardians.ts';

const DAY = 24 * HOUR;

const shift = 0;
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  guardians = guardiansOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const read = (path: string): Promise<Answer> => service.get(path, ACCEPT_JSON);

/** Two links of an identity: an open invitation and a recovery request. */
async function linked() {
  const { holder, guardians: accepted } = await guardians.guarded();
  const invited = await guardians.invited(holder, 'tertiary');
  const key = newPerson().publicKey;
  const request = await guardians.asked(holder.id, key);
  const link = guardians.linkFor(request, accepted[0]);
  return { holder, paths: [invited.path, link], confirm: () => guardians.confirm(request, holder, key, accepted[0]) };
}

test('links of a destroyed identity report the destruction for a month', async () => {
  const { holder, paths, confirm } = await linked();
  for (const path of paths) expect((await read(path)).status).toBe(200);
  expect((await guardians.beo(holder, 'destroy', 'destroyBEO')).status).toBe(200);
  for (const answer of [...(await Promise.all(paths.map(read))), await confirm()]) {
    expectRefusal(answer, 'LINK_EXPIRED');
    expect(answer.status).toBe(410);
    expect(answer.body.details).toEqual({ reason: 'DESTROYED' });
  }
  const [invitation = '', confirmation = ''] = paths;
  expectRefusal(await read(invitation.replace('accept', 'confirm-recovery')), 'LINK_NOT_FOUND');
  expectRefusal(await read(confirmation.replace('confirm-recovery', 'accept')), 'LINK_NOT_FOUND');

  const { pool } = service.service.context;
  await inTransaction(pool, (client) => deleteExpiredLinks(client, Date.now() + shift + 29 * DAY, 0));
  expectRefusal(await read(invitation), 'LINK_EXPIRED');
  await inTransaction(pool, (client) => deleteExpiredLinks(client, Date.now() + shift + 31 * DAY, 0));
  for (const path of paths) expectRefusal(await read(path), 'LINK_NOT_FOUND');
});

test('rows about them do not identify anyone', async () => {
  const { holder } = await linked();
  await guardians.beo(holder, 'destroy', 'destroyBEO');
  const { pool } = service.service.context;
  const { rows, fields } = await pool.query('SELECT * FROM destroyed_links');
  expect(fields.map(({ name }) => name)).toEqual(['token_hash', 'kind', 'destroyed_at']);
  expect(rows.map(({ kind }) => kind).sort()).toEqual([
    'invitation',
    'invitation',
    'invitation',
    'recovery',
    'recovery',
  ]);
});

test('links that never existed are unknown', async () => {
  const { paths } = await linked();
  for (const path of paths) {
    const other = `${path.slice(0, path.lastIndexOf('/') + 1)}${service.service.context.links.newToken()}`;
    expectRefusal(await read(other), 'LINK_NOT_FOUND');
  }
});
