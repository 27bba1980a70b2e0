import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { A_DIGEST, expectRefusal } from '../../http/rest/test-refusal.ts';
import { createClock } from '../../platform/db/clock.ts';
import { type Answer, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import type { Fields } from '../../write/test-parties.ts';
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

/** Sends an acceptance of the invitation. */
const accepting = ({ holder, path, invitationId }: Invited, more: Fields = {}, person = newPerson()): Promise<Answer> =>
  service.post(path, guardians.acceptance(person, holder.id, invitationId, more));

const issueAt = ({ body }: Answer): string | undefined => body.details?.issues?.[0]?.path;

describe('a link that was never issued', () => {
  const malformed = [
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

  test.each(['accept', 'confirm-recovery'])('is unknown in any form: %s', async (kind) => {
    for (const token of malformed) {
      const path = `/api/guardian/${kind}/${token}`;
      const response = await read(path);
      expectRefusal(response, 'LINK_NOT_FOUND');
      expect(response.headers.get('cache-control')).toBe('no-store');
      if (token.length > 9) expect(JSON.stringify(response.body)).not.toContain(token);
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

  test.each([
    ['NOT_FOUND', 'empty or split', ['', 'a/b']],
    ['VALIDATION_FAILED', 'ambiguous', [`%2e%2e%2f${'x'.repeat(34)}`, `${'x'.repeat(42)}%2F`, '%E0%A4%A', '%']],
  ] as const)('is refused with %s if it is %s', async (code, _, tokens) => {
    for (const token of tokens) {
      for (const kind of ['accept', 'confirm-recovery']) {
        expectRefusal(await read(`/api/guardian/${kind}/${token}`), code);
        expectRefusal(await service.post(`/api/guardian/${kind}/${token}`, {}), code);
      }
    }
  });

  test('is not matched by another spelling of an existing link', async () => {
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
  test('can be used once and is then reported as used', async () => {
    const invitation = await guardians.invited();
    expect((await accepting(invitation)).status).toBe(200);
    await guardians.expectUnchanged(invitation.holder, async () => {
      expectRefusal(await read(invitation.path), 'LINK_USED');
      expectRefusal(await accepting(invitation), 'LINK_USED');
    });
  });

  test('is valid for 72 hours, to the minute', async () => {
    const [invitation, second] = [await guardians.invited(), await guardians.invited()];
    shift += 72 * HOUR - 60_000;
    expect((await read(second.path)).status).toBe(200);
    expect((await accepting(invitation)).status).toBe(200);
    shift += 120_000;
    expectRefusal(await read(second.path), 'LINK_EXPIRED');
    expectRefusal(await accepting(second), 'LINK_EXPIRED');
    const { recovery } = await guardians.beoOf(second.holder.id);
    expect(recovery.guardians).toMatchObject([{ status: 'EXPIRED', accepted: false }]);
    expectRefusal(
      await guardians.confirmGuardian(second.holder, second.guardianId, newPerson().publicKey),
      'VALIDATION_FAILED',
    );
  });

  test('is superseded by a newer one for its role, and by a configuration without it', async () => {
    const invitation = await guardians.invited();
    expectRefusal(await guardians.invite(invitation.holder, 'primary'), 'GUARDIAN_ROLE_TAKEN');
    shift += 73 * HOUR;
    const second = await guardians.invited(invitation.holder);
    for (const answer of [await read(invitation.path), await accepting(invitation)]) {
      expectRefusal(answer, 'LINK_EXPIRED');
      expect(answer.body.details).toEqual({ reason: 'SUPERSEDED' });
    }
    expect(
      (await guardians.configure(invitation.holder, { guardians: [guardians.guardian('secondary')] })).status,
    ).toBe(200);
    for (const answer of [await read(second.path), await accepting(second)]) {
      expectRefusal(answer, 'LINK_EXPIRED');
      expect(answer.body.details).toEqual({ reason: 'SUPERSEDED' });
    }
  });

  test('cannot be accepted while the identity is locked', async () => {
    const invitation = await guardians.invited();
    const seated = await guardians.seat(invitation.holder, 'secondary');
    await guardians.beo(invitation.holder, 'lock', 'lockBEO');
    await guardians.expectUnchanged(invitation.holder, async () => {
      expectRefusal(await read(invitation.path), 'BEO_LOCKED');
      expectRefusal(await accepting(invitation), 'BEO_LOCKED');
      expectRefusal(await guardians.invite(invitation.holder, 'tertiary'), 'BEO_LOCKED');
      expectRefusal(await guardians.configure(invitation.holder, null), 'BEO_LOCKED');
      const confirming = guardians.confirmGuardian(invitation.holder, seated.id, seated.person.publicKey);
      expectRefusal(await confirming, 'BEO_LOCKED');
    });
    await guardians.beo(invitation.holder, 'unlock', 'unlockBEO');
    expect((await accepting(invitation)).status).toBe(200);
  });

  test('is valid for one identity, one invitation and the signing key', async () => {
    const [invitation, second] = [await guardians.invited(), await guardians.invited()];
    const person = newPerson();
    const { signature: forged } = guardians.acceptance(newPerson(), invitation.holder.id, invitation.invitationId);
    await guardians.expectUnchanged(invitation.holder, async () => {
      const wrongBeo = await accepting(invitation, { beoId: second.holder.id });
      expectRefusal(wrongBeo, 'VALIDATION_FAILED');
      expect(issueAt(wrongBeo)).toBe('beoId');
      const wrongInvitation = await accepting(invitation, { invitationId: second.invitationId });
      expectRefusal(wrongInvitation, 'VALIDATION_FAILED');
      expect(issueAt(wrongInvitation)).toBe('invitationId');
      expectRefusal(await accepting(invitation, { beoId: randomUUID() }), 'BEO_NOT_FOUND');
      expectRefusal(await accepting(invitation, { beoId: 'unknown.bsp' }), 'BEO_NOT_FOUND');
      const otherKey = await accepting(invitation, { publicKey: newPerson().publicKey }, person);
      expectRefusal(otherKey, 'INVALID_SIGNATURE');
      expect(otherKey.body.details).toEqual({ expected_key: 'publicKey', message_sha256: A_DIGEST });
      const body = guardians.acceptance(person, invitation.holder.id, invitation.invitationId);
      expectRefusal(await service.post(invitation.path, { ...body, signature: forged }), 'INVALID_SIGNATURE');
      const confirming = {
        invitationId: invitation.invitationId,
        beoId: invitation.holder.id,
        publicKey: person.publicKey,
      };
      expectRefusal(
        await service.post(invitation.path, guardians.sign(person, 'confirmGuardian', confirming)),
        'INVALID_SIGNATURE',
      );
    });
  });

  test('that names a key can be accepted only with that key', async () => {
    const holder = await guardians.newHolder();
    const bound = newPerson();
    const config = { guardians: [guardians.guardian('primary', { public_key: bound.publicKey })] };
    const { url } = (await guardians.configure(holder, config)).body.invitations[0];
    const { invitation_id: invitationId } = (await read(pathOf(url))).body;
    const invitation = { holder, path: pathOf(url), invitationId, guardianId: '' };
    expectRefusal(await accepting(invitation), 'INVALID_SIGNATURE');
    expect((await accepting(invitation, { publicKey: bound.publicKey.toUpperCase() }, bound)).status).toBe(200);
  });

  test('cannot be accepted with the key of the holder or another guardian', async () => {
    const {
      holder,
      guardians: [invitation],
    } = await guardians.guarded();
    const third = await guardians.invited(holder, 'tertiary');
    await guardians.expectUnchanged(holder, async () => {
      expectRefusal(await accepting(third, {}, holder.person), 'PUBLIC_KEY_TAKEN');
      expectRefusal(await accepting(third, {}, invitation.person), 'PUBLIC_KEY_TAKEN');
      const rotating = guardians.beo(holder, 'rotate-key', 'rotateKey', { newPublicKey: invitation.person.publicKey });
      expectRefusal(await rotating, 'PUBLIC_KEY_TAKEN');
      const duplicate = ROLES.slice(0, 2).map((role) =>
        guardians.guardian(role, { public_key: invitation.person.publicKey }),
      );
      expectRefusal(await guardians.configure(holder, { guardians: duplicate }), 'PUBLIC_KEY_TAKEN');
      const oneself = [guardians.guardian('primary', { public_key: holder.person.publicKey })];
      expectRefusal(await guardians.configure(holder, { guardians: oneself }), 'PUBLIC_KEY_TAKEN');
    });
    const second = await guardians.invited();
    expect((await accepting(second, {}, invitation.person)).status).toBe(200);
  });

  test('is not accepted with a used nonce or an old timestamp', async () => {
    const [invitation, second] = [await guardians.invited(), await guardians.invited()];
    const person = newPerson();
    const body = guardians.acceptance(person, invitation.holder.id, invitation.invitationId);
    const { transactionId } = (await service.post(invitation.path, body)).body;
    const repeated = await service.post(invitation.path, body);
    expectRefusal(repeated, 'NONCE_REUSED');
    expect(repeated.body.details).toEqual({ transactionId });
    const fields = { invitationId: second.invitationId, beoId: second.holder.id, publicKey: person.publicKey };
    const reused = person.sign('acceptGuardian', fields, {
      nonce: body.nonce,
      timestamp: new Date(Date.now() + shift).toISOString(),
    });
    expectRefusal(await service.post(second.path, reused), 'NONCE_REUSED');
    const at = (ms: number) =>
      person.sign('acceptGuardian', fields, { timestamp: new Date(Date.now() + shift + ms).toISOString() });
    expectRefusal(await service.post(second.path, at(-5 * 60_000 - 2_000)), 'TIMESTAMP_TOO_OLD');
    expectRefusal(await service.post(second.path, at(60_000)), 'TIMESTAMP_IN_FUTURE');
    expect((await service.post(second.path, at(-4 * 60_000))).status).toBe(200);
  });

  test.each<[string, Fields]>([
    ['an unknown field', { role: 'primary' }],
    ['an invalid id', { invitationId: 'first' }],
    ['a number as id', { invitationId: 7 }],
    ['a key that is not a string', { publicKey: null }],
  ])('is not accepted with %s', async (_, more) => {
    const invitation = await guardians.invited();
    expectRefusal(await accepting(invitation, more), 'VALIDATION_FAILED');
  });

  test('is not accepted with a key of small order', async () => {
    const invitation = await guardians.invited();
    for (const publicKey of SMALL_ORDER_KEYS) {
      expectRefusal(await accepting(invitation, { publicKey }), 'PUBLIC_KEY_INVALID');
    }
    expectRefusal(await accepting(invitation, { publicKey: 'ab' }), 'PUBLIC_KEY_INVALID');
  });
});
