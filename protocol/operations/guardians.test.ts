import { describe, expect, test } from 'vitest';
import type { TransactionId } from '../ids.ts';
import { acceptGuardian } from './accept-guardian.ts';
import { inviteGuardian } from './invite-guardian.ts';
import { lockBEO } from './lock-beo.ts';
import {
  ANA,
  accept,
  BRUNO,
  CELIA,
  configure,
  eligibleKeys,
  guardianOf,
  guardiansByRole,
  hours,
  invite,
  join,
  ledgerWithGuardians,
  mariaIn,
  OTHER,
  recover,
} from './test-guardians.ts';
import { createTestLedger } from './test-ledger.ts';
import { answerOf, beoCreation, byHolder, guardian, MARIA, refusalOf } from './test-requests.ts';
import { unlockBEO } from './unlock-beo.ts';
import { updateBEORecovery } from './update-beo-recovery.ts';

const ROLES = ['primary', 'secondary', 'tertiary'] as const;
const guardiansOf = (ledger: ReturnType<typeof ledgerWithGuardians>) => mariaIn(ledger).recovery.guardians;

describe('inviting a guardian', () => {
  test('creates a PENDING guardian and enables recovery', () => {
    const ledger = ledgerWithGuardians([]);
    const invitation = invite(ledger, 'secondary', hours(1));
    expect(mariaIn(ledger)).toMatchObject({ updatedAt: hours(1), publicKey: expect.any(String) });
    expect(mariaIn(ledger).recovery).toEqual({
      enabled: true,
      confirmedSince: null,
      requiredSince: null,
      requests: [],
      recoveredAt: null,
      guardians: [
        {
          ...invitation,
          role: 'secondary',
          publicKey: null,
          status: 'PENDING',
          addedAt: hours(1),
          acceptedAt: null,
          confirmedAt: null,
          namedAt: null,
          removedAt: null,
          countsUntil: null,
        },
      ],
    });
  });

  test('keeps recovery disabled if the holder disabled it for present guardians', () => {
    const ledger = ledgerWithGuardians([ANA]);
    configure(ledger, { primary: ANA }, hours(1), false);
    invite(ledger, 'secondary', hours(2));
    expect(mariaIn(ledger).recovery.enabled).toBe(false);
  });

  test('is possible three times, in any order, one for each role', () => {
    const ledger = ledgerWithGuardians([]);
    for (const role of ['tertiary', 'primary', 'secondary'] as const) {
      invite(ledger, role, hours(1));
      if (guardiansOf(ledger).length === 3) break;
      const error = refusalOf(() => invite(ledger, role, hours(1)));
      expect(error).toMatchObject({ code: 'GUARDIAN_ROLE_TAKEN', details: { role } });
    }
    for (const role of ROLES) {
      expect(refusalOf(() => invite(ledger, role, hours(2))).code).toBe('GUARDIAN_LIMIT');
    }
  });

  test('is limited by accepted and invited guardians alike', () => {
    const ledger = ledgerWithGuardians([ANA, BRUNO]);
    expect(refusalOf(() => invite(ledger, 'primary', hours(100))).code).toBe('GUARDIAN_ROLE_TAKEN');
    invite(ledger, 'tertiary', hours(100));
    expect(refusalOf(() => invite(ledger, 'tertiary', hours(100))).code).toBe('GUARDIAN_LIMIT');
  });

  test('is allowed right after a recovery', () => {
    const ledger = ledgerWithGuardians([ANA, BRUNO]);
    recover(ledger, [ANA, BRUNO], hours(1));
    invite(ledger, 'tertiary', hours(1, 1));
    expect(guardiansByRole(ledger)).toEqual({ primary: ANA, secondary: BRUNO, tertiary: 'PENDING' });
  });

  test('is rejected while the identity is locked', () => {
    const ledger = ledgerWithGuardians([]);
    ledger.submit(byHolder(lockBEO), hours(1));
    const error = refusalOf(() => invite(ledger, 'primary', hours(2)));
    expect(error).toMatchObject({ code: 'BEO_LOCKED', details: { locked_at: hours(1) } });
    ledger.submit(byHolder(unlockBEO), hours(3));
    invite(ledger, 'primary', hours(4));
  });

  test('returns the link', () => {
    const ledger = ledgerWithGuardians([]);
    const link = { role: 'primary' as const, url: 'https://perpetua.example/link', expires_at: hours(73) };
    const publicFacts = { beoId: MARIA, guardian: guardian('primary') };
    ledger.submit({ operation: inviteGuardian, entityId: MARIA, publicFacts }, hours(1));
    const answered = {
      entityId: MARIA,
      publicFacts,
      entities: ledger.entities,
      subjects: { holder: MARIA },
      acceptedAt: hours(1),
      invitations: [{ guardian_id: 'guardian primary', ...link }],
      transactionId: 'transaction' as TransactionId,
      requestId: 'request',
      revokedCount: 0,
      recordIds: [],
      warnings: [],
    };
    expect(inviteGuardian.answer(answered)).toEqual({
      guardian_id: 'guardian primary',
      invitation_id: 'invitation primary',
      url: link.url,
      expires_at: link.expires_at,
    });
    expect(refusalOf(() => inviteGuardian.answer({ ...answered, invitations: [] })).code).toBe('INTERNAL');
  });
});

describe('an invitation', () => {
  test('is accepted with a key, which is eligible at once if no guardian is confirmed', () => {
    const ledger = ledgerWithGuardians([]);
    const invitation = invite(ledger, 'primary', hours(1));
    const request = byHolder(acceptGuardian, { invitationId: invitation.invitationId, publicKey: ANA });
    expect(answerOf(ledger, request, hours(2))).toEqual({
      guardian_id: invitation.guardianId,
      role: 'primary',
      status: 'ACTIVE',
      beo_domain: 'maria.bsp',
    });
    expect(guardianOf(ledger, ANA)).toMatchObject({ acceptedAt: hours(2), addedAt: hours(1), confirmedAt: null });
    expect(eligibleKeys(ledger, hours(2))).toEqual([ANA]);
  });

  test('expires after exactly 72 hours', () => {
    const ledger = ledgerWithGuardians([]);
    const invitation = invite(ledger, 'primary', hours(1));
    const error = refusalOf(() => accept(ledger, invitation, ANA, hours(73)));
    expect(error).toMatchObject({ code: 'LINK_EXPIRED', details: { expires_at: hours(73) } });
    accept(ledger, invitation, ANA, hours(73, -1));
  });

  test('that expired frees its role', () => {
    const ledger = ledgerWithGuardians([]);
    const first = ROLES.map((role) => invite(ledger, role, hours(0)));
    expect(refusalOf(() => invite(ledger, 'primary', hours(72, -1))).code).toBe('GUARDIAN_LIMIT');
    const again = invite(ledger, 'primary', hours(72));
    const error = refusalOf(() => accept(ledger, first[0] ?? again, ANA, hours(72)));
    expect(error).toMatchObject({ code: 'LINK_EXPIRED', details: { reason: 'SUPERSEDED' } });
    accept(ledger, again, ANA, hours(72));
    expect(guardiansByRole(ledger)).toMatchObject({ primary: ANA });
    expect(
      guardiansOf(ledger)
        .map(({ role }) => role)
        .sort(),
    ).toEqual([...ROLES].sort());
  });

  test('is used once', () => {
    const ledger = ledgerWithGuardians([]);
    const invitation = invite(ledger, 'primary', hours(0));
    accept(ledger, invitation, ANA, hours(1));
    for (const publicKey of [ANA, BRUNO]) {
      expect(refusalOf(() => accept(ledger, invitation, publicKey, hours(100))).code).toBe('LINK_USED');
    }
  });

  test.each([
    ['named again', { primary: null }],
    ['left out', { secondary: null }],
    ['removed with the configuration', null],
  ])('is withdrawn if its guardian is %s', (_, configuration) => {
    const ledger = ledgerWithGuardians([]);
    const invitation = invite(ledger, 'primary', hours(0));
    configure(ledger, configuration, hours(1));
    const error = refusalOf(() => accept(ledger, invitation, ANA, hours(2)));
    expect(error).toMatchObject({ code: 'LINK_EXPIRED', details: { reason: 'SUPERSEDED' } });
  });

  test('of a removed guardian is reported as used, and later as withdrawn', () => {
    const ledger = ledgerWithGuardians([]);
    const invitation = join(ledger, 'primary', ANA, hours(0));
    configure(ledger, null, hours(1));
    expect(refusalOf(() => accept(ledger, invitation, ANA, hours(2))).code).toBe('LINK_USED');
    configure(ledger, null, hours(80));
    expect(refusalOf(() => accept(ledger, invitation, ANA, hours(81))).code).toBe('LINK_EXPIRED');
  });

  test('bound to a key is accepted by that key only', () => {
    const ledger = ledgerWithGuardians([]);
    const { invited } = configure(ledger, { primary: ANA.toUpperCase(), secondary: null }, hours(0));
    const [bound, free] = invited;
    if (!bound || !free) throw new Error('The guardians were not invited.');
    const error = refusalOf(() => accept(ledger, bound, OTHER, hours(1)));
    expect(error).toMatchObject({ code: 'INVALID_SIGNATURE', details: { expected_key: 'guardian' } });
    accept(ledger, bound, ANA, hours(1));
    accept(ledger, free, OTHER, hours(1));
    expect(guardiansByRole(ledger)).toEqual({ primary: ANA, secondary: OTHER });
  });

  test('cannot be accepted while the identity is locked, and expires meanwhile', () => {
    const ledger = ledgerWithGuardians([ANA]);
    const invitation = invite(ledger, 'secondary', hours(0));
    ledger.submit(byHolder(lockBEO), hours(1));
    expect(refusalOf(() => accept(ledger, invitation, BRUNO, hours(2))).code).toBe('BEO_LOCKED');
    expect(refusalOf(() => accept(ledger, guardianOf(ledger, ANA), BRUNO, hours(2))).code).toBe('LINK_USED');
    expect(refusalOf(() => accept(ledger, invitation, BRUNO, hours(72))).code).toBe('LINK_EXPIRED');
    ledger.submit(byHolder(unlockBEO), hours(3));
    accept(ledger, invitation, BRUNO, hours(4));
  });

  test('made with createBEO is like any other', () => {
    const ledger = createTestLedger();
    const guardians = [guardian('primary'), guardian('secondary', BRUNO)];
    ledger.submit(beoCreation({ enabled: true, guardians }), hours(0));
    for (const [index, publicKey] of [ANA, BRUNO].entries()) {
      const invited = guardiansOf(ledger)[index];
      if (invited) accept(ledger, invited, publicKey, hours(1));
    }
    expect(eligibleKeys(ledger, hours(1))).toEqual([ANA, BRUNO]);
  });
});

describe('updating the guardians', () => {
  test('keeps guardians named by an ACTIVE key, even in another role, and invites the others', () => {
    const ledger = ledgerWithGuardians([ANA, BRUNO, CELIA], [ANA, BRUNO]);
    const before = guardianOf(ledger, BRUNO);
    const { invited } = configure(ledger, { primary: BRUNO.toUpperCase(), secondary: null, tertiary: CELIA }, hours(1));
    expect(invited.map(({ role }) => role)).toEqual(['secondary']);
    expect(guardiansByRole(ledger)).toEqual({ primary: BRUNO, secondary: 'PENDING', tertiary: CELIA });
    expect(guardianOf(ledger, BRUNO)).toEqual({ ...before, role: 'primary', namedAt: hours(1) });
    expect(guardianOf(ledger, ANA)).toMatchObject({ status: 'REMOVED', removedAt: hours(1) });
  });

  test('replaces an open invitation for the same key', () => {
    const ledger = ledgerWithGuardians([]);
    const [first] = configure(ledger, { primary: ANA }, hours(0)).invited;
    const [again] = configure(ledger, { primary: ANA }, hours(1)).invited;
    if (!first || !again) throw new Error('The guardian was not invited.');
    expect(refusalOf(() => accept(ledger, first, ANA, hours(2))).code).toBe('LINK_EXPIRED');
    accept(ledger, again, ANA, hours(2));
  });

  test('must be sent again if a guardian accepted at the same time', () => {
    const ledger = ledgerWithGuardians([]);
    const invitation = invite(ledger, 'primary', hours(0));
    const stale = { enabled: true, guardians: [guardian('primary', ANA)] };
    accept(ledger, invitation, ANA, hours(1));
    expect(refusalOf(() => ledger.submit(byHolder(updateBEORecovery, stale), hours(1))).code).toBe('UNAVAILABLE');
    configure(ledger, { primary: ANA }, hours(1));
    expect(guardiansByRole(ledger)).toEqual({ primary: ANA });
  });

  test('is rejected while locked and in the 24 hours after a recovery', () => {
    const ledger = ledgerWithGuardians();
    recover(ledger, [ANA, BRUNO], hours(1));
    const error = refusalOf(() => configure(ledger, null, hours(25, -1)));
    expect(error).toMatchObject({ code: 'RECOVERY_COOLDOWN', details: { until: hours(25) } });
    ledger.submit(byHolder(lockBEO), hours(25));
    expect(refusalOf(() => configure(ledger, null, hours(25))).code).toBe('BEO_LOCKED');
    ledger.submit(byHolder(unlockBEO), hours(25));
    configure(ledger, null, hours(25));
  });
});
