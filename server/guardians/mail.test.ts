import { expect, test, vi } from 'vitest';
import { type ReceivedMail, startMailServer } from '../mail/test-mail-server.ts';
import { newPerson, startTestService } from '../test-service.ts';
import { guardiansOf, pathOf } from './test-guardians.ts';

const LINK = /http:\/\/\S+\/api\/guardian\/\S+/;

/** Everybody's mail, as the mail server that the service was told of has it. */
async function startPost(env: Record<string, string> = {}) {
  const post = await startMailServer();
  const service = await startTestService({
    SMTP_URL: `smtp://127.0.0.1:${post.port}`,
    MAIL_FROM: 'Perpetua <guardians@example.org>',
    ...env,
  });
  const mailsTo = (address: string) => post.received.filter(({ to }) => to.includes(address));
  const delivered = (address: string, count: number): Promise<readonly ReceivedMail[]> =>
    vi.waitFor(
      () => {
        expect(mailsTo(address)).toHaveLength(count);
        return mailsTo(address);
      },
      { timeout: 60_000, interval: 100 },
    );
  return { service, post, delivered };
}

const linkIn = (mail: ReceivedMail | undefined): string => LINK.exec(mail?.email.text ?? '')?.[0] ?? '';

test('guardians get a mail at each step from the invitation to the recovery, and every link works', async () => {
  const { service, delivered } = await startPost();
  try {
    const guardians = guardiansOf(service);
    const holder = await guardians.newHolder();
    const roles = ['primary', 'secondary'] as const;
    const seats = [];
    for (const role of roles) {
      expect((await guardians.invite(holder, role)).status).toBe(201);
      const [invitation] = await delivered(`${role}@example.org`, 1);
      expect(invitation?.raw).not.toContain(holder.domain);
      seats.push(await guardians.seated(linkIn(invitation)));
    }
    await guardians.confirmed(holder, ...seats);

    const { publicKey } = newPerson();
    const request = await guardians.asked(holder.domain, publicKey);
    const [one, two] = seats;
    if (!one || !two) throw new Error('There are two guardians.');
    const [, asked] = await delivered('primary@example.org', 2);
    expect(pathOf(linkIn(asked))).toBe(guardians.linkFor(request, one));
    // One word of the six may well be a word of the letter; two of them in a row are not.
    const words: string[] = request.fingerprint.split(' ');
    const inARow = words.slice(1).map((word, index) => `${words[index]} ${word}`);
    expect(inARow).toHaveLength(5);
    const told = `${asked?.email.text} ${asked?.email.html}`.replaceAll(/\s+/g, ' ');
    for (const pair of inARow) expect(told).not.toContain(pair);

    // A second request of the same day, whoever makes it, is written to nobody.
    await guardians.asked(holder.domain, newPerson().publicKey);
    expect((await guardians.confirm(request, holder, publicKey, one)).body).toMatchObject({ executed: false });
    const toSecond = await delivered('secondary@example.org', 3);
    expect(linkIn(toSecond[2])).toBe(linkIn(toSecond[1]));
    expect((await guardians.confirm(request, holder, publicKey, two)).body).toMatchObject({ executed: true });
    expect(await delivered('primary@example.org', 3)).toHaveLength(3);
    expect(await delivered('secondary@example.org', 4)).toHaveLength(4);
    // The mail server has a mail before the outbox knows.
    await expect
      .poll(async () => (await service.service.context.pool.query('SELECT kind FROM mails')).rows)
      .toEqual([{ kind: 'reminder' }, { kind: 'reminder' }]);
  } finally {
    await service.stop();
  }
});

test('strangers do not use up the mails of a genuine request, and a guardian gets five a day', async () => {
  const { service, post } = await startPost({ TRUST_PROXY: '1' });
  const requested = () => {
    const links = post.received.filter(({ to }) => to.includes('primary@example.org')).map(linkIn);
    return links.filter((link) => link.includes('/confirm-recovery/')).map(pathOf);
  };
  try {
    const guardians = guardiansOf(service);
    const { holder } = await guardians.guarded();
    const ask = async (from: string): Promise<string> => {
      const fields = { beoId: holder.id, newPublicKey: newPerson().publicKey };
      const path = '/api/relayer/beo/request-recovery';
      const { status, body } = await service.post(path, fields, { 'x-forwarded-for': from });
      expect(status, JSON.stringify(body)).toBe(200);
      return guardians.linkFor(body, { role: 'primary' });
    };
    const expected = [await ask('203.0.113.1')];
    await ask('203.0.113.99');
    expected.push(await ask('198.51.100.7'));
    for (const third of [3, 4, 5]) expected.push(await ask(`203.0.${third}.1`));
    for (const third of [6, 7]) await ask(`203.0.${third}.1`);
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

test('without a mail server no mail is queued', async () => {
  const { service, post, delivered } = await startPost();
  try {
    const guardians = guardiansOf(service);
    const holder = await guardians.newHolder();
    expect((await guardians.invite(holder, 'primary', { contact: '+351 910 000 000' })).status).toBe(201);
    expect((await guardians.invite(holder, 'secondary', { name: 'Ana <x@y.z>' })).status).toBe(201);
    const [mail] = await delivered('secondary@example.org', 1);
    expect(mail?.email.to).toMatchObject([{ address: 'secondary@example.org', name: '' }]);
    expect(post.received).toHaveLength(1);
  } finally {
    await service.stop();
  }
});
