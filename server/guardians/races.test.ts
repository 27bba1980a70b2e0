import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { settle } from '../audit/test-operator.ts';
import { builtWorker } from '../audit/test-worker.ts';
import { type CommandParts, verify } from '../audit/verify.ts';
import { wholeChain } from '../ledger/test-chain.ts';
import { type Answer, newPerson, type SignedBody, startTestService, type TestService } from '../test-service.ts';
import { tally } from '../write/test-races.ts';
import { ACCEPT_JSON, type Guardians, guardiansOf, pathOf } from './test-guardians.ts';

/** Two processes' worth of service on one database, one network and one set of keys. */
let one: TestService;
let two: TestService;
let throughOne: Guardians;
let throughTwo: Guardians;
beforeAll(async () => {
  one = await startTestService();
  const shared = { DATA_DIR: one.dataDir, GATEWAY_URL: one.gatewayUrl };
  two = { ...(await startTestService(shared, { databaseUrl: one.databaseUrl })), instituteKeys: one.instituteKeys };
  [throughOne, throughTwo] = [guardiansOf(one), guardiansOf(two)];
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const TWENTY = Array.from({ length: 20 }, (_, index) => index);
const atOnce = (ask: (index: number, service: TestService, through: Guardians) => Promise<Answer>) =>
  Promise.all(TWENTY.map((index) => (index % 2 ? ask(index, one, throughOne) : ask(index, two, throughTwo))));
const chainOf = async (beoId: string) =>
  (await wholeChain(one.service.context.pool)).filter(({ entity_id }) => entity_id === beoId);
const countOf = async (beoId: string, name: string) =>
  (await chainOf(beoId)).filter((entry) => entry.function === name).length;

/** A connection besides those of the services, which may stand still for as long as a test likes. */
async function ownConnection(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: one.databaseUrl });
  await client.connect();
  return client;
}

async function invited(role: 'primary' | 'secondary' = 'primary') {
  const holder = await throughOne.newHolder();
  const { body } = await throughTwo.invite(holder, role);
  return { holder, path: pathOf(body.url), invitationId: body.invitation_id as string, guardianId: body.guardian_id };
}

describe('of twenty at once', () => {
  test('acceptances of one link, each with its own key, exactly one is accepted', async () => {
    const { holder, path, invitationId, guardianId } = await invited();
    const people = TWENTY.map(() => newPerson());
    const answers = await atOnce((index, service, through) =>
      service.post(path, through.acceptance(people[index] ?? newPerson(), holder.id, invitationId)),
    );
    expect(tally(answers)).toEqual({ 200: 1, LINK_USED: 19 });
    const winner = people[answers.findIndex(({ status }) => status === 200)];
    const { recovery } = await throughTwo.beoOf(holder.id);
    expect(recovery.guardians).toMatchObject([{ guardian_id: guardianId, public_key: winner?.publicKey }]);
    expect(await countOf(holder.id, 'acceptGuardian')).toBe(1);
  });

  test('acceptances of two links with one key, that person is one guardian', async () => {
    const { holder, path, invitationId } = await invited();
    const other = (await throughOne.invite(holder, 'secondary')).body;
    const person = newPerson();
    const answers = await atOnce((index, service, through) =>
      index % 4 < 2
        ? service.post(path, through.acceptance(person, holder.id, invitationId))
        : service.post(pathOf(other.url), through.acceptance(person, holder.id, other.invitation_id)),
    );
    expect(tally(answers)).toEqual({ 200: 1, LINK_USED: 9, PUBLIC_KEY_TAKEN: 10 });
  });

  test('confirmations of one guardian, each with its own nonce, one counts', async () => {
    const { holder, guardians } = await throughOne.guarded();
    const next = newPerson();
    const request = await throughTwo.asked(holder.id, next.publicKey);
    const answers = await atOnce((_, __, through) => through.confirm(request, holder, next.publicKey, guardians[0]));
    expect(tally(answers)).toEqual({ 200: 1, ALREADY_CONFIRMED: 19 });
    expect((await throughOne.beoOf(holder.id)).active_recovery).toMatchObject({ confirmations: 1 });
    expect(await countOf(holder.id, 'confirmRecovery')).toBe(1);
  });

  test('copies of one confirmation, one counts and the others get its transaction id', async () => {
    const { holder, guardians } = await throughOne.guarded();
    const next = newPerson();
    const request = await throughTwo.asked(holder.id, next.publicKey);
    const path = throughOne.linkFor(request, guardians[1]);
    const body = throughOne.confirmation(guardians[1].person, holder.id, request.request_id, next.publicKey);
    const answers = await atOnce((_, service) => service.post(path, body));
    expect(tally(answers)).toEqual({ 200: 1, NONCE_REUSED: 19 });
    const { transactionId } = answers.find(({ status }) => status === 200)?.body ?? {};
    for (const { status, body } of answers) if (status !== 200) expect(body.details).toEqual({ transactionId });
  });

  test('confirmations by two guardians, the recovery is executed once', async () => {
    const { holder, guardians } = await throughOne.guarded();
    const next = newPerson();
    const request = await throughTwo.asked(holder.id, next.publicKey);
    const answers = await atOnce((index, _, through) =>
      through.confirm(request, holder, next.publicKey, guardians[index % 4 < 2 ? 0 : 1]),
    );
    expect(answers.filter(({ body }) => body.executed === true)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.executed === false)).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status !== 200) expect(['ALREADY_CONFIRMED', 'REQUEST_CLOSED']).toContain(body.code);
    }
    expect(await throughTwo.beoOf(holder.id)).toMatchObject({ public_key: next.publicKey, key_version: 2 });
    expect(await countOf(holder.id, 'confirmRecovery')).toBe(2);
  });

  test('second confirmations of twenty requests, exactly one executes', async () => {
    const { holder, guardians } = await throughOne.guarded();
    const keys = TWENTY.map(() => newPerson().publicKey);
    const requests = await Promise.all(keys.map((key) => throughOne.asked(holder.id, key)));
    // Of one guardian the last ten confirmations are remembered.
    const begun = requests.slice(0, 10);
    for (const [index, request] of begun.entries()) {
      const answer = await throughTwo.confirm(request, holder, keys[index] ?? '', guardians[0]);
      expect(answer.body).toMatchObject({ confirmations: 1, executed: false });
    }
    const answers = await atOnce((index, _, through) =>
      through.confirm(requests[index % 10], holder, keys[index % 10] ?? '', guardians[1]),
    );
    const executed = answers.findIndex(({ body }) => body.executed === true);
    expect(tally(answers)).toEqual({ 200: 1, REQUEST_CLOSED: 19 });
    expect(await throughTwo.beoOf(holder.id)).toMatchObject({
      public_key: keys[executed % 10],
      key_version: 2,
      active_recovery: null,
    });
    expect(await countOf(holder.id, 'confirmRecovery')).toBe(11);
  });

  test('new configurations and acceptances, the reads match the ledger', async () => {
    const holder = await throughOne.newHolder();
    const links: { url: string; invitation_id: string }[] = [];
    for (const role of ['primary', 'secondary', 'tertiary'] as const) {
      links.push((await throughOne.invite(holder, role)).body);
    }
    const person = newPerson();
    const configure = (through: typeof throughOne) =>
      through.configure(holder, { guardians: [through.guardian('primary', { public_key: person.publicKey })] });
    const configures = (index: number) => index % 4 === 3;
    const answers = await atOnce((index, service, through) => {
      const link = links[index % 3];
      if (configures(index)) return configure(through);
      const acceptance = through.acceptance(index === 0 ? person : newPerson(), holder.id, link?.invitation_id ?? '');
      return service.post(pathOf(link?.url ?? ''), acceptance);
    });
    for (const { status, body } of answers) {
      expect([200, 'LINK_USED', 'LINK_EXPIRED', 'UNAVAILABLE', 'PUBLIC_KEY_TAKEN']).toContain(body.code ?? status);
    }
    // On a busy machine all of them may have been asked to come again.
    const configured = answers.some(({ status }, index) => configures(index) && status === 200);
    if (!configured) expect((await configure(throughOne)).status).toBe(200);
    const { recovery } = await throughTwo.beoOf(holder.id);
    const standing = recovery.guardians.filter(({ status }: { status: string }) => status !== 'REMOVED');
    expect(standing).toHaveLength(1);
    expect(standing[0]).toMatchObject({ role: 'primary', public_key: person.publicKey });
    for (const { url } of links) {
      const { body } = await one.get(pathOf(url), ACCEPT_JSON);
      expect(['LINK_USED', 'LINK_EXPIRED']).toContain(body.code);
    }
    await wholeChain(one.service.context.pool);
  });
});

/**
 * Sends to the first process, one after the other, while somebody holds the ledger, and lets go when all wait for their place:
 * all but the first are then ordered together. The spy counts and changes nothing.
 */
async function together(...asks: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const submit = vi.spyOn(one.service.context.queue, 'submit');
  const client = await ownConnection();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM ledger_head FOR UPDATE');
    const answers: Promise<Answer>[] = [];
    for (const ask of asks) {
      answers.push(ask());
      await expect.poll(() => submit.mock.calls.length, { interval: 2 }).toBe(answers.length);
    }
    await client.query('COMMIT');
    return await Promise.all(answers);
  } finally {
    await client.end();
    submit.mockRestore();
  }
}

const codes = (answers: readonly Answer[]) => answers.map(({ status, body }) => body.code ?? status);

describe('ordered together,', () => {
  test('a configuration written before its guardian accepted gets a retryable error', async () => {
    const person = newPerson();
    const holder = await throughOne.newHolder();
    const bound = throughOne.guardian('primary', { public_key: person.publicKey });
    const invitation = (await throughOne.configure(holder, { guardians: [bound] })).body.invitations[0];
    const { invitation_id } = (await one.get(pathOf(invitation.url), ACCEPT_JSON)).body;
    const recovery = { guardians: [bound, throughOne.guardian('secondary')] };
    const configuration = throughOne.sign(holder.person, 'updateRecovery', { beoId: holder.id, recovery });
    const configure = () => one.post('/api/relayer/beo/recovery', configuration);
    const answers = await together(
      () => throughOne.beo(holder, 'revoke-all', 'revokeAllTokens'),
      () => one.post(pathOf(invitation.url), throughOne.acceptance(person, holder.id, invitation_id)),
      configure,
    );
    expect(codes(answers)).toEqual([200, 200, 'UNAVAILABLE']);
    expect(answers[2]?.headers.get('retry-after')).toMatch(/^\d+$/);
    const again = await configure();
    expect(again.status, JSON.stringify(again.body)).toBe(200);
    expect(again.body.invitations.map(({ role }: { role: string }) => role)).toEqual(['secondary']);
    expect(again.body.recovery.guardians).toMatchObject([
      { guardian_id: invitation.guardian_id, status: 'ACTIVE' },
      { role: 'secondary', status: 'PENDING' },
    ]);
  });

  test('the last confirmation and an operation of the old key: the first one wins', async () => {
    const { holder, guardians } = await throughOne.guarded();
    const next = newPerson();
    const request = await throughOne.asked(holder.id, next.publicKey);
    await throughOne.confirm(request, holder, next.publicKey, guardians[0]);
    const rotate = () => {
      const fields = { newPublicKey: newPerson().publicKey };
      return throughOne.beo(holder, 'rotate-key', 'rotateKey', fields);
    };
    const answers = await together(
      () => throughOne.beo(holder, 'revoke-all', 'revokeAllTokens'),
      () => throughOne.confirm(request, holder, next.publicKey, guardians[1]),
      rotate,
      () => throughOne.configure(holder, null),
      () => throughOne.beo(holder, 'destroy', 'destroyBEO'),
    );
    expect(codes(answers)).toEqual([200, 200, ...Array.from({ length: 3 }, () => 'INVALID_SIGNATURE')]);
    expect(await throughTwo.beoOf(holder.id)).toMatchObject({ public_key: next.publicKey, status: 'ACTIVE' });
  });

  test('the last confirmation and one more of another request: the other is closed', async () => {
    const { holder, guardians } = await throughOne.guarded();
    const [next, other] = [newPerson().publicKey, newPerson().publicKey];
    const [mine, strangers] = [await throughOne.asked(holder.id, next), await throughOne.asked(holder.id, other)];
    const answers = await together(
      () => throughOne.confirm(mine, holder, next, guardians[0]),
      () => throughOne.confirm(strangers, holder, other, guardians[0]),
      () => throughOne.confirm(mine, holder, next, guardians[1]),
      () => throughOne.confirm(strangers, holder, other, guardians[1]),
    );
    expect(codes(answers)).toEqual([200, 200, 200, 'REQUEST_CLOSED']);
    expect(answers.map(({ body }) => body.executed)).toEqual([false, false, true, undefined]);
    expect((await throughTwo.beoOf(holder.id)).public_key).toBe(next);
  });

  test('invitations followed by a destruction: none of their sealed data is left', async () => {
    const holder = await throughOne.newHolder();
    const kept = async () => {
      const { rows } = await one.service.context.pool.query<{ keys: number; rows: number; links: number }>(
        `SELECT (SELECT count(*) FROM vault_keys WHERE owner_id = $1) AS keys,
           (SELECT count(*) FROM vault_rows WHERE owner_id = $1) AS rows,
           (SELECT count(*) FROM invitations WHERE beo_id = $1) AS links`,
        [holder.id],
      );
      return rows[0];
    };
    const answers = await together(
      () => throughOne.invite(holder, 'primary'),
      () => throughOne.invite(holder, 'secondary'),
      () => throughOne.beo(holder, 'destroy', 'destroyBEO'),
    );
    expect(codes(answers)).toEqual([201, 201, 200]);
    expect(await kept()).toEqual({ keys: 0, rows: 0, links: 0 });
  });
});

describe('a request for recovery', () => {
  test('that shares key and nonce with an operation of its sender does not affect other senders', async () => {
    const attacker = newPerson();
    const bystander = newPerson();
    const { holder } = await throughOne.guarded();
    const nonce = randomUUID();
    const sealed = {
      domain: `race-${randomUUID()}.bsp`,
      publicKey: attacker.publicKey,
      recovery: { guardians: [throughOne.guardian('primary')] } as Json,
    };
    const timestamp = new Date().toISOString();
    const operation: SignedBody = attacker.sign('createBEO', sealed, { nonce, timestamp });
    const asking = attacker.sign(
      'requestRecovery',
      { beoId: holder.id, newPublicKey: attacker.publicKey },
      { nonce, timestamp },
    );
    const harmless = throughOne.sign(bystander, 'createBEO', {
      domain: `by-${randomUUID()}.bsp`,
      publicKey: bystander.publicKey,
      recovery: null,
    });
    const { pool, queue } = one.service.context;
    const submit = vi.spyOn(queue, 'submit');
    const [first, second] = await Promise.all([ownConnection(), ownConnection()]);
    try {
      // The ledger is held until both operations wait for it, and then the vault, behind the look at the nonces.
      await first.query('BEGIN');
      await first.query('SELECT 1 FROM ledger_head FOR UPDATE');
      const front = throughOne.newHolder();
      await expect.poll(() => submit.mock.calls.length, { interval: 2 }).toBe(1);
      const answers = [one.post('/api/relayer/beo', operation), one.post('/api/relayer/beo', harmless)];
      await expect.poll(() => submit.mock.calls.length, { interval: 2 }).toBe(3);
      await second.query('BEGIN');
      await second.query('LOCK TABLE vault_keys IN ACCESS EXCLUSIVE MODE');
      await first.query('COMMIT');
      await front;
      const waits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'relation'";
      const waiting = async () => (await pool.query(waits)).rows.length;
      await expect.poll(waiting, { interval: 10 }).toBeGreaterThan(0);
      // Where it waits for them instead, it is answered when they are.
      const asked = two.post('/api/relayer/beo/request-recovery', asking);
      await Promise.race([asked, sleep(1_000)]);
      await second.query('COMMIT');
      expect([200, 'NONCE_REUSED']).toContain((await asked).body.code ?? (await asked).status);
      const [own, others] = await Promise.all(answers);
      expect(others?.body.code ?? others?.status).toBe(201);
      expect([201, 'NONCE_REUSED', 'UNAVAILABLE']).toContain(own?.body.code ?? own?.status);
    } finally {
      await Promise.all([first.end(), second.end()]);
      submit.mockRestore();
    }
  });
});

test('the whole ledger verifies afterwards, against the database', async () => {
  await settle(one.databaseUrl);
  const lines: string[] = [];
  const steps: (() => Promise<unknown>)[] = [];
  const parts: CommandParts = {
    env: { RATE_LIMIT: 'off', DATA_DIR: one.dataDir, DATABASE_URL: one.databaseUrl },
    progress: { at: () => undefined, end: () => undefined },
    print: (line) => lines.push(line),
    note: (line) => lines.push(line),
    addStep: (_, step) => steps.push(step),
    workerFile: await builtWorker('check.worker'),
  };
  try {
    expect([await verify({}, parts), lines.join('\n')]).toEqual([
      'clean',
      expect.stringContaining('No breach was found.'),
    ]);
  } finally {
    for (const step of steps.reverse()) await step();
  }
});
