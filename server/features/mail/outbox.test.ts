import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../messages/languages.ts';
import { amount, inFull } from '../../../protocol/test-amount.ts';
import { runAll } from '../../platform/db/statement.ts';
import { deleteMailsOf, type GuardianMailKind } from './mail.ts';
import { startMailServer, startSilentServer } from './test-mail-server.ts';
import { HOUR_MS, testOutbox } from './test-outbox.ts';

const longTest = inFull(test);

const never = new Promise<null>(() => undefined);

function deferred() {
  let resolve: (value: null) => void = () => undefined;
  const promise = new Promise<null>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** For a server that does not reply. */
const SHORT_LIMITS = { connectMs: 500, responseMs: 1_000, messageMs: 2_000 };

/** Waits until the only mail is sent, an hour later after each attempt: a busy machine may exceed the short limits, too. */
async function sentInTheEnd(box: Box): Promise<void> {
  let attempts = 0;
  const waiting = async () => {
    const mails = await box.waiting();
    const made = mails[0]?.attempts ?? 0;
    if (made > attempts) box.advance(HOUR_MS);
    attempts = made;
    return mails;
  };
  await expect.poll(waiting).toEqual([]);
}

describe('a mail that is due', () => {
  longTest('is sent once by several processes', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    const expected: string[] = [];
    for (let index = 0; index < amount(12, 40); index++) {
      const contact = `guardian-${index}@mail.example`;
      await box.queue('invitation', await box.guardian(`person-${index}.bsp`, { contact }));
      expected.push(contact);
    }
    for (let process = 0; process < 3; process++) box.start(server.port);
    await expect.poll(() => box.waiting()).toEqual([]);
    expect(server.received.flatMap(({ to }) => to).toSorted()).toEqual(expected.toSorted());
  });

  test('is stored once and is not sent early', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    const guardian = await box.guardian('maria.bsp');
    await box.queue('reminder', guardian, 'en', { inMs: 48 * HOUR_MS });
    await box.queue('reminder', guardian, 'en', { inMs: 48 * HOUR_MS });
    await box.queue('invitation', guardian, 'en', { inMs: 48 * HOUR_MS });
    expect(await box.waiting()).toHaveLength(2);
    box.start(server.port);
    const sofia = await box.guardian('sofia.bsp', { accepted: true });
    await box.queue('recovery', sofia);
    await expect.poll(() => server.received.length).toBe(1);
    box.advance(48 * HOUR_MS);
    await expect.poll(() => box.waiting()).toEqual([]);
    expect(server.received.map(({ email }) => email.text)).toEqual([
      expect.stringContaining(sofia.recoveryLink),
      expect.stringContaining(guardian.invitationLink),
      expect.stringContaining(guardian.invitationLink),
    ]);
    const [, second, third] = server.received.map(({ email }) => email);
    const [reminder, invitation] = second?.references ? [second, third] : [third, second];
    expect(reminder?.references).toBe(invitation?.messageId);
  });

  const dropped: [string, GuardianMailKind, (box: Box, guardian: TestGuardian) => Promise<unknown>][] = [
    [
      'a reminder to a guardian who has accepted',
      'reminder',
      (box, { ownerId }) =>
        box.change(ownerId, (recovery) => ({
          ...recovery,
          guardians: recovery.guardians.map((guardian) => ({ ...guardian, status: 'ACTIVE', acceptedAt: box.now() })),
        })),
    ],
    [
      'an invitation whose link was deleted from the vault',
      'invitation',
      (box, { invitationId }) => box.pool.query('DELETE FROM vault_rows WHERE id = $1', [`invitation:${invitationId}`]),
    ],
    ['an expired invitation', 'invitation', async (box) => box.advance(72 * HOUR_MS)],
    [
      'an invitation that was replaced',
      'invitation',
      (box, { ownerId }) => box.change(ownerId, (recovery) => ({ ...recovery, guardians: [] })),
    ],
    ['an expired request', 'recovery', async (box) => box.advance(72 * HOUR_MS)],
    [
      'a request after a recovery was executed',
      'confirmed',
      (box, { ownerId }) => box.change(ownerId, (recovery) => ({ ...recovery, recoveredAt: box.now() })),
    ],
    [
      'a request that its guardian has confirmed',
      'recovery',
      (box, { ownerId, guardianId, requestId }) =>
        box.change(ownerId, (recovery) => ({
          ...recovery,
          requests: [
            {
              requestId,
              newPublicKey: 'ef'.repeat(32),
              openedAt: box.now(),
              confirmations: [
                {
                  guardianId: guardianId as (typeof recovery.guardians)[number]['guardianId'],
                  publicKey: 'ab'.repeat(32),
                  asserted: true,
                  at: box.now(),
                },
              ],
            },
          ],
        })),
    ],
    [
      'a guardian who was deleted',
      'recovered',
      (box, { guardianId }) => box.pool.query('DELETE FROM vault_rows WHERE id = $1', [`guardian:${guardianId}`]),
    ],
  ];
  test.each(amount(dropped.slice(0, 2), dropped))('is dropped if obsolete: %s', async (_, kind, makeObsolete) => {
    const box = await testOutbox();
    const server = await startMailServer();
    const guardian = await box.guardian('maria.bsp', { accepted: kind !== 'invitation' && kind !== 'reminder' });
    await box.queue(kind, guardian);
    await makeObsolete(box, guardian);
    box.start(server.port);
    await expect.poll(() => box.waiting()).toEqual([]);
    expect(server.received).toEqual([]);
    expect(box.logged).toEqual([]);
  });

  test('reports another guardian’s confirmation even without a link', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    const guardian = await box.guardian('maria.bsp', { accepted: true });
    await box.pool.query(`DELETE FROM vault_rows WHERE id LIKE 'recovery:%'`);
    for (const language of LANGUAGES) {
      await box.queue('confirmed', { ...guardian }, language);
      box.start(server.port);
      await expect.poll(() => box.waiting()).toEqual([]);
    }
    expect(server.received).toHaveLength(LANGUAGES.length);
    for (const { raw } of server.received) expect(raw).not.toMatch(/\/r\/|\/api\/guardian/);
  });
});

describe('mails of a destroyed identity', () => {
  test('are dropped', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    const guardian = await box.guardian('maria.bsp', { accepted: true });
    for (const kind of ['recovery', 'confirmed', 'recovered'] as const) await box.queue(kind, guardian);
    await box.pool.query(`UPDATE beos SET domain = NULL, public_key = NULL, status = 'DESTROYED'`);
    await box.pool.query('DELETE FROM vault_keys');
    box.start(server.port);
    await expect.poll(() => box.waiting()).toEqual([]);
    expect(server.received).toEqual([]);
  });

  longTest('are deleted without waiting for a mail that is being sent', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    const guardian = await box.guardian('maria.bsp', { accepted: true });
    await box.queue('recovery', guardian);
    let reached = false;
    server.rule = (step) => {
      reached ||= step === 'recipient';
      return step === 'recipient' ? never : null;
    };
    box.start(server.port);
    await expect.poll(() => reached).toBe(true);
    await box.queue('confirmed', guardian, 'en', { inMs: HOUR_MS });
    const client = await box.pool.connect();
    await client.query(`SET statement_timeout = '120s'`);
    await runAll(client, deleteMailsOf([guardian.ownerId]));
    client.release(true);
    expect(await box.waiting()).toEqual([{ kind: 'recovery', attempts: 0 }]);
  });
});

describe('a mail server that', () => {
  test('defers a mail receives it again later', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    let reached = 0;
    server.rule = (step) => {
      if (step === 'recipient') reached += 1;
      return step === 'recipient' && reached < 3 ? { code: 450, text: '4.2.1 greylisted, come back' } : null;
    };
    await box.queue('invitation', await box.guardian('maria.bsp'));
    box.start(server.port);
    for (const attempts of [1, 2]) {
      await expect.poll(() => box.waiting()).toEqual([{ kind: 'invitation', attempts }]);
      expect(server.received).toEqual([]);
      box.advance(HOUR_MS);
    }
    await expect.poll(() => box.waiting()).toEqual([]);
    expect(server.received).toHaveLength(1);
  });

  longTest('defers a mail for three days does not receive it again', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    server.rule = (step) => (step === 'recipient' ? { code: 452, text: 'mailbox full' } : null);
    const guardian = await box.guardian('maria.bsp', { accepted: true });
    await box.queue('recovered', guardian);
    await box.pool.query('UPDATE mails SET attempts = 200');
    box.start(server.port);
    await expect.poll(() => box.waiting()).toEqual([]);
    expect(box.logged).toHaveLength(1);
    expect(box.logged[0]).toContain('could not be sent for three days');
    expect(box.logged[0]).toContain('EENVELOPE RCPT TO 452');
  });

  test.each(amount<('recipient' | 'message')[]>(['recipient'], ['recipient', 'message']))(
    'refuses a %s permanently does not receive it again',
    async (step) => {
      const box = await testOutbox();
      const server = await startMailServer();
      server.rule = (current, address) =>
        current === step && address.startsWith('gone')
          ? { code: 550, text: '5.1.1 gone@mail.example is unknown' }
          : null;
      const guardian = await box.guardian('maria.bsp', { contact: 'gone@mail.example', name: 'Ana' });
      await box.queue('invitation', guardian);
      box.start(server.port);
      await expect.poll(() => box.waiting()).toEqual([]);
      expect(box.logged).toHaveLength(1);
      expect(box.logged[0]).toContain('refused for good');
      expect(box.logged[0]).toContain('550 5.1.1');
      expect(box.logged[0]).not.toMatch(/gone@|mail\.example|Ana|maria|accept/);
      await box.queue('invitation', await box.guardian('sofia.bsp'));
      await expect.poll(() => server.received.length).toBe(1);
    },
  );

  longTest('refuses by policy receives the mail again', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    server.rule = (step) => (step === 'recipient' ? { code: 554, text: '5.7.1 relay access denied' } : null);
    await box.queue('invitation', await box.guardian('maria.bsp'));
    box.start(server.port);
    await expect.poll(() => box.waiting()).toEqual([{ kind: 'invitation', attempts: 1 }]);
    server.rule = () => null;
    box.advance(HOUR_MS);
    await expect.poll(() => server.received.length).toBe(1);
  });

  longTest('never replies does not block a mail forever', async () => {
    const box = await testOutbox();
    const silent = await startSilentServer();
    await box.queue('invitation', await box.guardian('maria.bsp'));
    const outbox = box.start(silent.port, { timeouts: SHORT_LIMITS });
    await expect.poll(() => box.waiting()).toEqual([{ kind: 'invitation', attempts: 1 }]);
    expect(outbox.problem()).toBe('The mail server takes no mail at the moment.');
    await silent.stop();
    const server = await startMailServer({ port: silent.port });
    await sentInTheEnd(box);
    expect(server.received.length).toBeGreaterThan(0);
    await expect.poll(() => outbox.problem()).toBe(null);
    expect(box.logged.map((line) => JSON.parse(line).msg)).toEqual([
      'The mail server takes no mail at the moment. Mails stay in the outbox and are retried.',
      'the outbox works again',
    ]);
  });

  longTest('stops replying midway does not block a mail forever', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    server.rule = (step) => (step === 'message' ? never : null);
    await box.queue('invitation', await box.guardian('maria.bsp'));
    box.start(server.port, { timeouts: SHORT_LIMITS });
    await expect.poll(() => box.waiting()).toEqual([{ kind: 'invitation', attempts: 1 }]);
    server.rule = () => null;
    await sentInTheEnd(box);
    expect(server.received.length).toBeGreaterThan(0);
  });

  longTest('restarts receives every mail once', async () => {
    const box = await testOutbox();
    const first = await startMailServer();
    let cuts = 0;
    first.rule = (step) => {
      if (step === 'recipient' && cuts++ === 0) first.cut();
      return null;
    };
    const invited = [await box.guardian('maria.bsp'), await box.guardian('sofia.bsp')];
    for (const guardian of invited) await box.queue('invitation', guardian);
    box.start(first.port);
    await expect.poll(() => first.received.length > 0 || cuts > 0).toBe(true);
    await first.stop();
    const luca = await box.guardian('luca.bsp', { accepted: true });
    await box.queue('recovery', luca);
    await expect.poll(async () => (await box.waiting()).every(({ attempts }) => attempts > 0)).toBe(true);
    const second = await startMailServer({ port: first.port });
    box.advance(HOUR_MS);
    await expect.poll(() => box.waiting()).toEqual([]);
    const links = [...first.received, ...second.received].map(
      ({ email }) => /http\S+\/[gr]\/\S+/.exec(email.text ?? '')?.[0],
    );
    expect(links.toSorted()).toEqual(
      [luca.recoveryLink, ...invited.map(({ invitationLink }) => invitationLink)].toSorted(),
    );
  });

  longTest('has an untrusted certificate receives no mail', async () => {
    const box = await testOutbox();
    const server = await startMailServer({ tls: true });
    await box.queue('invitation', await box.guardian('maria.bsp'));
    box.start(server.port);
    await expect.poll(() => box.waiting()).toEqual([{ kind: 'invitation', attempts: 1 }]);
    expect(server.received).toEqual([]);
    expect(box.logged.join()).toMatch(/\bESOCKET \w*CERT/);
  });

  test('is remote without TLS receives no password', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    await box.queue('invitation', await box.guardian('maria.bsp'));
    const credentials = { user: 'perpetua', pass: 'hunter2' };
    // An address that counts as remote, although connections to it reach this machine.
    box.start(server.port, { server: { host: '0.0.0.0', port: server.port, secure: false, credentials } });
    await expect.poll(() => box.waiting()).toEqual([{ kind: 'invitation', attempts: 1 }]);
    expect([server.logins, server.received]).toEqual([[], []]);
    expect(box.logged.join()).not.toContain('hunter2');
  });

  test('requires a password receives it', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    await box.queue('invitation', await box.guardian('maria.bsp'));
    const credentials = { user: 'perpetua', pass: 'p@ss:w/rd' };
    box.start(server.port, { server: { host: '127.0.0.1', port: server.port, secure: false, credentials } });
    await expect.poll(() => server.received.length).toBe(1);
    expect(server.logins).toEqual(['perpetua:p@ss:w/rd']);
  });
});

describe('the outbox', () => {
  longTest('stops while a server hangs and keeps the mail', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    let reached = false;
    server.rule = (step) => {
      reached ||= step === 'recipient';
      return step === 'recipient' ? never : null;
    };
    await box.queue('invitation', await box.guardian('maria.bsp'));
    const outbox = box.start(server.port);
    await expect.poll(() => reached).toBe(true);
    await outbox.stop();
    expect(await box.waiting()).toEqual([{ kind: 'invitation', attempts: 0 }]);
    server.rule = () => null;
    box.start(server.port);
    await expect.poll(() => server.received.length).toBe(1);
  });

  test('finishes a mail that is being sent', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    const pendingReply = deferred();
    let reached = false;
    server.rule = (step) => {
      reached ||= step === 'message';
      return step === 'message' ? pendingReply.promise : null;
    };
    await box.queue('invitation', await box.guardian('maria.bsp'));
    const outbox = box.start(server.port);
    await expect.poll(() => reached).toBe(true);
    const stopped = outbox.stop();
    pendingReply.resolve(null);
    await stopped;
    expect(await box.waiting()).toEqual([]);
    expect(server.received).toHaveLength(1);
  });

  longTest('waits longer for a server than the database’s idle timeout', async () => {
    const box = await testOutbox({ idleInTransactionMs: 1_000 });
    const server = await startMailServer();
    const { rows } = await box.pool.query('SHOW idle_in_transaction_session_timeout');
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '1s' }]);
    const late = deferred();
    let reached = false;
    server.rule = (step) => {
      reached ||= step === 'message';
      return step === 'message' ? late.promise : null;
    };
    await box.queue('invitation', await box.guardian('maria.bsp'));
    box.start(server.port);
    await expect.poll(() => reached).toBe(true);
    await box.pool.query('SELECT pg_sleep(1.5)');
    late.resolve(null);
    await expect.poll(() => box.waiting()).toEqual([]);
    expect(server.received).toHaveLength(1);
    expect(box.logged).toEqual([]);
  });
});

type Box = Awaited<ReturnType<typeof testOutbox>>;
type TestGuardian = Awaited<ReturnType<Box['guardian']>>;
