import { describe, expect, test } from 'vitest';
import { deleteOldMailCounts } from './allowance.ts';
import { startMailServer } from './test-mail-server.ts';
import { HOUR_MS, testOutbox } from './test-outbox.ts';

const SPELLINGS = ['ana@mail.example', 'ANA@mail.example', 'ana+1@mail.example', 'Ana+2@Mail.Example'];
const spelled = (index: number): string => SPELLINGS[index % SPELLINGS.length] ?? '';

describe('in any 24 hours a mailbox receives at most', () => {
  test('three invitations, from any sender and in any spelling; the rest are dropped', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    for (let index = 0; index < 54; index++) {
      const guardian = await box.guardian(`stranger-${index}.bsp`, { contact: spelled(index) });
      await box.queue('invitation', guardian, 'en', { from: `${index}.0.0.1` });
    }
    for (let process = 0; process < 2; process++) box.start(server.port);
    await expect.poll(() => box.waiting()).toEqual([]);
    expect(server.received).toHaveLength(3);
    expect(box.logged).toHaveLength(51);
    for (const line of box.logged) {
      expect(line).toContain('a mail was held back: too many in a day');
      expect(line).not.toMatch(/mail\.example|stranger/);
    }

    box.advance(24 * HOUR_MS + 1);
    for (let index = 0; index < 4; index++) {
      await box.queue('invitation', await box.guardian(`later-${index}.bsp`, { contact: spelled(index) }));
    }
    await expect.poll(() => box.waiting()).toEqual([]);
    expect(server.received).toHaveLength(6);
  });

  test('ten recovery requests besides invitations; the rest are deferred', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    const contact = 'ana@mail.example';
    for (let index = 0; index < 3; index++) {
      await box.queue('invitation', await box.guardian(`stranger-${index}.bsp`, { contact }));
    }
    for (let index = 0; index < 12; index++) {
      await box.queue('recovery', await box.guardian(`guarded-${index}.bsp`, { contact, accepted: true }));
    }
    box.start(server.port);
    await expect
      .poll(() => box.waiting())
      .toEqual([
        { kind: 'recovery', attempts: 1 },
        { kind: 'recovery', attempts: 1 },
      ]);
    expect(server.received).toHaveLength(13);
    await box.queue('recovered', await box.guardian('guarded.bsp', { contact, accepted: true }));
    await expect.poll(() => server.received.length).toBe(14);
    box.advance(25 * HOUR_MS);
    await expect.poll(() => server.received.length).toBe(16);
  });
});

test('a client network can cause a tenth of the daily mails, and all networks together the operator’s maximum', async () => {
  const box = await testOutbox();
  const server = await startMailServer();
  let guardians = 0;
  const queue = async (from: string) => {
    const contact = `guardian-${guardians++}@mail.example`;
    await box.queue('invitation', await box.guardian('maria.bsp', { contact }), 'en', { from });
  };
  for (let host = 1; host <= 5; host++) await queue(`203.0.113.${host}`);
  box.start(server.port, { perDay: 20 });
  await expect.poll(() => box.waiting()).toEqual([]);
  expect(server.received.length).toBeLessThanOrEqual(3);
  expect(server.received.length).toBeGreaterThanOrEqual(2);
  for (let network = 1; network <= 30; network++) await queue(`198.51.${network}.1`);
  await expect.poll(() => box.waiting()).toEqual([]);
  // Two mails are sent concurrently, so that the limit can be exceeded by one.
  expect(server.received.length).toBeLessThanOrEqual(21);
  expect(server.received.length).toBeGreaterThanOrEqual(20);
});

test('a retried mail is counted once, and counts are kept for a day', async () => {
  const box = await testOutbox();
  const server = await startMailServer();
  server.rule = (step) => (step === 'recipient' ? { code: 450, text: '4.2.1 greylisted, come back' } : null);
  await box.queue('invitation', await box.guardian('maria.bsp'));
  box.start(server.port);
  for (const attempts of [1, 2, 3, 4]) {
    await expect.poll(() => box.waiting()).toEqual([{ kind: 'invitation', attempts }]);
    box.advance(HOUR_MS);
  }
  const counts = async () => (await box.pool.query('SELECT FROM mail_counts')).rowCount;
  expect(await counts()).toBe(1);
  server.rule = () => null;
  box.advance(HOUR_MS);
  await expect.poll(() => box.waiting()).toEqual([]);
  expect(server.received).toHaveLength(1);
  const kept = (await box.pool.query<{ row: string }>('SELECT mail_counts::text AS row FROM mail_counts')).rows;
  expect(JSON.stringify(kept)).not.toContain('mail.example');
  await deleteOldMailCounts(box.pool, Date.parse(box.now()) + 25 * HOUR_MS);
  expect(await counts()).toBe(0);
});
