import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Draft } from '../ledger/chain.ts';
import { newPerson } from '../test-service.ts';
import {
  beoOf,
  configured,
  guardedLedger,
  guardiansOf,
  hasMoved,
  newGuardian,
  sentences,
  trio,
} from './test-forged-guardians.ts';
import { found, kinds } from './test-forged-ledger.ts';

describe('correct entries about guardians', () => {
  test('are clean: invited one by one, replaced and removed; the removal of all is not sealed', async () => {
    const story = await guardedLedger();
    const { write, invite, accept, configure, wait, relayer, holder } = story;
    const [one, other, late] = [newGuardian('primary'), newGuardian('secondary'), newGuardian('primary')];
    write(invite(one), invite(other), accept(other));
    wait(73);
    write(invite(late), accept(late), configure([newGuardian('tertiary')], [late, other]));
    write(configure([], [late]), relayer.act(holder.person, holder.beoId, 'updateRecovery', { recovery: null }));
    const audit = await story.audited();
    expect(found(audit)).toEqual([]);
    expect(audit.network).toMatchObject({ sealed: 5, verifiedSignatures: 4 });
    expect(beoOf(audit, story).recovery).toMatchObject({ enabled: false, guardians: [{}, {}] });
  });
});

describe('a relayer that forges guardians', () => {
  test('commits no breach by accepting its own invitations; they are counted as asserted', async () => {
    const story = await guardedLedger();
    const { write, configure, invite, accept, recover } = story;
    const [one, other, third] = trio();
    write(configure([one, other]), accept(one), accept(other), invite(third), accept(third));
    const request = story.request();
    write(recover(third, request), recover(other, request));
    const audit = await story.audited();
    expect(found(audit)).toEqual([]);
    expect(audit.network).toMatchObject({ sealed: 2, assertedRecoveries: 1, confirmedRecoveries: 0 });
    expect(guardiansOf(audit)).toEqual({ confirmed: 0, asserted: 3 });
  });

  test('only asserts a recovery if the holder confirmed one of two guardians', async () => {
    const story = await guardedLedger();
    const { write, recover, confirm, wait } = story;
    const [one, other, third] = story.withGuardians(0);
    wait(73);
    write(confirm(one), confirm(other));
    wait(71);
    const request = story.request();
    write(recover(one, request), recover(third, request));
    const audit = await story.audited();
    expect(found(audit)).toEqual([]);
    expect(audit.network).toMatchObject({ assertedRecoveries: 1, confirmedRecoveries: 0, assertedSignatures: 1 });
  });

  test('is detected when it accepts with another key than was bound, a used key, or one of small order', async () => {
    const story = await guardedLedger();
    const { write, accept, relayer, holder, invite } = story;
    const [one, other, third] = trio();
    const facts = configured([other], [one]);
    write(relayer.seal(holder.person, holder.beoId, 'updateRecovery', facts), accept({ ...one, person: newPerson() }));
    write(accept(one), accept({ ...other, person: one.person }), accept({ ...other, person: holder.person }));
    const small = { ...accept(other), signer: `01${'00'.repeat(31)}` };
    write({ ...small, message: { ...small.message, publicKey: `01${'00'.repeat(31)}` } } as Draft, invite(third));
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION', 'TRANSITION', 'USER_SIGNATURE', 'KEY']);
  });

  test('is detected when it accepts twice, after 72 hours, after a withdrawal, or for another guardian', async () => {
    const story = await guardedLedger();
    const { write, accept, configure, wait } = story;
    const [one, other, third] = trio();
    write(configure([one, other, third]), accept(one), accept(one));
    write({ ...accept(other), signer: newPerson().publicKey });
    write(configure([third], [one]), accept(other));
    wait(73);
    write(accept(third));
    const audit = await story.audited();
    expect(kinds(audit).filter((kind) => kind !== 'TRANSITION')).toEqual(['USER_SIGNATURE', 'WRONG_SIGNER']);
  });

  test('is detected when it keeps a guardian with another key or id', async () => {
    const story = await guardedLedger();
    const { write, configure } = story;
    const [one, other, third] = story.withGuardians(3);
    const swapped = { ...one, person: newPerson() };
    const renewed = { ...one, invitationId: randomUUID() };
    write(configure([], [swapped, other]), configure([renewed], [other]));
    write(
      configure([], [{ ...one, person: other.person }, third]),
      configure([newGuardian('primary')], [{ ...other, guardianId: randomUUID() }]),
    );
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION', 'TRANSITION', 'TRANSITION']);
    expect(guardiansOf(audit)).toEqual({ confirmed: 3, asserted: 0 });
  });

  test('is detected when it reuses the id of a confirmed guardian', async () => {
    const story = await guardedLedger();
    const { write, configure, invite, accept, recover, wait } = story;
    const [one] = story.withGuardians(3);
    wait(100);
    const own = (['secondary', 'tertiary'] as const).map(newGuardian);
    const posing = own.map((guardian) => ({ ...guardian, guardianId: one.guardianId }));
    write(configure([], [one]), ...posing.flatMap((guardian) => [invite(guardian), accept(guardian)]));
    write(configure([], [one, ...posing]), invite({ ...(own[0] as typeof one), invitationId: one.invitationId }));
    const request = story.request();
    write(...posing.map((guardian) => recover(guardian, request)));
    const audit = await story.audited();
    expect(new Set(kinds(audit))).toEqual(new Set(['TRANSITION', 'MESSAGE']));
    expect(guardiansOf(audit)).toEqual({ confirmed: 1, asserted: 0 });
    expect(hasMoved(audit, story, request)).toBe(false);
  });

  test('is detected when it names more than three guardians, or a role or an id twice', async () => {
    const story = await guardedLedger();
    const { write, configure } = story;
    const [one, other, third] = trio();
    write(configure([one, other, third, newGuardian('primary')]), configure([one, newGuardian('primary')]));
    write(configure([one, { ...other, guardianId: one.guardianId }]));
    write(configure([one, { ...other, invitationId: one.invitationId }]));
    expect(kinds(await story.audited())).toEqual(['MESSAGE', 'MESSAGE', 'MESSAGE', 'MESSAGE']);
  });

  test('cannot use confirmations of its guardians from before the holder’s first confirmation', async () => {
    const story = await guardedLedger();
    const { write, recover, confirm } = story;
    const [one, other, third] = story.withGuardians(0);
    const request = story.request();
    write(recover(third, request), confirm(one), confirm(other), recover(one, request));
    const audit = await story.audited();
    expect(found(audit)).toEqual([]);
    expect(hasMoved(audit, story, request)).toBe(false);
  });

  test('is detected when it confirms a guardian itself, with another key, or before acceptance', async () => {
    const story = await guardedLedger();
    const { write, configure, relayer, holder } = story;
    const [one, other] = story.withGuardians(0);
    const invited = newGuardian('tertiary');
    write(configure([invited], [one, other]));
    const { guardianId, person } = one;
    write(relayer.act(person, holder.beoId, 'confirmGuardian', { guardianId, publicKey: person.publicKey }));
    write(story.confirm(invited));
    expect(kinds(await story.audited())).toEqual(['WRONG_SIGNER', 'TRANSITION']);
    const next = await guardedLedger();
    const [first] = next.withGuardians(0);
    next.write(next.confirm({ ...first, person: newPerson() }), next.confirm({ ...first, guardianId: randomUUID() }));
    next.write(next.confirm(first), next.confirm(first));
    const facts = { guardianId: first.guardianId, publicKey: first.person.publicKey };
    next.write(next.relayer.seal(next.holder.person, next.holder.beoId, 'confirmGuardian', facts));
    const refused = await next.audited();
    expect(kinds(refused)).toEqual(['TRANSITION', 'TRANSITION', 'TRANSITION', 'MESSAGE']);
    expect(guardiansOf(refused)).toEqual({ confirmed: 1, asserted: 2 });
  });

  test('is detected when it publishes names, or replays a configuration as empty', async () => {
    const story = await guardedLedger();
    const { write, relayer, holder } = story;
    story.withGuardians(2);
    const guardian = { name: 'Grete', contact: 'grete@example.org', role: 'primary' };
    write(relayer.act(holder.person, holder.beoId, 'updateRecovery', { recovery: { guardians: [guardian] } }));
    write(relayer.act(holder.person, holder.beoId, 'inviteGuardian', { ...guardian, role: 'secondary' }));
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['MESSAGE', 'MESSAGE']);
    expect(sentences(audit)[0]).toContain('should have been sealed');
  });

  test('is detected when it changes guardians or destroys the identity within a day of a recovery', async () => {
    const story = await guardedLedger();
    const { write, recover, relayer, holder, wait } = story;
    const [one, other] = story.withGuardians(2);
    const next = newPerson();
    const request = story.request({ newPublicKey: next.publicKey });
    write(recover(one, request), recover(other, request));
    wait(23);
    write(
      relayer.act(next, holder.beoId, 'updateRecovery', { recovery: null }),
      relayer.act(next, holder.beoId, 'destroyBEO'),
    );
    write(relayer.act(holder.person, holder.beoId, 'lockBEO'));
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION', 'WRONG_SIGNER']);
  });

  test('is detected when it postdates entries by 72 hours', async () => {
    const story = await guardedLedger();
    const { relayer, holder, items, publish, audit } = story;
    relayer.head.at = Date.now();
    story.write(relayer.seal(holder.person, holder.beoId, 'updateRecovery', { enabled: false, guardians: [] }));
    story.wait(73);
    story.write(relayer.seal(holder.person, holder.beoId, 'updateRecovery', configured([newGuardian('primary')])));
    await publish(items);
    const result = await audit(60 * 24 * 3_600_000);
    expect(found(result)).toEqual([{ kind: 'POSTDATED', seq: 3, id: items[2]?.id }]);
  });
});
