import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { A_DIGEST, expectRefusal } from '../../http/rest/test-refusal.ts';
import { wholeChain } from '../../ledger/test-chain.ts';
import { createClock } from '../../platform/db/clock.ts';
import { type Answer, freshDomain, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import type { Fields, Party } from '../../write/test-parties.ts';
import { submitAsOneBatch } from '../../write/test-races.ts';
import { ACCEPT_JSON, type Guardians, guardiansOf, HOUR, type Invited, SMALL_ORDER_KEYS } from './test-guardians.ts';

let shift = 0;
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  guardians = guardiansOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const read = (path: string) => service.get(path, ACCEPT_JSON);
const accepting = ({ holder, path, invitationId }: Invited): Promise<Answer> =>
  service.post(path, guardians.acceptance(newPerson(), holder.id, invitationId));

describe('a holder', () => {
  test('has at most three guardians, one per role', async () => {
    const { holder } = await guardians.guarded({ count: 3, confirm: false });
    expectRefusal(await guardians.invite(holder, 'primary'), 'GUARDIAN_LIMIT');
    const { holder: second } = await guardians.guarded();
    expectRefusal(await guardians.invite(second, 'secondary'), 'GUARDIAN_ROLE_TAKEN');
    expect((await guardians.invite(second, 'tertiary')).status).toBe(201);
    expectRefusal(await guardians.invite(second, 'tertiary'), 'GUARDIAN_LIMIT');
  });

  const config = (...list: Fields[]): Fields => ({ guardians: list });
  const primary = { name: 'Ada', contact: 'ada@example.org', role: 'primary' };

  test.each<[string, string, Json]>([
    ['RECOVERY_THRESHOLD_INVALID', 'a threshold of three', { ...config(primary), threshold: 3 }],
    ['RECOVERY_THRESHOLD_INVALID', 'a threshold of one', { ...config(primary), threshold: 1 }],
    ['RECOVERY_THRESHOLD_INVALID', 'a threshold in words', { ...config(primary), threshold: '2' }],
    [
      'VALIDATION_FAILED',
      'four guardians',
      config(...['primary', 'secondary', 'tertiary', 'primary'].map((role) => ({ ...primary, role }))),
    ],
    ['VALIDATION_FAILED', 'a role twice', config(primary, { ...primary, name: 'Bea' })],
    ['VALIDATION_FAILED', 'a role that does not exist', config({ ...primary, role: 'first' })],
    ['VALIDATION_FAILED', 'a name of 81 characters', config({ ...primary, name: 'x'.repeat(81) })],
    ['VALIDATION_FAILED', 'a blank name', config({ ...primary, name: ' ' })],
    ['VALIDATION_FAILED', 'a name with NUL', config({ ...primary, name: 'Ada\0' })],
    ['VALIDATION_FAILED', 'a contact of 201 characters', config({ ...primary, contact: 'x'.repeat(201) })],
    ['VALIDATION_FAILED', 'no list', {}],
    ['VALIDATION_FAILED', 'a string', 'none'],
    ['PUBLIC_KEY_INVALID', 'an invalid key', config({ ...primary, public_key: 'ab' })],
    ['PUBLIC_KEY_INVALID', 'a key of small order', config({ ...primary, public_key: '00'.repeat(32) })],
  ])('is refused with %s for a configuration of %s', async (code, _, recovery) => {
    const holder = await guardians.newHolder();
    const answer = await guardians.configure(holder, recovery as Fields);
    expect(answer.body.code).toBe(code);
    const person = newPerson();
    const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery };
    const created = await service.post('/api/relayer/beo', guardians.sign(person, 'createBEO', fields));
    expect(created.body.code).toBe(code);
  });

  test.each<[string, Fields]>([
    ['a name of 81 characters', { name: 'x'.repeat(81) }],
    ['no name', { name: '' }],
    ['a name with NUL', { name: 'A\0da' }],
    ['a contact of 201 characters', { contact: 'x'.repeat(201) }],
    ['a number as contact', { contact: 5 }],
    ['a fourth role', { role: 'quaternary' }],
    ['a key, which an invitation does not bind', { publicKey: newPerson().publicKey }],
    ['an invalid identity', { beoId: 'no domain' }],
  ])('cannot invite with %s', async (_, more) => {
    const holder = await guardians.newHolder();
    await guardians.expectUnchanged(holder, async () => {
      expectRefusal(await guardians.invite(holder, 'primary', more), 'VALIDATION_FAILED');
    });
  });

  test('invites a guardian with the longest name, in any script', async () => {
    const holder = await guardians.newHolder();
    const more = { name: 'ß'.repeat(80), contact: `${'я'.repeat(190)}, ☎ 1234` };
    expect((await guardians.invite(holder, 'primary', more)).status).toBe(201);
  });

  test('is the only one who can invite and confirm, with the current key', async () => {
    const {
      holder,
      guardians: [accepted],
    } = await guardians.guarded({ confirm: false });
    const thief = { ...holder, person: newPerson() };
    await guardians.expectUnchanged(holder, async () => {
      for (const answer of [
        await guardians.invite(thief, 'tertiary'),
        await guardians.invite({ ...holder, person: accepted.person }, 'tertiary'),
        await guardians.confirmGuardian(thief, accepted.id, accepted.person.publicKey),
        await guardians.configure(thief, null),
      ]) {
        expectRefusal(answer, 'INVALID_SIGNATURE');
        expect(answer.body.details).toEqual({ expected_key: 'BEO', message_sha256: A_DIGEST });
      }
      const invitation = { beoId: randomUUID(), ...guardians.guardian('tertiary') };
      const unknownBeo = guardians.sign(holder.person, 'inviteGuardian', invitation);
      expectRefusal(await service.post('/api/guardian/invite', unknownBeo), 'BEO_NOT_FOUND');
    });
  });

  test('confirms only a current guardian with the registered key', async () => {
    const {
      holder,
      guardians: [primary, secondary],
    } = await guardians.guarded({ confirm: false });
    const pending = await guardians.invited(holder, 'tertiary');
    await guardians.expectUnchanged(holder, async () => {
      expectRefusal(await guardians.confirmGuardian(holder, randomUUID(), primary.person.publicKey), 'NOT_FOUND');
      expectRefusal(
        await guardians.confirmGuardian(holder, primary.id, secondary.person.publicKey),
        'VALIDATION_FAILED',
      );
      expectRefusal(
        await guardians.confirmGuardian(holder, pending.guardianId, primary.person.publicKey),
        'VALIDATION_FAILED',
      );
      expectRefusal(await guardians.confirmGuardian(holder, 'primary', primary.person.publicKey), 'VALIDATION_FAILED');
      for (const key of SMALL_ORDER_KEYS) {
        expectRefusal(await guardians.confirmGuardian(holder, primary.id, key), 'PUBLIC_KEY_INVALID');
      }
    });
    await wholeChain(service.service.context.pool);
  });

  test('may rotate to the key of a removed guardian', async () => {
    const {
      holder,
      guardians: [former],
    } = await guardians.guarded();
    const bound = newPerson();
    const invited = await guardians.newHolder();
    const named = [guardians.guardian('primary', { public_key: bound.publicKey })];
    expect((await guardians.configure(invited, { guardians: named })).status).toBe(200);
    expect((await guardians.configure(holder, null)).status).toBe(200);
    const rotate = (party: Party, newPublicKey: string) =>
      guardians.beo(party, 'rotate-key', 'rotateKey', { newPublicKey });
    expectRefusal(await rotate(holder, former.person.publicKey), 'PUBLIC_KEY_TAKEN');
    expectRefusal(await rotate(invited, bound.publicKey), 'PUBLIC_KEY_TAKEN');
    shift += 73 * HOUR;
    expect((await guardians.beoOf(holder.id)).recovery.guardians).toEqual([]);
    expect((await rotate(holder, former.person.publicKey)).body.code ?? 200).toBe(200);
    expect((await rotate(invited, bound.publicKey)).body.code ?? 200).toBe(200);
  });

  test('of a destroyed identity has no guardians and cannot add any', async () => {
    const invitation = await guardians.invited();
    const accepted = await guardians.seat(invitation.holder, 'secondary');
    expect((await guardians.beo(invitation.holder, 'destroy', 'destroyBEO')).status).toBe(200);
    for (const answer of [await read(invitation.path), await accepting(invitation)]) {
      expectRefusal(answer, 'LINK_EXPIRED');
      expect(answer.body.details).toMatchObject({ reason: 'DESTROYED' });
    }
    expectRefusal(await guardians.invite(invitation.holder, 'primary'), 'BEO_DESTROYED');
    expectRefusal(await guardians.configure(invitation.holder, null), 'BEO_DESTROYED');
    expectRefusal(
      await guardians.confirmGuardian(invitation.holder, accepted.id, accepted.person.publicKey),
      'BEO_DESTROYED',
    );
    expectRefusal(await guardians.ask(invitation.holder.id, newPerson().publicKey), 'BEO_DESTROYED');
    expectRefusal(await guardians.ask(invitation.holder.domain, newPerson().publicKey), 'BEO_NOT_FOUND');
  });
});

describe('of two configurations in one batch', () => {
  const firstOf = async (...requests: (() => Promise<Answer>)[]) => {
    const creation = () => {
      const person = newPerson();
      const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
      return service.post('/api/relayer/beo', guardians.sign(person, 'createBEO', fields));
    };
    // The first request is committed in a separate batch.
    const [, ...answers] = await submitAsOneBatch(service, [creation, ...requests, creation]);
    expect(answers.pop()?.status).toBe(201);
    return answers;
  };
  const named = async ({ id, person }: Party) => {
    const { body } = await service.post('/api/guardian/list', guardians.sign(person, 'listGuardians', { beoId: id }));
    return body.recovery.guardians.map(({ name }: { name: string }) => name);
  };

  test('both can keep a guardian; the last name is stored', async () => {
    const { holder, guardians: kept } = await guardians.guarded();
    const keep = (name: string) => () =>
      guardians.configure(holder, {
        guardians: kept.map(({ role, person }) => guardians.guardian(role, { name, public_key: person.publicKey })),
      });
    const answers = await firstOf(keep('Ada'), keep('Bea'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await named(holder)).toEqual(['Bea', 'Bea']);
  });

  test('the second cannot keep a guardian whom the first removed; a retry invites the guardian', async () => {
    const { holder, guardians: accepted } = await guardians.guarded({ confirm: false });
    const [primary, secondary] = accepted;
    // Only the first guardian is eligible then, so that the second has no grace period.
    await guardians.confirmed(holder, primary);
    const configured = ({ id, role, person }: typeof primary) => ({
      guardians: [guardians.guardian(role, { guardian_id: id, public_key: person.publicKey })],
    });
    const again = guardians.sign(holder.person, 'updateRecovery', {
      beoId: holder.id,
      recovery: configured(secondary),
    });
    const send = () => service.post('/api/relayer/beo/recovery', again);
    const [first, second] = await firstOf(() => guardians.configure(holder, configured(primary)), send);
    expect(first?.status).toBe(200);
    expectRefusal(second as Answer, 'UNAVAILABLE');
    const { status, body } = await send();
    expect([status, body.invitations.length]).toEqual([200, 1]);
    expect(body.invitations[0].guardian_id).not.toBe(secondary.id);
    expect(await named(holder)).toEqual(['The secondary guardian', 'The primary guardian']);
  });
});
