import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { inTransaction } from '../../platform/db/transaction.ts';
import { dropMail, lockDueMail } from './due-mail.ts';
import type { AlertMailKind } from './mail.ts';
import { HOUR_MS, testOutbox } from './test-outbox.ts';

test('alerts leave first, then mails to guardians, and last those to new addresses', async () => {
  const box = await testOutbox();
  const queueAlert = (kind: AlertMailKind) =>
    box.pool.query(
      `INSERT INTO alert_mails (id, kind, owner_id, address_id, about_id, happened_at, language, due_at)
       VALUES ($1, $2, $1, $1, 'about', $3, 'en', $3)`,
      [randomUUID(), kind, box.now()],
    );
  await queueAlert('alertConfirm');
  await box.queue('recovery', await box.guardian('guarded.bsp', { accepted: true }), 'en', { inMs: 1_000 });
  box.advance(2_000);
  await queueAlert('alertFrozen');
  box.advance(HOUR_MS);
  const order: string[] = [];
  await inTransaction(box.pool, async (client) => {
    for (let mail = await lockDueMail(client, Date.parse(box.now())); mail; ) {
      order.push(mail.kind);
      await dropMail(client, mail);
      mail = await lockDueMail(client, Date.parse(box.now()));
    }
  });
  expect(order).toEqual(['alertFrozen', 'recovery', 'alertConfirm']);
});
