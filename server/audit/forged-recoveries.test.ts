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
} from './test-forged-guardians.ts';
import { found, kinds } from './test-forged-ledger.ts';

describe('correct recoveries', () => {
  test('are clean with the signatures of two guardians that the holder confirmed', async () => {
    const story = await guardedLedger();
    const { write, recover } = story;
    const [one, other, third] = story.withGuardians(2);
    story.wait(73);
    const request = story.request();
    write(recover(one, request), recover(other, request));
    const audit = await story.audited();
    expect(found(audit)).toEqual([]);
    expect(hasMoved(audit, story, request)).toBe(true);
    expect(audit.network).toMatchObject({
      entries: 9,
      sealed: 1,
      verifiedSignatures: 8,
      assertedSignatures: 0,
      confirmedRecoveries: 1,
      assertedRecoveries: 0,
    });
    expect(guardiansOf(audit)).toEqual({ confirmed: 2, asserted: 1 });
    expect(beoOf(audit, story).recovery.guardians.map(({ guardianId }) => guardianId)).toContain(third.guardianId);
  });

  test('are no breach without confirmed guardians, but do not count as verified', async () => {
    const story = await guardedLedger();
    const { write, recover } = story;
    const [one, other] = story.withGuardians(0);
    const request = story.request();
    write(recover(one, request), recover(other, request));
    const audit = await story.audited();
    expect(found(audit)).toEqual([]);
    expect(hasMoved(audit, story, request)).toBe(true);
    expect(audit.network).toMatchObject({
      verifiedSignatures: 4,
      assertedSignatures: 2,
      unverifiedSignatures: 0,
      confirmedRecoveries: 0,
      assertedRecoveries: 1,
    });
    expect(guardiansOf(audit)).toEqual({ confirmed: 0, asserted: 3 });
  });

  test('accept a guardian removed 71 hours before, and restore removed guardians', async () => {
    const story = await guardedLedger();
    const { write, recover, configure, wait } = story;
    const [one, other, third] = story.withGuardians(3);
    wait(100);
    write(configure([newGuardian('primary'), newGuardian('secondary')], [third]));
    wait(71);
    const request = story.request();
    write(recover(one, request), recover(other, request));
    const audit = await story.audited();
    expect(found(audit)).toEqual([]);
    expect(hasMoved(audit, story, request)).toBe(true);
    expect(audit.network.confirmedRecoveries).toBe(1);
    expect(guardiansOf(audit)).toEqual({ confirmed: 3, asserted: 0 });
  });

  test('allow the holder to confirm a guardian between two confirmations', async () => {
    const story = await guardedLedger();
    const { write, recover, confirm } = story;
    const [one, other] = story.withGuardians(0);
    const request = story.request();
    write(recover(one, request), confirm(one), confirm(other), recover(other, request));
    const audit = await story.audited();
    expect(found(audit)).toEqual([]);
    expect(audit.network).toMatchObject({ assertedSignatures: 1, confirmedRecoveries: 1, assertedRecoveries: 0 });
  });
});

describe('a breach is reported if the relayer recovers an identity', () => {
  test('with two confirmations of one guardian', async () => {
    const story = await guardedLedger();
    const [one] = story.withGuardians(2);
    const request = story.request();
    story.write(story.recover(one, request), story.recover(one, request));
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['TRANSITION']);
    expect(sentences(audit)[0]).toContain('ALREADY_CONFIRMED');
    expect(hasMoved(audit, story, request)).toBe(false);
    expect(audit.network).toMatchObject({ verifiedSignatures: 7, unverifiedSignatures: 1, confirmedRecoveries: 0 });
  });

  test('with confirmations of different keys or requests', async () => {
    const story = await guardedLedger();
    const { write, recover, request } = story;
    const [one, other, third] = story.withGuardians(3);
    const first = request();
    write(recover(one, first), recover(other, { ...first, newPublicKey: newPerson().publicKey }));
    write(recover(third, request({ newPublicKey: first.newPublicKey })));
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['TRANSITION']);
    expect(hasMoved(audit, story, first)).toBe(false);
  });

  test('with a guardian who was removed 73 hours ago', async () => {
    const story = await guardedLedger();
    const { write, recover, configure, wait } = story;
    const [one, other, third] = story.withGuardians(3);
    wait(100);
    write(configure([], [other, third]));
    wait(73);
    const request = story.request();
    write(recover(other, request), recover(one, request));
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['TRANSITION']);
    expect(sentences(audit)[0]).toContain('LINK_EXPIRED');
    expect(hasMoved(audit, story, request)).toBe(false);
  });

  test('with an unconfirmed guardian of a holder who has confirmed others', async () => {
    const story = await guardedLedger();
    const [one, , third] = story.withGuardians(2);
    const request = story.request();
    story.write(story.recover(one, request), story.recover(third, request));
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['TRANSITION']);
    expect(hasMoved(audit, story, request)).toBe(false);
    expect(audit.network).toMatchObject({ assertedSignatures: 0, unverifiedSignatures: 1 });
  });

  test('with the guardian of another identity, the holder’s own key, or an unknown key', async () => {
    const story = await guardedLedger();
    const { write, recover, relayer, holder } = story;
    const [one] = story.withGuardians(2);
    const bert = relayer.create('bert.bsp');
    const his = newGuardian('primary');
    write(bert.draft, relayer.seal(bert.person, bert.beoId, 'updateRecovery', configured([his])));
    const { person, invitationId } = his;
    write(relayer.act(person, bert.beoId, 'acceptGuardian', { invitationId, publicKey: person.publicKey }));
    const request = story.request();
    write(
      recover(one, request),
      ...[his, holder, { person: newPerson() }].map((guardian) => recover(guardian, request)),
    );
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION', 'TRANSITION']);
    expect(hasMoved(audit, story, request)).toBe(false);
  });

  test('with a confirmation for another identity', async () => {
    const story = await guardedLedger();
    const { write, recover, relayer } = story;
    const [one, other] = story.withGuardians(2);
    const bert = relayer.create('bert.bsp');
    write(bert.draft);
    const request = story.request();
    write(recover(one, request), recover(other, request));
    write({ ...recover(one, story.request()), entity_id: bert.beoId });
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['ENTITY', 'TRANSITION']);
  });

  test('with a forged signature of a guardian', async () => {
    const story = await guardedLedger();
    const [one, other] = story.withGuardians(2);
    const request = story.request();
    const forged = { ...story.recover({ person: newPerson() }, request), signer: other.person.publicKey };
    story.write(story.recover(one, request), forged);
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['USER_SIGNATURE']);
    expect(audit.network).toMatchObject({ unverifiedSignatures: 1, confirmedRecoveries: 0, assertedRecoveries: 0 });
  });

  test('with sealed or unsigned confirmations', async () => {
    const story = await guardedLedger();
    const { write, recover, relayer, holder } = story;
    const [one, other] = story.withGuardians(2);
    const request = story.request();
    const { requestId, newPublicKey, openedAt } = request;
    const sealed = relayer.seal(other.person, holder.beoId, 'confirmRecovery', { requestId, newPublicKey });
    write(recover(one, request), { ...sealed, assigned: { opened_at: openedAt } });
    write({ ...recover(other, request), signer: null, signature: null } as Draft);
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['MESSAGE', 'USER_SIGNATURE']);
    expect(hasMoved(audit, story, request)).toBe(false);
  });

  test('to the key of a guardian', async () => {
    const story = await guardedLedger();
    const [one, other, third] = story.withGuardians(3);
    const request = story.request({ newPublicKey: third.person.publicKey });
    story.write(story.recover(one, request), story.recover(other, request));
    expect(kinds(await story.audited())).toEqual(['TRANSITION', 'TRANSITION']);
  });
});

describe('a breach is reported if the time at which a request was opened', () => {
  test('is more than 72 hours ago, or in the future', async () => {
    const story = await guardedLedger();
    const { write, recover, request, relayer } = story;
    const [one, other, third] = story.withGuardians(3);
    const at = (ms: number) => ({ openedAt: new Date(relayer.head.at + ms).toISOString() });
    write(recover(one, request(at(-72 * 3_600_000 - 1))), recover(other, request(at(31_000))));
    write(recover(third, request(at(-72 * 3_600_000 + 60_000))));
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION']);
    expect(sentences(audit)[0]).toContain('LINK_EXPIRED');
  });

  test('differs between the first confirmation and the second', async () => {
    const story = await guardedLedger();
    const { write, recover, wait } = story;
    const [one, other] = story.withGuardians(2);
    const request = story.request();
    write(recover(one, request));
    wait(80);
    write(recover(other, request), recover(other, { ...request, openedAt: story.request().openedAt }));
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION']);
    expect(hasMoved(audit, story, request)).toBe(false);
  });

  test('is not a time, is missing, or comes with other values', async () => {
    const story = await guardedLedger();
    const { write, recover, request } = story;
    const [one] = story.withGuardians(2);
    const openings = ['yesterday', '2026-01-31', '2026-01-31T12:00:00Z', ''].map((openedAt) => request({ openedAt }));
    const { assigned, ...nothing } = recover(one, request());
    write(...openings.map((opening) => recover(one, opening)), nothing as Draft);
    write({ ...recover(one, request()), assigned: { ...assigned, holder: one.guardianId } });
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION', 'TRANSITION', 'ENTITY', 'ENTITY', 'ENTITY']);
    expect(beoOf(audit, story).recovery.requests).toHaveLength(1);
  });

  test('is before a recovery that has closed it, or before the epoch', async () => {
    const story = await guardedLedger();
    const { write, recover, request } = story;
    const [one, other] = story.withGuardians(2);
    const [before, executed] = [request(), request()];
    write(recover(one, executed), recover(other, executed), recover(one, before));
    story.wait(1);
    const open = request();
    write(recover(one, open));
    story.wait(1);
    story.beginEpoch();
    write(recover(other, open), recover(other, request()));
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION']);
    const [closed, ended] = sentences(audit);
    expect(closed).toContain('REQUEST_CLOSED');
    expect(ended).toContain('ended with the epoch');
    expect(audit.replay).toMatchObject({ closedRequests: 1, expiredInvitations: 0 });
    expect(beoOf(audit, story).publicKey).toBe(executed.newPublicKey);
  });
});
