import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { everyNth } from '../../../protocol/test-amount.ts';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { createClock } from '../../platform/db/clock.ts';
import { freePort } from '../../platform/listening/free-port.ts';
import { newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { ACCEPT_JSON, type Guardians, guardiansOf, HOUR, pathOf } from '../guardians/test-guardians.ts';
import type { ReceivedMail } from './test-mail-server.ts';
import { startMailServer, type TestMailServer } from './test-mail-server.ts';

let shift = 0;
let port: number;
let mailServer: TestMailServer;
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  port = await freePort();
  const mail = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Perpetua <guardians@example.org>' };
  service = await startTestService(mail, { clock: createClock(Date.now, () => shift) });
  guardians = guardiansOf(service, () => Date.now() + shift);
});
beforeEach(async () => {
  mailServer = await startMailServer({ port });
  shift += 25 * HOUR;
});
afterAll(() => service.stop());

const waiting = async () =>
  (await service.service.context.pool.query("SELECT FROM mails WHERE kind <> 'reminder'")).rowCount;
const unsubscribeIn = (mail: ReceivedMail | undefined): string =>
  pathOf(/<(\S+)>/.exec(mail?.email.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '')?.[1] ?? '');
const resubscribe = (path: string): string => path.replace('unsubscribe', 'resubscribe');

/** Invites a guardian. Returns the fields of the response, the link and the mail, if one was sent. */
async function invite(contact: string) {
  const before = mailServer.received.length;
  const { status, body } = await guardians.invite(await guardians.newHolder(), 'primary', { contact });
  expect(status, JSON.stringify(body)).toBe(201);
  await expect.poll(waiting).toBe(0);
  return {
    fields: Object.keys(body).toSorted(),
    url: body.url as string,
    mail: mailServer.received.slice(before).find(({ to }) => to.includes(contact)),
  };
}

const postTo = (path: string, init: RequestInit) =>
  fetch(`${service.url}${path}`, { method: 'POST', redirect: 'manual', ...init });

const ONE_CLICK: [string, () => RequestInit][] = [
  ['a form', () => ({ body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })],
  [
    'a multipart form',
    () => {
      const body = new FormData();
      body.set('List-Unsubscribe', 'One-Click');
      return { body };
    },
  ],
  ['an empty body', () => ({})],
];

describe('the unsubscribe link', () => {
  test.each(everyNth(3, ONE_CLICK))(
    'stops mail to every spelling of the address after a POST of %s (RFC 8058)',
    async (what, init) => {
      const user = what.replaceAll(' ', '-');
      const { mail, fields } = await invite(`${user}@mail.example`);
      const path = unsubscribeIn(mail);
      const response = await postTo(path, init());
      expect([response.status, await response.json()]).toEqual([200, { subscribed: false }]);
      const after = await invite(`${user.toUpperCase()}+more@mail.example`);
      expect(after.mail).toBe(undefined);
      // The holder's response does not change, so that it does not reveal who has unsubscribed.
      expect(after.fields).toEqual(fields);
      expect((await service.get(pathOf(after.url), ACCEPT_JSON)).status).toBe(200);
      expect((await invite(`another-${user}@mail.example`)).mail).toBeDefined();
    },
  );

  test('stops queued mails, including reminders and mails about a recovery', async () => {
    const contact = 'queued@mail.example';
    const holder = await guardians.newHolder();
    for (const role of ['primary', 'secondary'] as const) {
      const { url } = (await guardians.invite(holder, role, { contact: role === 'primary' ? contact : '+351' })).body;
      await guardians.seated(url);
    }
    const { mail } = await invite(contact);
    expect((await postTo(unsubscribeIn(mail), {})).status).toBe(200);
    const before = mailServer.received.length;
    await guardians.asked(holder.id, newPerson().publicKey);
    shift += 49 * HOUR;
    const { pool } = service.service.context;
    await expect.poll(async () => (await pool.query('SELECT FROM mails')).rowCount).toBe(0);
    expect(mailServer.received.slice(before).flatMap(({ to }) => to)).not.toContain(contact);
  });

  test('has no effect on GET, and can be reversed', async () => {
    const path = unsubscribeIn((await invite('reader@mail.example')).mail);
    for (const method of ['GET', 'HEAD']) {
      const response = await service.request(path, { method, headers: ACCEPT_JSON });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect((await service.get(path, ACCEPT_JSON)).body).toEqual({ subscribed: true });
    expect((await postTo(path, {})).status).toBe(200);
    expect((await postTo(path, {})).status).toBe(200);
    expect((await service.get(path, ACCEPT_JSON)).body).toEqual({ subscribed: false });
    expect((await service.get(resubscribe(path))).status).toBe(405);
    expect((await service.get(path, ACCEPT_JSON)).body).toEqual({ subscribed: false });
    expect(await (await postTo(resubscribe(path), {})).json()).toEqual({ subscribed: true });
    expect((await invite('reader@mail.example')).mail).toBeDefined();
  });

  test('redirects a browser to a page with the new state', async () => {
    const path = unsubscribeIn((await invite('person@mail.example')).mail);
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const response = await postTo(`${path}?lang=es`, { headers });
    expect([response.status, response.headers.get('location')]).toEqual([303, `${path.replace('/api', '')}?lang=es`]);
    const wrong = await postTo(`${path}?lang=//evil.example`, { headers });
    expect(wrong.headers.get('location')).toBe(path.replace('/api', ''));
    expect((await postTo(`${path}?to=elsewhere`, { headers })).status).toBe(400);
  });

  test('is refused if forged, and no address is stored', async () => {
    const path = unsubscribeIn((await invite('stored@mail.example')).mail);
    await postTo(path, {});
    for (const token of ['x', 'A'.repeat(43), `${path.slice(-43, -1)}${path.endsWith('A') ? 'Q' : 'A'}`]) {
      const forged = `/api/mail/unsubscribe/${token}`;
      expectRefusal(await service.get(forged, ACCEPT_JSON), 'LINK_NOT_FOUND');
      expectRefusal(await service.post(forged, {}), 'LINK_NOT_FOUND');
    }
    const { rows } = await service.service.context.pool.query<{ row: string }>(
      'SELECT mail_opt_outs::text AS row FROM mail_opt_outs UNION ALL SELECT mail_counts::text FROM mail_counts',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/stored|mail\.example/);
  });
});
