import { expect, test, vi } from 'vitest';
import { newPerson, startTestService } from '../../testing/test-service.ts';
import { type ReceivedMail, startMailServer } from '../mail/test-mail-server.ts';
import { guardiansOf, pathOf } from './test-guardians.ts';

const LINK = /http:\/\/\S+\/[gr]\/\S+/;

/** Starts a mail server and a service that uses it. */
async function startWithMail(env: Record<string, string> = {}) {
  const mailServer = await startMailServer();
  const service = await startTestService({
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    MAIL_FROM: 'Perpetua <guardians@example.org>',
    ...env,
  });
  const mailsTo = (address: string) => mailServer.received.filter(({ to }) => to.includes(address));
  const delivered = (address: string, count: number): Promise<readonly ReceivedMail[]> =>
    vi.waitFor(
      () => {
        expect(mailsTo(address)).toHaveLength(count);
        return mailsTo(address);
      },
      { timeout: 240_000, interval: 100 },
    );
  return { service, mailServer, delivered };
}

const linkIn = (mail: ReceivedMail | undefined): string => LINK.exec(mail?.email.text ?? '')?.[0] ?? '';

test('guardians receive a mail at each step from the invitation to the recovery, and every link works', async () => {
  const { service, delivered } = await startWithMail();
  try {
    const guardians = guardiansOf(service);
    const holder = await guardians.newHolder();
    const roles = ['primary', 'secondary'] as const;
    const accepted = [];
    for (const role of roles) {
      expect((await guardians.invite(holder, role)).status).toBe(201);
      const [invitation] = await delivered(`${role}@example.org`, 1);
      expect(invitation?.raw).not.toContain(holder.domain);
      accepted.push(await guardians.seated(linkIn(invitation)));
    }
    await guardians.confirmed(holder, ...accepted);

    const { publicKey } = newPerson();
    const request = await guardians.asked(holder.domain, publicKey);
    const [primary, secondary] = accepted;
    if (!primary || !secondary) throw new Error('Two guardians are needed.');
    const [, requestMail] = await delivered('primary@example.org', 2);
    expect(pathOf(linkIn(requestMail))).toBe(guardians.linkFor(request, primary));
    // A single word of the fingerprint can occur in the letter; two consecutive ones cannot.
    const words: string[] = request.fingerprint.split(' ');
    const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`);
    expect(pairs).toHaveLength(5);
    const content = `${requestMail?.email.text} ${requestMail?.email.html}`.replaceAll(/\s+/g, ' ');
    for (const pair of pairs) expect(content).not.toContain(pair);

    // A second request on the same day causes no mail.
    await guardians.asked(holder.domain, newPerson().publicKey);
    expect((await guardians.confirm(request, holder, publicKey, primary)).body).toMatchObject({ executed: false });
    const toSecond = await delivered('secondary@example.org', 3);
    expect(linkIn(toSecond[2])).toBe(linkIn(toSecond[1]));
    expect((await guardians.confirm(request, holder, publicKey, secondary)).body).toMatchObject({ executed: true });
    expect(await delivered('primary@example.org', 3)).toHaveLength(3);
    expect(await delivered('secondary@example.org', 4)).toHaveLength(4);
    // The mail server receives a mail before the outbox deletes it.
    await expect
      .poll(async () => (await service.service.context.pool.query('SELECT kind FROM mails')).rows)
      .toEqual([{ kind: 'reminder' }, { kind: 'reminder' }]);
  } finally {
    await service.stop();
  }
});

test('requests of strangers do not use up the mails of a genuine request, and a guardian receives five a day', async () => {
  const { service, mailServer } = await startWithMail({ TRUST_PROXY: '1' });
  const requested = () => {
    const links = mailServer.received.filter(({ to }) => to.includes('primary@example.org')).map(linkIn);
    return links.map(pathOf).filter((path) => path.includes('/confirm-recovery/'));
  };
  try {
    const guardians = guardiansOf(service);
    const { holder } = await guardians.guarded();
    const requestFrom = async (from: string): Promise<string> => {
      const fields = { beoId: holder.id, newPublicKey: newPerson().publicKey };
      const path = '/api/relayer/beo/request-recovery';
      const { status, body } = await service.post(path, fields, { 'x-forwarded-for': from });
      expect(status, JSON.stringify(body)).toBe(200);
      return guardians.linkFor(body, { role: 'primary' });
    };
    const expected = [await requestFrom('203.0.113.1')];
    await requestFrom('203.0.113.99');
    expected.push(await requestFrom('198.51.100.7'));
    for (const third of [3, 4, 5]) expected.push(await requestFrom(`203.0.${third}.1`));
    for (const third of [6, 7]) await requestFrom(`203.0.${third}.1`);
    await expect
      .poll(async () => {
        const { rowCount } = await service.service.context.pool.query("SELECT FROM mails WHERE kind = 'recovery'");
        return rowCount;
      })
      .toBe(0);
    expect(requested().toSorted()).toEqual(expected.toSorted());
  } finally {
    await service.stop();
  }
});

test('a guardian who confirmed a recovery is told that the holder cancelled it, and no other guardian', async () => {
  const { service, mailServer } = await startWithMail();
  try {
    const guardians = guardiansOf(service);
    const {
      holder,
      guardians: [first],
    } = await guardians.guarded();
    const { publicKey } = newPerson();
    const request = await guardians.asked(holder.id, publicKey);
    await guardians.confirm(request, holder, publicKey, first);
    const fields = { requestId: request.request_id };
    expect((await guardians.beo(holder, 'cancel-recovery', 'cancelRecovery', fields)).status).toBe(200);
    await expect
      .poll(
        async () => (await service.service.context.pool.query("SELECT FROM mails WHERE kind = 'cancelled'")).rowCount,
      )
      .toBe(0);
    const told = mailServer.received.filter(({ email }) => email.subject === 'A recovery you confirmed was cancelled');
    expect(told.map(({ to }) => to)).toEqual([['primary@example.org']]);

    // The request that follows is mailed, though it is of the same day and address; the one after it is not.
    const [following, third] = [
      await guardians.asked(holder.id, publicKey),
      await guardians.asked(holder.id, publicKey),
    ];
    await expect
      .poll(
        async () => (await service.service.context.pool.query("SELECT FROM mails WHERE kind = 'recovery'")).rowCount,
      )
      .toBe(0);
    const mailed = mailServer.received
      .map(linkIn)
      .filter((link) => link !== '')
      .map(pathOf);
    for (const role of ['primary', 'secondary'] as const) {
      expect(mailed).toContain(guardians.linkFor(following, { role }));
      expect(mailed).not.toContain(guardians.linkFor(third, { role }));
    }
  } finally {
    await service.stop();
  }
});

test('without a mail server no mail is queued', async () => {
  const { service, mailServer, delivered } = await startWithMail();
  try {
    const guardians = guardiansOf(service);
    const holder = await guardians.newHolder();
    expect((await guardians.invite(holder, 'primary', { contact: '+351 910 000 000' })).status).toBe(201);
    expect((await guardians.invite(holder, 'secondary', { name: 'Ana <x@y.z>' })).status).toBe(201);
    const [mail] = await delivered('secondary@example.org', 1);
    expect(mail?.email.to).toMatchObject([{ address: 'secondary@example.org', name: '' }]);
    expect(mailServer.received).toHaveLength(1);
  } finally {
    await service.stop();
  }
});
