import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClock } from '../clock.ts';
import { A_DIGEST, expectRefusal } from '../http/rest/test-refusal.ts';
import { type Answer, newPerson, startTestService, type TestService } from '../test-service.ts';
import type { Fields } from '../write/test-parties.ts';
import {
  ACCEPT_JSON,
  type Guardians,
  guardiansOf,
  HOUR,
  type Invited,
  pathOf,
  ROLES,
  SMALL_ORDER_KEYS,
  withToken,
} from './test-guardians.ts';

let shift = 0;
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  guardians = guardiansOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const ACCEPT = '/api/guardian/accept/';
const read = (path: string) => service.get(path, ACCEPT_JSON);

/** Sends what somebody signs who was shown the invitation. */
const accepting = ({ holder, path, invitationId }: Invited, more: Fields = {}, person = newPerson()): Promise<Answer> =>
  service.post(path, guardians.acceptance(person, holder.id, invitationId, more));

const issueAt = ({ body }: Answer): string | undefined => body.details?.issues?.[0]?.path;

describe('a link that was never issued', () => {
  const odd = [
    randomBytes(32).toString('base64url'),
    'a',
    'x'.repeat(42),
    'x'.repeat(44),
    'x'.repeat(4_000),
    `${'x'.repeat(42)}.`,
    `${'x'.repeat(42)}%00`,
    `${'x'.repeat(42)}%0A`,
    encodeURIComponent('токен'.repeat(8)),
    encodeURIComponent(`' OR 1=1 --${'x'.repeat(30)}`),
    `${'x'.repeat(42)}%F0%9F%94%91`,
    '__proto__',
    'constructor',
  ];

  test.each(['accept', 'confirm-recovery'])('is unknown, whatever its form: %s', async (kind) => {
    for (const token of odd) {
      const path = `/api/guardian/${kind}/${token}`;
      const got = await read(path);
      expectRefusal(got, 'LINK_NOT_FOUND');
      expect(got.headers.get('cache-control')).toBe('no-store');
      if (token.length > 9) expect(JSON.stringify(got.body)).not.toContain(token);
      const head = await service.request(path, { method: 'HEAD', headers: ACCEPT_JSON });
      expect([head.status, head.body]).toEqual([404, '']);
      const person = newPerson();
      const fields =
        kind === 'accept'
          ? { invitationId: randomUUID(), beoId: randomUUID(), publicKey: person.publicKey }
          : { requestId: randomUUID(), beoId: randomUUID(), newPublicKey: person.publicKey };
      const signed = guardians.sign(person, kind === 'accept' ? 'acceptGuardian' : 'confirmRecovery', fields);
      expectRefusal(await service.post(path, signed), 'LINK_NOT_FOUND');
    }
  });

  test('is not a route if it is empty, split or not UTF-8', async () => {
    for (const rest of ['', 'a/b', `%2e%2e%2f${'x'.repeat(34)}`, `${'x'.repeat(42)}%2F`, '%E0%A4%A', '%']) {
      for (const kind of ['accept', 'confirm-recovery']) {
        expectRefusal(await read(`/api/guardian/${kind}/${rest}`), 'NOT_FOUND');
        expectRefusal(await service.post(`/api/guardian/${kind}/${rest}`, {}), 'NOT_FOUND');
      }
    }
  });

  test('cannot be derived from an existing one by another spelling', async () => {
    const { path } = await guardians.invited();
    const token = path.slice(ACCEPT.length);
    expect((await read(path)).status).toBe(200);
    expect((await read(withToken(path, `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`))).status).toBe(200);
    for (const other of [token.toUpperCase(), token.toLowerCase(), `${token}=`, token.slice(1), `${token}%20`]) {
      if (other !== token) expectRefusal(await read(withToken(path, other)), 'LINK_NOT_FOUND');
    }
    expectRefusal(await read(path.replace('accept', 'confirm-recovery')), 'LINK_NOT_FOUND');
    expectRefusal(await read(`${path}?role=primary`), 'VALIDATION_FAILED');
    expectRefusal(await service.post(`${path}?a=b`, {}), 'VALIDATION_FAILED');
    expectRefusal(await service.request(path, { method: 'DELETE' }), 'METHOD_NOT_ALLOWED');
  });
});

describe('an invitation', () => {
  test('is used once, and then reported as used', async () => {
    const one = await guardians.invited();
    expect((await accepting(one)).status).toBe(200);
    await guardians.expectUnchanged(one.holder, async () => {
      expectRefusal(await read(one.path), 'LINK_USED');
      expectRefusal(await accepting(one), 'LINK_USED');
    });
  });

  test('is good for 72 hours, to the minute', async () => {
    const [one, two] = [await guardians.invited(), await guardians.invited()];
    shift += 72 * HOUR - 60_000;
    expect((await read(two.path)).status).toBe(200);
    expect((await accepting(one)).status).toBe(200);
    shift += 120_000;
    expectRefusal(await read(two.path), 'LINK_EXPIRED');
    expectRefusal(await accepting(two), 'LINK_EXPIRED');
    const { recovery } = await guardians.beoOf(two.holder.id);
    expect(recovery.guardians).toMatchObject([{ status: 'EXPIRED', accepted: false }]);
    expectRefusal(
      await guardians.confirmGuardian(two.holder, two.guardianId, newPerson().publicKey),
      'VALIDATION_FAILED',
    );
  });

  test('is superseded by a newer one to that role, and by a configuration without it', async () => {
    const one = await guardians.invited();
    expectRefusal(await guardians.invite(one.holder, 'primary'), 'GUARDIAN_ROLE_TAKEN');
    shift += 73 * HOUR;
    const two = await guardians.invited(one.holder);
    for (const answer of [await read(one.path), await accepting(one)]) {
      expectRefusal(answer, 'LINK_EXPIRED');
      expect(answer.body.details).toEqual({ reason: 'SUPERSEDED' });
    }
    expect((await guardians.configure(one.holder, { guardians: [guardians.guardian('secondary')] })).status).toBe(200);
    for (const answer of [await read(two.path), await accepting(two)]) {
      expectRefusal(answer, 'LINK_EXPIRED');
      expect(answer.body.details).toEqual({ reason: 'SUPERSEDED' });
    }
  });

  test('cannot be accepted while the identity is locked', async () => {
    const one = await guardians.invited();
    const seated = await guardians.seat(one.holder, 'secondary');
    await guardians.beo(one.holder, 'lock', 'lockBEO');
    await guardians.expectUnchanged(one.holder, async () => {
      expectRefusal(await read(one.path), 'BEO_LOCKED');
      expectRefusal(await accepting(one), 'BEO_LOCKED');
      expectRefusal(await guardians.invite(one.holder, 'tertiary'), 'BEO_LOCKED');
      expectRefusal(await guardians.configure(one.holder, null), 'BEO_LOCKED');
      const confirming = guardians.confirmGuardian(one.holder, seated.id, seated.person.publicKey);
      expectRefusal(await confirming, 'BEO_LOCKED');
    });
    await guardians.beo(one.holder, 'unlock', 'unlockBEO');
    expect((await accepting(one)).status).toBe(200);
  });

  test('is for one identity, one invitation and the signing key', async () => {
    const [one, other] = [await guardians.invited(), await guardians.invited()];
    const person = newPerson();
    const { signature: forged } = guardians.acceptance(newPerson(), one.holder.id, one.invitationId);
    await guardians.expectUnchanged(one.holder, async () => {
      const wrongBeo = await accepting(one, { beoId: other.holder.id });
      expectRefusal(wrongBeo, 'VALIDATION_FAILED');
      expect(issueAt(wrongBeo)).toBe('beoId');
      const wrongInvitation = await accepting(one, { invitationId: other.invitationId });
      expectRefusal(wrongInvitation, 'VALIDATION_FAILED');
      expect(issueAt(wrongInvitation)).toBe('invitationId');
      expectRefusal(await accepting(one, { beoId: randomUUID() }), 'BEO_NOT_FOUND');
      expectRefusal(await accepting(one, { beoId: 'nobody.bsp' }), 'BEO_NOT_FOUND');
      const anothers = await accepting(one, { publicKey: newPerson().publicKey }, person);
      expectRefusal(anothers, 'INVALID_SIGNATURE');
      expect(anothers.body.details).toEqual({ expected_key: 'publicKey', message_sha256: A_DIGEST });
      const body = guardians.acceptance(person, one.holder.id, one.invitationId);
      expectRefusal(await service.post(one.path, { ...body, signature: forged }), 'INVALID_SIGNATURE');
      const confirming = { invitationId: one.invitationId, beoId: one.holder.id, publicKey: person.publicKey };
      expectRefusal(
        await service.post(one.path, guardians.sign(person, 'confirmGuardian', confirming)),
        'INVALID_SIGNATURE',
      );
    });
  });

  test('that names a key is for that key alone', async () => {
    const holder = await guardians.newHolder();
    const bound = newPerson();
    const config = { guardians: [guardians.guardian('primary', { public_key: bound.publicKey })] };
    const { url } = (await guardians.configure(holder, config)).body.invitations[0];
    const { invitation_id: invitationId } = (await read(pathOf(url))).body;
    const one = { holder, path: pathOf(url), invitationId, guardianId: '' };
    expectRefusal(await accepting(one), 'INVALID_SIGNATURE');
    expect((await accepting(one, { publicKey: bound.publicKey.toUpperCase() }, bound)).status).toBe(200);
  });

  test('cannot be accepted with the key of the holder or another guardian', async () => {
    const {
      holder,
      guardians: [one],
    } = await guardians.guarded();
    const third = await guardians.invited(holder, 'tertiary');
    await guardians.expectUnchanged(holder, async () => {
      expectRefusal(await accepting(third, {}, holder.person), 'PUBLIC_KEY_TAKEN');
      expectRefusal(await accepting(third, {}, one.person), 'PUBLIC_KEY_TAKEN');
      const rotating = guardians.beo(holder, 'rotate-key', 'rotateKey', { newPublicKey: one.person.publicKey });
      expectRefusal(await rotating, 'PUBLIC_KEY_TAKEN');
      const twice = ROLES.slice(0, 2).map((role) => guardians.guardian(role, { public_key: one.person.publicKey }));
      expectRefusal(await guardians.configure(holder, { guardians: twice }), 'PUBLIC_KEY_TAKEN');
      const oneself = [guardians.guardian('primary', { public_key: holder.person.publicKey })];
      expectRefusal(await guardians.configure(holder, { guardians: oneself }), 'PUBLIC_KEY_TAKEN');
    });
    const other = await guardians.invited();
    expect((await accepting(other, {}, one.person)).status).toBe(200);
  });

  test('is not accepted twice with one nonce, nor long after it was signed', async () => {
    const [one, other] = [await guardians.invited(), await guardians.invited()];
    const person = newPerson();
    const body = guardians.acceptance(person, one.holder.id, one.invitationId);
    const { transactionId } = (await service.post(one.path, body)).body;
    const again = await service.post(one.path, body);
    expectRefusal(again, 'NONCE_REUSED');
    expect(again.body.details).toEqual({ transactionId });
    const fields = { invitationId: other.invitationId, beoId: other.holder.id, publicKey: person.publicKey };
    const reused = person.sign('acceptGuardian', fields, {
      nonce: body.nonce,
      timestamp: new Date(Date.now() + shift).toISOString(),
    });
    expectRefusal(await service.post(other.path, reused), 'NONCE_REUSED');
    const at = (ms: number) =>
      person.sign('acceptGuardian', fields, { timestamp: new Date(Date.now() + shift + ms).toISOString() });
    expectRefusal(await service.post(other.path, at(-5 * 60_000 - 2_000)), 'TIMESTAMP_TOO_OLD');
    expectRefusal(await service.post(other.path, at(60_000)), 'TIMESTAMP_IN_FUTURE');
    expect((await service.post(other.path, at(-4 * 60_000))).status).toBe(200);
  });

  test.each<[string, Fields]>([
    ['an unknown field', { role: 'primary' }],
    ['an id that is none', { invitationId: 'first' }],
    ['a number as id', { invitationId: 7 }],
    ['a key that is no text', { publicKey: null }],
  ])('is not accepted with %s', async (_, more) => {
    const one = await guardians.invited();
    expectRefusal(await accepting(one, more), 'VALIDATION_FAILED');
  });

  test('is not accepted with a key of small order', async () => {
    const one = await guardians.invited();
    for (const publicKey of SMALL_ORDER_KEYS) {
      expectRefusal(await accepting(one, { publicKey }), 'PUBLIC_KEY_INVALID');
    }
    expectRefusal(await accepting(one, { publicKey: 'ab' }), 'PUBLIC_KEY_INVALID');
  });
});
