import { describe, expect, test } from 'vitest';
import type { Draft } from '../../server/ledger/chain.ts';
import { newPerson } from '../../server/testing/test-service.ts';
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
    const scenario = await guardedLedger();
    const { write, recover } = scenario;
    const [primary, secondary, tertiary] = scenario.withGuardians(2);
    scenario.wait(73);
    const request = scenario.request();
    write(recover(primary, request), recover(secondary, request));
    const audit = await scenario.audited();
    expect(found(audit)).toEqual([]);
    expect(hasMoved(audit, scenario, request)).toBe(true);
    expect(audit.network).toMatchObject({
      entries: 9,
      sealed: 1,
      verifiedSignatures: 8,
      assertedSignatures: 0,
      confirmedRecoveries: 1,
      assertedRecoveries: 0,
    });
    expect(guardiansOf(audit)).toEqual({ confirmed: 2, asserted: 1 });
    expect(beoOf(audit, scenario).recovery.guardians.map(({ guardianId }) => guardianId)).toContain(
      tertiary.guardianId,
    );
  });

  test('are no breach without confirmed guardians, but do not count as verified', async () => {
    const scenario = await guardedLedger();
    const { write, recover } = scenario;
    const [primary, secondary] = scenario.withGuardians(0);
    const request = scenario.request();
    write(recover(primary, request), recover(secondary, request));
    const audit = await scenario.audited();
    expect(found(audit)).toEqual([]);
    expect(hasMoved(audit, scenario, request)).toBe(true);
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
    const scenario = await guardedLedger();
    const { write, recover, configure, wait } = scenario;
    const [primary, secondary, tertiary] = scenario.withGuardians(3);
    wait(100);
    write(configure([newGuardian('primary'), newGuardian('secondary')], [tertiary]));
    wait(71);
    const request = scenario.request();
    write(recover(primary, request), recover(secondary, request));
    const audit = await scenario.audited();
    expect(found(audit)).toEqual([]);
    expect(hasMoved(audit, scenario, request)).toBe(true);
    expect(audit.network.confirmedRecoveries).toBe(1);
    expect(guardiansOf(audit)).toEqual({ confirmed: 3, asserted: 0 });
  });

  test('allow the holder to confirm a guardian between two confirmations', async () => {
    const scenario = await guardedLedger();
    const { write, recover, confirm } = scenario;
    const [primary, secondary] = scenario.withGuardians(0);
    const request = scenario.request();
    write(recover(primary, request), confirm(primary), confirm(secondary), recover(secondary, request));
    const audit = await scenario.audited();
    expect(found(audit)).toEqual([]);
    expect(audit.network).toMatchObject({ assertedSignatures: 1, confirmedRecoveries: 1, assertedRecoveries: 0 });
  });
});

describe('a breach is reported if the relayer recovers an identity', () => {
  test('with two confirmations of one guardian', async () => {
    const scenario = await guardedLedger();
    const [primary] = scenario.withGuardians(2);
    const request = scenario.request();
    scenario.write(scenario.recover(primary, request), scenario.recover(primary, request));
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['TRANSITION']);
    expect(sentences(audit)[0]).toContain('ALREADY_CONFIRMED');
    expect(hasMoved(audit, scenario, request)).toBe(false);
    expect(audit.network).toMatchObject({ verifiedSignatures: 7, unverifiedSignatures: 1, confirmedRecoveries: 0 });
  });

  test('with confirmations of different keys or requests', async () => {
    const scenario = await guardedLedger();
    const { write, recover, request } = scenario;
    const [primary, secondary, tertiary] = scenario.withGuardians(3);
    const first = request();
    write(recover(primary, first), recover(secondary, { ...first, newPublicKey: newPerson().publicKey }));
    write(recover(tertiary, request({ newPublicKey: first.newPublicKey })));
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['TRANSITION']);
    expect(hasMoved(audit, scenario, first)).toBe(false);
  });

  test('with a guardian who was removed 73 hours ago', async () => {
    const scenario = await guardedLedger();
    const { write, recover, configure, wait } = scenario;
    const [primary, secondary, tertiary] = scenario.withGuardians(3);
    wait(100);
    write(configure([], [secondary, tertiary]));
    wait(73);
    const request = scenario.request();
    write(recover(secondary, request), recover(primary, request));
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['TRANSITION']);
    expect(sentences(audit)[0]).toContain('LINK_EXPIRED');
    expect(hasMoved(audit, scenario, request)).toBe(false);
  });

  test('with an unconfirmed guardian of a holder who has confirmed others', async () => {
    const scenario = await guardedLedger();
    const [primary, , tertiary] = scenario.withGuardians(2);
    const request = scenario.request();
    scenario.write(scenario.recover(primary, request), scenario.recover(tertiary, request));
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['TRANSITION']);
    expect(hasMoved(audit, scenario, request)).toBe(false);
    expect(audit.network).toMatchObject({ assertedSignatures: 0, unverifiedSignatures: 1 });
  });

  test('with the guardian of another identity, the holder’s own key, or an unknown key', async () => {
    const scenario = await guardedLedger();
    const { write, recover, relayer, holder } = scenario;
    const [primary] = scenario.withGuardians(2);
    const bert = relayer.create('bert.bsp');
    const otherGuardian = newGuardian('primary');
    write(bert.draft, relayer.seal(bert.person, bert.beoId, 'updateRecovery', configured([otherGuardian])));
    const { person, invitationId } = otherGuardian;
    write(relayer.act(person, bert.beoId, 'acceptGuardian', { invitationId, publicKey: person.publicKey }));
    const request = scenario.request();
    write(
      recover(primary, request),
      ...[otherGuardian, holder, { person: newPerson() }].map((guardian) => recover(guardian, request)),
    );
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION', 'TRANSITION']);
    expect(hasMoved(audit, scenario, request)).toBe(false);
  });

  test('with a confirmation for another identity', async () => {
    const scenario = await guardedLedger();
    const { write, recover, relayer } = scenario;
    const [primary, secondary] = scenario.withGuardians(2);
    const bert = relayer.create('bert.bsp');
    write(bert.draft);
    const request = scenario.request();
    write(recover(primary, request), recover(secondary, request));
    write({ ...recover(primary, scenario.request()), entity_id: bert.beoId });
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['ENTITY', 'TRANSITION']);
  });

  test('with a forged signature of a guardian', async () => {
    const scenario = await guardedLedger();
    const [primary, secondary] = scenario.withGuardians(2);
    const request = scenario.request();
    const forged = { ...scenario.recover({ person: newPerson() }, request), signer: secondary.person.publicKey };
    scenario.write(scenario.recover(primary, request), forged);
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['USER_SIGNATURE']);
    expect(audit.network).toMatchObject({ unverifiedSignatures: 1, confirmedRecoveries: 0, assertedRecoveries: 0 });
  });

  test('with sealed or unsigned confirmations', async () => {
    const scenario = await guardedLedger();
    const { write, recover, relayer, holder } = scenario;
    const [primary, secondary] = scenario.withGuardians(2);
    const request = scenario.request();
    const { requestId, newPublicKey, openedAt } = request;
    const sealed = relayer.seal(secondary.person, holder.beoId, 'confirmRecovery', { requestId, newPublicKey });
    write(recover(primary, request), { ...sealed, assigned: { opened_at: openedAt } });
    write({ ...recover(secondary, request), signer: null, signature: null } as Draft);
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['MESSAGE', 'USER_SIGNATURE']);
    expect(hasMoved(audit, scenario, request)).toBe(false);
  });

  test('to the key of a guardian', async () => {
    const scenario = await guardedLedger();
    const [primary, secondary, tertiary] = scenario.withGuardians(3);
    const request = scenario.request({ newPublicKey: tertiary.person.publicKey });
    scenario.write(scenario.recover(primary, request), scenario.recover(secondary, request));
    expect(kinds(await scenario.audited())).toEqual(['TRANSITION', 'TRANSITION']);
  });
});

describe('a breach is reported if the time at which a request was opened', () => {
  test('is more than 72 hours ago, or in the future', async () => {
    const scenario = await guardedLedger();
    const { write, recover, request, relayer } = scenario;
    const [primary, secondary, tertiary] = scenario.withGuardians(3);
    const at = (ms: number) => ({ openedAt: new Date(relayer.head.at + ms).toISOString() });
    write(recover(primary, request(at(-72 * 3_600_000 - 1))), recover(secondary, request(at(31_000))));
    write(recover(tertiary, request(at(-72 * 3_600_000 + 60_000))));
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION']);
    expect(sentences(audit)[0]).toContain('LINK_EXPIRED');
  });

  test('differs between the first confirmation and the second', async () => {
    const scenario = await guardedLedger();
    const { write, recover, wait } = scenario;
    const [primary, secondary] = scenario.withGuardians(2);
    const request = scenario.request();
    write(recover(primary, request));
    wait(80);
    write(recover(secondary, request), recover(secondary, { ...request, openedAt: scenario.request().openedAt }));
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION']);
    expect(hasMoved(audit, scenario, request)).toBe(false);
  });

  test('is not a time, is missing, or comes with other values', async () => {
    const scenario = await guardedLedger();
    const { write, recover, request } = scenario;
    const [primary] = scenario.withGuardians(2);
    const openings = ['yesterday', '2026-01-31', '2026-01-31T12:00:00Z', ''].map((openedAt) => request({ openedAt }));
    const { assigned, ...withoutTime } = recover(primary, request());
    write(...openings.map((opening) => recover(primary, opening)), withoutTime as Draft);
    write({ ...recover(primary, request()), assigned: { ...assigned, holder: primary.guardianId } });
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION', 'TRANSITION', 'ENTITY', 'ENTITY', 'ENTITY']);
    expect(beoOf(audit, scenario).recovery.requests).toHaveLength(1);
  });

  test('is before a recovery that has closed it, or before the epoch', async () => {
    const scenario = await guardedLedger();
    const { write, recover, request } = scenario;
    const [primary, secondary] = scenario.withGuardians(2);
    const [before, executed] = [request(), request()];
    write(recover(primary, executed), recover(secondary, executed), recover(primary, before));
    scenario.wait(1);
    const open = request();
    write(recover(primary, open));
    scenario.wait(1);
    scenario.beginEpoch();
    write(recover(secondary, open), recover(secondary, request()));
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION']);
    const [closed, ended] = sentences(audit);
    expect(closed).toContain('REQUEST_CLOSED');
    expect(ended).toContain('ended with the epoch');
    expect(audit.replay.point).toMatchObject({ closedRequests: 1, expiredInvitations: 0 });
    expect(beoOf(audit, scenario).publicKey).toBe(executed.newPublicKey);
  });
});
