import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { messagesIn } from '../../../messages/messages.ts';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { newPerson } from '../../testing/test-service.ts';
import { ACCEPT_JSON, HOUR } from '../guardians/test-guardians.ts';
import { EVERYTHING, exchangeOf, measurement } from '../records/test-exchange.ts';
import { type AlertService, MINUTE, startAlertService } from './test-alerts.ts';

let alerts: AlertService;
beforeAll(async () => {
  alerts = await startAlertService();
});
beforeEach(() => alerts.openMailbox());
afterAll(() => alerts.service.stop());

const { letters } = messagesIn('en');
let count = 0;
const newAddress = () => `holder-${++count}@mail.example`;

test('a new address gets one mail with a short link, and alerts once a person has confirmed it', async () => {
  const { service, guardians } = alerts;
  const { holder } = await guardians.guarded();
  const address = newAddress();
  const { status, body, headers } = await alerts.set(holder, [address]);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body.addresses).toMatchObject([{ address, status: 'PENDING', confirmed_at: null }]);
  await alerts.settled();
  const [mail, ...others] = alerts.received(address);
  expect(others).toEqual([]);
  expect(mail?.raw).not.toContain(holder.domain);
  expect(mail?.email.text).toMatch(/\/a\/[\w-]{43}\n/);

  // A scanner opens the link, and the page has the domain.
  const link = alerts.linkFor(address);
  for (const method of ['GET', 'HEAD']) await service.request(link, { method, headers: ACCEPT_JSON });
  expect((await service.get(link, ACCEPT_JSON)).body).toEqual({ confirmed: false, beo_domain: holder.domain });
  await guardians.asked(holder.id, newPerson().publicKey);
  await alerts.settled();
  expect(alerts.received(address)).toHaveLength(1);

  expect((await service.post(link, {})).body).toEqual({ confirmed: true, beo_domain: holder.domain });
  expect((await service.post(link, {})).status).toBe(200);
  await guardians.asked(holder.id, newPerson().publicKey);
  await alerts.settled();
  expect(alerts.subjects(address)).toEqual([letters.alertConfirm.subject, letters.alertRecoveryRequested.subject]);
  const text = alerts.received(address)[1]?.email.text ?? '';
  expect(text).toContain(holder.domain);
  expect(text).not.toMatch(/guardian\/|\/r\/|\/a\/|The primary guardian|\?/);
  expect((await alerts.list(holder)).addresses).toMatchObject([{ status: 'CONFIRMED', ends_at: null }]);
});

test('each event has its letter, in the language of the holder, and kinds can be turned off', async () => {
  const { guardians } = alerts;
  const holder = await guardians.newHolder();
  const [all, none] = [newAddress(), newAddress()];
  const quiet = await guardians.newHolder();
  await alerts.alerted(holder, all, { language: 'es' });
  await alerts.alerted(quiet, none, { kinds: [], language: 'pt-BR' });
  const clinic = await guardians.newInstitution();
  for (const one of [holder, quiet]) {
    const ana = await guardians.seat(one, 'primary');
    await guardians.confirmed(one, ana);
    await guardians.beo(one, 'lock', 'lockBEO');
    await guardians.beo(one, 'unlock', 'unlockBEO');
    await guardians.granted(one, clinic.id);
    const next = newPerson();
    await guardians.beo(one, 'rotate-key', 'rotateKey', { newPublicKey: next.publicKey });
  }
  await alerts.settled();
  const es = messagesIn('es').letters;
  expect(alerts.subjects(all).slice(1).toSorted()).toEqual(
    [
      es.alertGuardiansChanged,
      es.alertGuardianAccepted,
      es.alertGuardianConfirmed,
      es.alertFrozen,
      es.alertConsentGiven,
      es.alertKeyChanged,
    ]
      .map(({ subject }) => subject)
      .toSorted(),
  );
  expect(
    alerts
      .received(all)
      .map(({ raw }) => raw)
      .join(),
  ).not.toContain('A Clinic');
  expect(alerts.received(none)).toHaveLength(1);
});

test('a recovery is told from its request to its end, also where every kind is turned off', async () => {
  const { guardians } = alerts;
  const guarded = await guardians.guarded();
  const address = newAddress();
  await alerts.alerted(guarded.holder, address, { kinds: [] });
  const cancelled = await guardians.asked(guarded.holder.id, newPerson().publicKey);
  await alerts.settled();
  const body = { requestId: cancelled.request_id };
  expect((await guardians.beo(guarded.holder, 'cancel-recovery', 'cancelRecovery', body)).status).toBe(200);
  await guardians.recovered(guarded);
  await alerts.settled();
  const expected = [
    'alertRecoveryRequested',
    'alertRecoveryCancelled',
    'alertRecoveryRequested',
    'alertRecoveryConfirmed',
    'alertRecovered',
  ] as const;
  expect(alerts.subjects(address).slice(1).toSorted()).toEqual(
    expected.map((kind) => letters[kind].subject).toSorted(),
  );
});

test('an address that is removed is told, and receives alerts of recoveries alone for 72 hours', async () => {
  const { guardians } = alerts;
  const { holder } = await guardians.guarded();
  const [own, thief] = [newAddress(), newAddress()];
  await alerts.alerted(holder, own);
  await alerts.alerted(holder, thief);
  // It was told that another address was added.
  expect(alerts.subjects(own)).toEqual([letters.alertConfirm.subject, letters.alertChanged.subject]);
  // In the language that the holder had set, not in that of the thief.
  expect((await alerts.set(holder, [thief], { kinds: [], language: 'es' })).body.addresses).toMatchObject([
    { address: own, status: 'LEAVING' },
    { address: thief, status: 'CONFIRMED' },
  ]);
  await guardians.beo(holder, 'lock', 'lockBEO');
  await guardians.beo(holder, 'unlock', 'unlockBEO');
  await guardians.asked(holder.id, newPerson().publicKey);
  await alerts.settled();
  expect(alerts.subjects(own).slice(2).toSorted()).toEqual(
    [letters.alertLeaving.subject, messagesIn('es').letters.alertRecoveryRequested.subject].toSorted(),
  );
  alerts.advance(72 * HOUR + MINUTE);
  await guardians.asked(holder.id, newPerson().publicKey);
  await alerts.settled();
  expect(alerts.received(own)).toHaveLength(4);
  expect((await alerts.list(holder)).addresses).toMatchObject([{ address: thief }]);
});

test('a change of the language alone is told, in the language that was set before', async () => {
  const holder = await alerts.guardians.newHolder();
  const address = newAddress();
  await alerts.alerted(holder, address);
  await alerts.set(holder, [address], { language: 'es' });
  await alerts.settled();
  expect(alerts.subjects(address)).toEqual([letters.alertConfirm.subject, letters.alertChanged.subject]);
});

test('an address that refuses mail is shown as such until it is removed', async () => {
  const { service, guardians } = alerts;
  const holder = await guardians.newHolder();
  const address = newAddress();
  await alerts.alerted(holder, address);
  const { headers = [] } = alerts.received(address)[0]?.email ?? {};
  const link = /<(\S+)>/.exec(headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '')?.[1] ?? '';
  await service.post(new URL(link).pathname, {});
  expect((await alerts.list(holder)).addresses).toMatchObject([{ address, status: 'UNSUBSCRIBED' }]);
  expect((await alerts.set(holder, [])).body.addresses).toMatchObject([{ address, status: 'LEAVING' }]);
});

test('of settings that are sent at the same moment, those of one request count', async () => {
  const holder = await alerts.guardians.newHolder();
  const answers = await Promise.all(Array.from({ length: 4 }, () => alerts.set(holder, [newAddress()])));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await alerts.list(holder)).addresses).toHaveLength(1);
});

test('invitations of strangers to a mailbox do not prevent that a holder confirms its address', async () => {
  const { guardians } = alerts;
  const address = newAddress();
  for (let round = 0; round < 3; round += 1) {
    await guardians.invite(await guardians.newHolder(), 'primary', { contact: address });
  }
  await expect.poll(() => alerts.received(address).length, { timeout: 60_000 }).toBe(3);
  await alerts.alerted(await guardians.newHolder(), address);
});

test('the address of a stranger gets nothing but one confirmation mail, three in a day from anyone, and the rest later', async () => {
  const { guardians } = alerts;
  const address = newAddress();
  const holder = await guardians.newHolder();
  for (let round = 0; round < 3; round += 1) await alerts.set(holder, [address]);
  await guardians.beo(holder, 'lock', 'lockBEO');
  await guardians.beo(holder, 'unlock', 'unlockBEO');
  await alerts.settled();
  await alerts.set(holder, []);
  expect(alerts.received(address)).toHaveLength(1);
  for (let round = 0; round < 4; round += 1) await alerts.set(await guardians.newHolder(), [address.toUpperCase()]);
  await alerts.settled();
  expect(alerts.received(address)).toHaveLength(3);
  alerts.advance(25 * HOUR);
  await alerts.settled();
  expect(alerts.received(address)).toHaveLength(5);
  const { rows } = await alerts.pool.query(`SELECT FROM alert_addresses WHERE owner_id = $1`, [holder.id]);
  expect(rows).toEqual([]);
});

test('a link that was not confirmed within 72 hours, or whose address was removed, is unknown', async () => {
  const { service, guardians } = alerts;
  const [late, removed] = [newAddress(), newAddress()];
  const holder = await guardians.newHolder();
  await alerts.set(holder, [late, removed]);
  await alerts.settled();
  const links = [alerts.linkFor(late), alerts.linkFor(removed)];
  await alerts.set(holder, [late]);
  expectRefusal(await service.post(links[1] ?? '', {}), 'LINK_NOT_FOUND');
  alerts.advance(72 * HOUR + MINUTE);
  for (const link of [...links, `/api/alerts/confirm/${'A'.repeat(43)}`]) {
    expectRefusal(await service.get(link, ACCEPT_JSON), 'LINK_NOT_FOUND');
    expectRefusal(await service.post(link, {}), 'LINK_NOT_FOUND');
  }
  expect((await alerts.list(holder)).addresses).toEqual([]);
});

test('only the current key sets and reads alerts, once for each signature, and not while the identity is frozen', async () => {
  const { service, guardians } = alerts;
  const holder = await guardians.newHolder();
  const next = newPerson();
  await guardians.beo(holder, 'rotate-key', 'rotateKey', { newPublicKey: next.publicKey });
  const current = { ...holder, person: next };
  for (const person of [holder.person, newPerson()]) {
    expectRefusal(await alerts.set({ ...holder, person }, []), 'INVALID_SIGNATURE');
    const body = alerts.signed({ ...holder, person }, 'listAlerts', {});
    expectRefusal(await service.post('/api/alerts/list', body), 'INVALID_SIGNATURE');
  }
  const body = alerts.signed(current, 'setAlerts', { addresses: [] });
  expect((await service.post('/api/alerts', body)).status).toBe(200);
  expectRefusal(await service.post('/api/alerts', body), 'NONCE_REUSED');
  const wrong = [
    { addresses: ['a@b.example', 'c@d.example', 'e@f.example', 'g@h.example'] },
    { addresses: ['a@b.example', 'A@b.example'] },
    { addresses: ['Ana <a@b.example>'] },
    { addresses: ['a@b.example\r\nBcc: x@y.example'] },
    { addresses: [], kinds: ['EVERYTHING'] },
    { addresses: [], language: 'tlh' },
    { addresses: [], more: true },
  ];
  for (const fields of wrong) {
    const { addresses, ...more } = fields as { addresses: string[] };
    expectRefusal(await alerts.set(current, addresses, more), 'VALIDATION_FAILED');
  }
  await guardians.beo(current, 'lock', 'lockBEO');
  expectRefusal(await alerts.set(current, []), 'BEO_LOCKED');
  expect((await alerts.list(current)).sends_mail).toBe(true);
});

test('a first use and the end of a consent are told, without who it was, also beside damaged data', async () => {
  const { guardians, service, pool } = alerts;
  const exchange = exchangeOf(service, alerts.now);
  const [holder, other] = [await guardians.newHolder(), await guardians.newHolder()];
  // Looked at first.
  await alerts.alerted(other, newAddress());
  const address = newAddress();
  await alerts.alerted(holder, address, { kinds: ['CONSENT_USED', 'CONSENT_ENDING'] });
  const clinic = await guardians.newInstitution();
  const { token_id: tokenId } = await guardians.granted(holder, clinic.id, EVERYTHING, 10);
  for (const { id } of [holder, other]) {
    await pool.query(
      "INSERT INTO access_events (id, owner_id, at, ciphertext) VALUES (gen_random_uuid(), $1, $2, '\\x00')",
      [id, new Date(alerts.now())],
    );
  }
  await pool.query("UPDATE vault_keys SET wrapped = '\\x00' WHERE owner_id = $1", [other.id]);
  const use = { by: clinic, holder, tokenId };
  await exchange.submitted(use, [measurement()]);
  await exchange.read(use);
  await exchange.read(use);
  alerts.advance(10 * MINUTE);
  await expect.poll(() => alerts.received(address).length, { timeout: 60_000 }).toBe(2);
  expect(alerts.subjects(address)[1]).toBe(letters.alertConsentUsed.subject);
  alerts.advance(3 * 24 * HOUR);
  await expect.poll(() => alerts.received(address).length, { timeout: 60_000 }).toBe(3);
  expect(alerts.subjects(address)[2]).toBe(letters.alertConsentEnding.subject);
  for (const { raw } of alerts.received(address)) expect(raw).not.toMatch(/A Clinic|BSP-|mg\/dL/);
});

test('destroying the identity erases addresses, settings and mails', async () => {
  const { guardians, pool } = alerts;
  const holder = await guardians.newHolder();
  await alerts.alerted(holder, newAddress());
  await guardians.beo(holder, 'lock', 'lockBEO');
  expect((await guardians.beo(holder, 'destroy', 'destroyBEO')).status).toBe(200);
  await alerts.settled();
  for (const table of ['alert_settings', 'alert_addresses', 'alert_mails', 'vault_rows']) {
    const { rows } = await pool.query(`SELECT FROM ${table} WHERE owner_id = $1`, [holder.id]);
    expect([table, rows]).toEqual([table, []]);
  }
});
