import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runHere, settle } from '../../../auditor/audit/test-operator.ts';
import { verify } from '../../../auditor/audit/verify.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { wholeChain } from '../../ledger/test-chain.ts';
import {
  type Answer,
  newPerson,
  type SignedBody,
  startBeside,
  startTestService,
  type TestService,
} from '../../testing/test-service.ts';
import { tally } from '../../write/test-races.ts';
import { ACCEPT_JSON, type Guardians, guardiansOf, pathOf } from './test-guardians.ts';

/** Two processes with one database, one network and one set of keys. */
let first: TestService;
let second: TestService;
let viaFirst: Guardians;
let viaSecond: Guardians;
beforeAll(async () => {
  first = await startTestService();
  second = await startBeside(first);
  [viaFirst, viaSecond] = [guardiansOf(first), guardiansOf(second)];
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const INDEXES = Array.from({ length: 20 }, (_, index) => index);
const concurrently = (send: (index: number, service: TestService, through: Guardians) => Promise<Answer>) =>
  Promise.all(INDEXES.map((index) => (index % 2 ? send(index, first, viaFirst) : send(index, second, viaSecond))));
const chainOf = async (beoId: string) =>
  (await wholeChain(first.service.context.pool)).filter(({ entity_id }) => entity_id === beoId);
const countOf = async (beoId: string, name: string) =>
  (await chainOf(beoId)).filter((entry) => entry.function === name).length;

/** A separate connection, with which a test can hold locks. */
async function ownConnection(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: first.databaseUrl });
  await client.connect();
  return client;
}

async function invited(role: 'primary' | 'secondary' = 'primary') {
  const holder = await viaFirst.newHolder();
  const { body } = await viaSecond.invite(holder, role);
  return { holder, path: pathOf(body.url), invitationId: body.invitation_id as string, guardianId: body.guardian_id };
}

describe('of twenty concurrent requests', () => {
  test('to accept one link with different keys exactly one succeeds', async () => {
    const { holder, path, invitationId, guardianId } = await invited();
    const people = INDEXES.map(() => newPerson());
    const answers = await concurrently((index, service, through) =>
      service.post(path, through.acceptance(people[index] ?? newPerson(), holder.id, invitationId)),
    );
    expect(tally(answers)).toEqual({ 200: 1, LINK_USED: 19 });
    const winner = people[answers.findIndex(({ status }) => status === 200)];
    const { recovery } = await viaSecond.beoOf(holder.id);
    expect(recovery.guardians).toMatchObject([{ guardian_id: guardianId, public_key: winner?.publicKey }]);
    expect(await countOf(holder.id, 'acceptGuardian')).toBe(1);
  });

  test('to accept two links with one key exactly one succeeds', async () => {
    const { holder, path, invitationId } = await invited();
    const secondLink = (await viaFirst.invite(holder, 'secondary')).body;
    const person = newPerson();
    const answers = await concurrently((index, service, through) =>
      index % 4 < 2
        ? service.post(path, through.acceptance(person, holder.id, invitationId))
        : service.post(pathOf(secondLink.url), through.acceptance(person, holder.id, secondLink.invitation_id)),
    );
    expect(tally(answers)).toEqual({ 200: 1, LINK_USED: 9, PUBLIC_KEY_TAKEN: 10 });
  });

  test('to confirm as one guardian with different nonces exactly one counts', async () => {
    const { holder, guardians } = await viaFirst.guarded();
    const next = newPerson();
    const request = await viaSecond.asked(holder.id, next.publicKey);
    const answers = await concurrently((_, __, through) =>
      through.confirm(request, holder, next.publicKey, guardians[0]),
    );
    expect(tally(answers)).toEqual({ 200: 1, ALREADY_CONFIRMED: 19 });
    expect((await viaFirst.beoOf(holder.id)).active_recovery).toMatchObject({ confirmations: 1 });
    expect(await countOf(holder.id, 'confirmRecovery')).toBe(1);
  });

  test('that are copies of one confirmation one counts and the others return its transaction id', async () => {
    const { holder, guardians } = await viaFirst.guarded();
    const next = newPerson();
    const request = await viaSecond.asked(holder.id, next.publicKey);
    const path = viaFirst.linkFor(request, guardians[1]);
    const body = viaFirst.confirmation(guardians[1].person, holder.id, request.request_id, next.publicKey);
    const answers = await concurrently((_, service) => service.post(path, body));
    expect(tally(answers)).toEqual({ 200: 1, NONCE_REUSED: 19 });
    const { transactionId } = answers.find(({ status }) => status === 200)?.body ?? {};
    for (const { status, body } of answers) if (status !== 200) expect(body.details).toEqual({ transactionId });
  });

  test('to cancel a request and to confirm it first, either the cancellation or the confirmation wins', async () => {
    const won = { cancelled: 0, confirmed: 0 };
    for (let round = 0; round < 20; round += 1) {
      const { holder, guardians } = await viaFirst.guarded();
      const next = newPerson();
      const request = await viaSecond.asked(holder.id, next.publicKey);
      const fields = { requestId: request.request_id };
      const answers = await Promise.all([
        viaFirst.beo(holder, 'cancel-recovery', 'cancelRecovery', fields),
        viaSecond.confirm(request, holder, next.publicKey, guardians[0]),
      ]);
      const [cancelled, confirmed] = answers;
      const entries = [await countOf(holder.id, 'confirmRecovery'), await countOf(holder.id, 'cancelRecovery')];
      if (cancelled.body.transactionId === null) {
        won.cancelled += 1;
        expect([confirmed.body.code, ...entries]).toEqual(['REQUEST_CLOSED', 0, 0]);
      } else {
        won.confirmed += 1;
        // The cancellation came after it, on the ledger, or before the confirmation that it looked for was there.
        expect([confirmed.status, cancelled.status, ...entries]).toEqual([200, 200, 1, 1]);
      }
      expect((await viaFirst.beoOf(holder.id)).active_recovery).toBe(null);
    }
    expect(won.cancelled + won.confirmed).toBe(20);
  });

  test('to confirm as two guardians exactly one executes the recovery', async () => {
    const { holder, guardians } = await viaFirst.guarded();
    const next = newPerson();
    const request = await viaSecond.asked(holder.id, next.publicKey);
    const answers = await concurrently((index, _, through) =>
      through.confirm(request, holder, next.publicKey, guardians[index % 4 < 2 ? 0 : 1]),
    );
    expect(answers.filter(({ body }) => body.executed === true)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.executed === false)).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status !== 200) expect(['ALREADY_CONFIRMED', 'REQUEST_CLOSED']).toContain(body.code);
    }
    expect(await viaSecond.beoOf(holder.id)).toMatchObject({ public_key: next.publicKey, key_version: 2 });
    expect(await countOf(holder.id, 'confirmRecovery')).toBe(2);
  });

  test.each([1, 2, 3, 4])(
    'to cancel a recovery and to confirm it a second time exactly one succeeds, round %i',
    async () => {
      const { holder, guardians } = await viaFirst.guarded();
      const next = newPerson();
      const request = await viaSecond.asked(holder.id, next.publicKey);
      await viaFirst.confirm(request, holder, next.publicKey, guardians[0]);
      const fields = { requestId: request.request_id };
      const answers = await concurrently((index, _, through) =>
        index % 4 < 2
          ? through.beo(holder, 'cancel-recovery', 'cancelRecovery', fields)
          : through.confirm(request, holder, next.publicKey, guardians[1]),
      );
      const isCancelled = answers.some(({ status }, index) => status === 200 && index % 4 < 2);
      // The key that signs a cancellation is replaced by a recovery.
      const refused = isCancelled ? { REQUEST_CLOSED: 19 } : { REQUEST_CLOSED: 9, INVALID_SIGNATURE: 10 };
      expect(tally(answers)).toEqual({ 200: 1, ...refused });
      expect((await viaSecond.beoOf(holder.id)).public_key).toBe(
        isCancelled ? holder.person.publicKey : next.publicKey,
      );
      expect(await countOf(holder.id, 'cancelRecovery')).toBe(isCancelled ? 1 : 0);
      expect(await countOf(holder.id, 'confirmRecovery')).toBe(isCancelled ? 1 : 2);
    },
  );

  test('that are second confirmations of different recoveries exactly one executes', async () => {
    const { holder, guardians } = await viaFirst.guarded();
    const keys = INDEXES.map(() => newPerson().publicKey);
    const requests = await Promise.all(keys.map((key) => viaFirst.asked(holder.id, key)));
    // Only a guardian's last ten confirmations are kept.
    const confirmedRequests = requests.slice(0, 10);
    for (const [index, request] of confirmedRequests.entries()) {
      const answer = await viaSecond.confirm(request, holder, keys[index] ?? '', guardians[0]);
      expect(answer.body).toMatchObject({ confirmations: 1, executed: false });
    }
    const answers = await concurrently((index, _, through) =>
      through.confirm(requests[index % 10], holder, keys[index % 10] ?? '', guardians[1]),
    );
    const executed = answers.findIndex(({ body }) => body.executed === true);
    expect(tally(answers)).toEqual({ 200: 1, REQUEST_CLOSED: 19 });
    expect(await viaSecond.beoOf(holder.id)).toMatchObject({
      public_key: keys[executed % 10],
      key_version: 2,
      active_recovery: null,
    });
    expect(await countOf(holder.id, 'confirmRecovery')).toBe(11);
  });

  test('to configure and to accept, some succeed and the reads match the ledger', async () => {
    const holder = await viaFirst.newHolder();
    const links: { url: string; invitation_id: string }[] = [];
    for (const role of ['primary', 'secondary', 'tertiary'] as const) {
      links.push((await viaFirst.invite(holder, role)).body);
    }
    const person = newPerson();
    const configure = (through: typeof viaFirst) =>
      through.configure(holder, { guardians: [through.guardian('primary', { public_key: person.publicKey })] });
    const configures = (index: number) => index % 4 === 3;
    const answers = await concurrently((index, service, through) => {
      const link = links[index % 3];
      if (configures(index)) return configure(through);
      const acceptance = through.acceptance(index === 0 ? person : newPerson(), holder.id, link?.invitation_id ?? '');
      return service.post(pathOf(link?.url ?? ''), acceptance);
    });
    for (const { status, body } of answers) {
      expect([200, 'LINK_USED', 'LINK_EXPIRED', 'UNAVAILABLE', 'PUBLIC_KEY_TAKEN']).toContain(body.code ?? status);
    }
    // On a busy machine all of them may have been refused with UNAVAILABLE.
    const configured = answers.some(({ status }, index) => configures(index) && status === 200);
    if (!configured) expect((await configure(viaFirst)).status).toBe(200);
    const { recovery } = await viaSecond.beoOf(holder.id);
    const remaining = recovery.guardians.filter(({ status }: { status: string }) => status !== 'REMOVED');
    expect(remaining).toHaveLength(1);
    expect(remaining[0]).toMatchObject({ role: 'primary', public_key: person.publicKey });
    for (const { url } of links) {
      const { body } = await first.get(pathOf(url), ACCEPT_JSON);
      expect(['LINK_USED', 'LINK_EXPIRED']).toContain(body.code);
    }
    await wholeChain(first.service.context.pool);
  });
});

/**
 * Sends requests to the first process one after another while the head is locked, and releases the lock when all are
 * queued: all but the first are then in one batch. The spy only counts.
 */
async function inOneBatch(...requests: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const submit = vi.spyOn(first.service.context.queue, 'submit');
  const client = await ownConnection();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM ledger_head FOR UPDATE');
    const answers: Promise<Answer>[] = [];
    for (const send of requests) {
      answers.push(send());
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

describe('in one batch', () => {
  test('a configuration written before its guardian accepted gets a retryable error', async () => {
    const person = newPerson();
    const holder = await viaFirst.newHolder();
    const bound = viaFirst.guardian('primary', { public_key: person.publicKey });
    const invitation = (await viaFirst.configure(holder, { guardians: [bound] })).body.invitations[0];
    const { invitation_id } = (await first.get(pathOf(invitation.url), ACCEPT_JSON)).body;
    const recovery = { guardians: [bound, viaFirst.guardian('secondary')] };
    const configuration = viaFirst.sign(holder.person, 'updateRecovery', { beoId: holder.id, recovery });
    const configure = () => first.post('/api/relayer/beo/recovery', configuration);
    const answers = await inOneBatch(
      () => viaFirst.beo(holder, 'revoke-all', 'revokeAllTokens'),
      () => first.post(pathOf(invitation.url), viaFirst.acceptance(person, holder.id, invitation_id)),
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

  test('an operation with the old key after the last confirmation is refused', async () => {
    const { holder, guardians } = await viaFirst.guarded();
    const next = newPerson();
    const request = await viaFirst.asked(holder.id, next.publicKey);
    await viaFirst.confirm(request, holder, next.publicKey, guardians[0]);
    const rotate = () => {
      const fields = { newPublicKey: newPerson().publicKey };
      return viaFirst.beo(holder, 'rotate-key', 'rotateKey', fields);
    };
    const answers = await inOneBatch(
      () => viaFirst.beo(holder, 'revoke-all', 'revokeAllTokens'),
      () => viaFirst.confirm(request, holder, next.publicKey, guardians[1]),
      rotate,
      () => viaFirst.configure(holder, null),
      () => viaFirst.beo(holder, 'destroy', 'destroyBEO'),
    );
    expect(codes(answers)).toEqual([200, 200, ...Array.from({ length: 3 }, () => 'INVALID_SIGNATURE')]);
    expect(await viaSecond.beoOf(holder.id)).toMatchObject({ public_key: next.publicKey, status: 'ACTIVE' });
  });

  test('a confirmation of another request after the last confirmation is refused', async () => {
    const { holder, guardians } = await viaFirst.guarded();
    const [next, otherKey] = [newPerson().publicKey, newPerson().publicKey];
    const [request, otherRequest] = [await viaFirst.asked(holder.id, next), await viaFirst.asked(holder.id, otherKey)];
    const answers = await inOneBatch(
      () => viaFirst.confirm(request, holder, next, guardians[0]),
      () => viaFirst.confirm(otherRequest, holder, otherKey, guardians[0]),
      () => viaFirst.confirm(request, holder, next, guardians[1]),
      () => viaFirst.confirm(otherRequest, holder, otherKey, guardians[1]),
    );
    expect(codes(answers)).toEqual([200, 200, 200, 'REQUEST_CLOSED']);
    expect(answers.map(({ body }) => body.executed)).toEqual([false, false, true, undefined]);
    expect((await viaSecond.beoOf(holder.id)).public_key).toBe(next);
  });

  test('invitations followed by a destruction leave no sealed data', async () => {
    const holder = await viaFirst.newHolder();
    const storedRows = async () => {
      const { rows } = await first.service.context.pool.query<{ keys: number; rows: number; links: number }>(
        `SELECT (SELECT count(*) FROM vault_keys WHERE owner_id = $1) AS keys,
           (SELECT count(*) FROM vault_rows WHERE owner_id = $1) AS rows,
           (SELECT count(*) FROM invitations WHERE beo_id = $1) AS links`,
        [holder.id],
      );
      return rows[0];
    };
    const answers = await inOneBatch(
      () => viaFirst.invite(holder, 'primary'),
      () => viaFirst.invite(holder, 'secondary'),
      () => viaFirst.beo(holder, 'destroy', 'destroyBEO'),
    );
    expect(codes(answers)).toEqual([201, 201, 200]);
    expect(await storedRows()).toEqual({ keys: 0, rows: 0, links: 0 });
  });
});

describe('a request for recovery', () => {
  test('that shares key and nonce with an operation of its sender does not affect other senders', async () => {
    const attacker = newPerson();
    const bystander = newPerson();
    const { holder } = await viaFirst.guarded();
    const nonce = randomUUID();
    const sealed = {
      domain: `race-${randomUUID()}.bsp`,
      publicKey: attacker.publicKey,
      recovery: { guardians: [viaFirst.guardian('primary')] } as Json,
    };
    const timestamp = new Date().toISOString();
    const operation: SignedBody = attacker.sign('createBEO', sealed, { nonce, timestamp });
    const recoveryRequest = attacker.sign(
      'requestRecovery',
      { beoId: holder.id, newPublicKey: attacker.publicKey },
      { nonce, timestamp },
    );
    const bystanderOperation = viaFirst.sign(bystander, 'createBEO', {
      domain: `by-${randomUUID()}.bsp`,
      publicKey: bystander.publicKey,
      recovery: null,
    });
    const { pool, queue } = first.service.context;
    const submit = vi.spyOn(queue, 'submit');
    const [headLock, vaultLock] = await Promise.all([ownConnection(), ownConnection()]);
    try {
      // Locks the head until both operations wait for it, and then the vault, so that the batch stops after its nonce check.
      await headLock.query('BEGIN');
      await headLock.query('SELECT 1 FROM ledger_head FOR UPDATE');
      const firstBatch = viaFirst.newHolder();
      await expect.poll(() => submit.mock.calls.length, { interval: 2 }).toBe(1);
      const answers = [first.post('/api/relayer/beo', operation), first.post('/api/relayer/beo', bystanderOperation)];
      await expect.poll(() => submit.mock.calls.length, { interval: 2 }).toBe(3);
      await vaultLock.query('BEGIN');
      await vaultLock.query('LOCK TABLE vault_keys IN ACCESS EXCLUSIVE MODE');
      await headLock.query('COMMIT');
      await firstBatch;
      const waits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      const waiting = async () => (await pool.query(waits)).rows.length;
      await expect.poll(waiting, { interval: 10 }).toBeGreaterThan(0);
      // The request may wait for the batch and then completes after it.
      const before = await waiting();
      let completed = false;
      const requested = second.post('/api/relayer/beo/request-recovery', recoveryRequest).finally(() => {
        completed = true;
      });
      await expect.poll(async () => completed || (await waiting()) > before, { interval: 10 }).toBe(true);
      await vaultLock.query('COMMIT');
      expect([200, 'NONCE_REUSED']).toContain((await requested).body.code ?? (await requested).status);
      const [sameNonce, unaffected] = await Promise.all(answers);
      expect(unaffected?.body.code ?? unaffected?.status).toBe(201);
      expect([201, 'NONCE_REUSED', 'UNAVAILABLE']).toContain(sameNonce?.body.code ?? sameNonce?.status);
    } finally {
      await Promise.all([headLock.end(), vaultLock.end()]);
      submit.mockRestore();
    }
  });
});

test('verify finds no breach in the resulting ledger and database', async () => {
  await settle(first.databaseUrl);
  const env = { RATE_LIMIT: 'off', DATA_DIR: first.dataDir, DATABASE_URL: first.databaseUrl };
  const { result, text } = await runHere((parts) => verify({}, parts), env);
  expect(result, text).toBe('clean');
});
