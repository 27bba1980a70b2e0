import { expect, onTestFinished, test } from 'vitest';
import { messagesIn } from '../../../messages/messages.ts';
import { type AccessEvent, newAccessEvent, saveAccessEvents } from '../records/access-events.ts';
import { EVERYTHING, exchangeOf } from '../records/test-exchange.ts';
import { MINUTE, startAlertService } from './test-alerts.ts';

test('a use after more than 20,000 others is no first use, and one under another consent is', async () => {
  const alerts = await startAlertService();
  onTestFinished(() => alerts.service.stop());
  await alerts.openMailbox();
  const { guardians, service, pool } = alerts;
  const { vault } = service.service.context;
  const exchange = exchangeOf(service, alerts.now);
  const holder = await guardians.newHolder();
  const address = 'holder@mail.example';
  await alerts.alerted(holder, address, { kinds: ['CONSENT_USED'] });
  const newUse = async () => {
    const by = await guardians.newInstitution();
    return { by, holder, tokenId: (await guardians.granted(holder, by.id, EVERYTHING)).token_id as string };
  };
  const [used, unused] = [await newUse(), await newUse()];
  await exchange.read(used);
  const subjects = () => alerts.subjects(address).slice(1);
  const { subject } = messagesIn('en').letters.alertConsentUsed;
  alerts.advance(10 * MINUTE);
  await expect.poll(subjects, { timeout: 60_000 }).toEqual([subject]);

  const key = (await vault.ensureKey(pool, holder.id)) as Buffer;
  const at = new Date(alerts.now()).toISOString();
  const event: AccessEvent = {
    kind: 'submit',
    token_id: used.tokenId,
    grantee_id: used.by.id,
    grantee_domain: null,
    records: 1,
  };
  const minuteBefore = new Date(alerts.now() - MINUTE).toISOString();
  for (const time of [minuteBefore, at]) {
    const events = Array.from({ length: 10_001 }, () => newAccessEvent(key, holder.id, event, time));
    const { text, values } = saveAccessEvents(events, time);
    await pool.query(text, [...values]);
  }
  alerts.advance(10 * MINUTE);
  const isCounted = async () =>
    (await pool.query('SELECT FROM alert_settings WHERE owner_id = $1 AND watched_until > $2', [holder.id, at]))
      .rowCount;
  await expect.poll(isCounted, { timeout: 60_000 }).toBe(1);
  await exchange.read(used);
  await exchange.read(unused);
  alerts.advance(10 * MINUTE);
  await expect.poll(() => subjects().length, { timeout: 60_000 }).toBeGreaterThan(1);
  await alerts.settled();
  expect(subjects()).toEqual([subject, subject]);
});
