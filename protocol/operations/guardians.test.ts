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
  counting,
  guardianOf,
  hours,
  invite,
  join,
  mariaIn,
  mariaWith,
  OTHER,
  recover,
  seats,
} from './test-guardians.ts';
import { createTestLedger } from './test-ledger.ts';
import { answerOf, created, guardian, MARIA, own, refusalOf } from './test-requests.ts';
import { unlockBEO } from './unlock-beo.ts';
import { updateBEORecovery } from './update-beo-recovery.ts';

const ROLES = ['primary', 'secondary', 'tertiary'] as const;
const guardiansOf = (ledger: ReturnType<typeof mariaWith>) => mariaIn(ledger).recovery.guardians;

describe('inviting a guardian', () => {
  test('makes an invitation that nobody has accepted, and turns recovery on', () => {
    const ledger = mariaWith([]);
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

  test('leaves recovery off where the holder has turned it off for guardians who are there', () => {
    const ledger = mariaWith([ANA]);
    configure(ledger, { primary: ANA }, hours(1), false);
    invite(ledger, 'secondary', hours(2));
    expect(mariaIn(ledger).recovery.enabled).toBe(false);
  });

  test('is possible three times, in any order, one for each role', () => {
    const ledger = mariaWith([]);
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

  test('counts who has accepted as it counts who was asked', () => {
    const ledger = mariaWith([ANA, BRUNO]);
    expect(refusalOf(() => invite(ledger, 'primary', hours(100))).code).toBe('GUARDIAN_ROLE_TAKEN');
    invite(ledger, 'tertiary', hours(100));
    expect(refusalOf(() => invite(ledger, 'tertiary', hours(100))).code).toBe('GUARDIAN_LIMIT');
  });

  test('waits for nothing after a recovery: a holder who has one guardian left needs another', () => {
    const ledger = mariaWith([ANA, BRUNO]);
    recover(ledger, [ANA, BRUNO], hours(1));
    invite(ledger, 'tertiary', hours(1, 1));
    expect(seats(ledger)).toEqual({ primary: ANA, secondary: BRUNO, tertiary: 'PENDING' });
  });

  test('is not possible while locked, and is again when unlocked', () => {
    const ledger = mariaWith([]);
    ledger.submit(own(lockBEO), hours(1));
    const error = refusalOf(() => invite(ledger, 'primary', hours(2)));
    expect(error).toMatchObject({ code: 'BEO_LOCKED', details: { locked_at: hours(1) } });
    ledger.submit(own(unlockBEO), hours(3));
    invite(ledger, 'primary', hours(4));
  });

  test('answers with the link, once', () => {
    const ledger = mariaWith([]);
    const link = { role: 'primary', url: 'https://perpetua.example/link', expires_at: hours(73) };
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
      changes: [],
      recordIds: [],
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
  test('is accepted with a key, which counts at once where the holder confirms nobody', () => {
    const ledger = mariaWith([]);
    const invitation = invite(ledger, 'primary', hours(1));
    const request = own(acceptGuardian, { invitationId: invitation.invitationId, publicKey: ANA });
    expect(answerOf(ledger, request, hours(2))).toEqual({
      guardian_id: invitation.guardianId,
      role: 'primary',
      status: 'ACTIVE',
      beo_domain: 'maria.bsp',
    });
    expect(guardianOf(ledger, ANA)).toMatchObject({ acceptedAt: hours(2), addedAt: hours(1), confirmedAt: null });
    expect(counting(ledger, hours(2))).toEqual([ANA]);
  });

  test('runs out 72 hours after it was made, to the millisecond', () => {
    const ledger = mariaWith([]);
    const invitation = invite(ledger, 'primary', hours(1));
    const error = refusalOf(() => accept(ledger, invitation, ANA, hours(73)));
    expect(error).toMatchObject({ code: 'LINK_EXPIRED', details: { expires_at: hours(73) } });
    accept(ledger, invitation, ANA, hours(73, -1));
  });

  test('that ran out leaves its role and its place to others', () => {
    const ledger = mariaWith([]);
    const first = ROLES.map((role) => invite(ledger, role, hours(0)));
    expect(refusalOf(() => invite(ledger, 'primary', hours(72, -1))).code).toBe('GUARDIAN_LIMIT');
    const again = invite(ledger, 'primary', hours(72));
    const error = refusalOf(() => accept(ledger, first[0] ?? again, ANA, hours(72)));
    expect(error).toMatchObject({ code: 'LINK_EXPIRED', details: { reason: 'SUPERSEDED' } });
    accept(ledger, again, ANA, hours(72));
    expect(seats(ledger)).toMatchObject({ primary: ANA });
    expect(
      guardiansOf(ledger)
        .map(({ role }) => role)
        .sort(),
    ).toEqual([...ROLES].sort());
  });

  test('is used once', () => {
    const ledger = mariaWith([]);
    const invitation = invite(ledger, 'primary', hours(0));
    accept(ledger, invitation, ANA, hours(1));
    for (const publicKey of [ANA, BRUNO]) {
      expect(refusalOf(() => accept(ledger, invitation, publicKey, hours(100))).code).toBe('LINK_USED');
    }
  });

  test.each([
    ['named anew', { primary: null }],
    ['left out', { secondary: null }],
    ['taken away with everything', null],
  ])('is withdrawn where its guardian is %s', (_, named) => {
    const ledger = mariaWith([]);
    const invitation = invite(ledger, 'primary', hours(0));
    configure(ledger, named, hours(1));
    const error = refusalOf(() => accept(ledger, invitation, ANA, hours(2)));
    expect(error).toMatchObject({ code: 'LINK_EXPIRED', details: { reason: 'SUPERSEDED' } });
  });

  test('that a guardian used who was removed since is still a used one, and later one withdrawn', () => {
    const ledger = mariaWith([]);
    const invitation = join(ledger, 'primary', ANA, hours(0));
    configure(ledger, null, hours(1));
    expect(refusalOf(() => accept(ledger, invitation, ANA, hours(2))).code).toBe('LINK_USED');
    configure(ledger, null, hours(80));
    expect(refusalOf(() => accept(ledger, invitation, ANA, hours(81))).code).toBe('LINK_EXPIRED');
  });

  test('that names a key is accepted by that one alone', () => {
    const ledger = mariaWith([]);
    const { invited } = configure(ledger, { primary: ANA.toUpperCase(), secondary: null }, hours(0));
    const [bound, free] = invited;
    if (!bound || !free) throw new Error('They were not invited.');
    const error = refusalOf(() => accept(ledger, bound, OTHER, hours(1)));
    expect(error).toMatchObject({ code: 'INVALID_SIGNATURE', details: { expected_key: 'guardian' } });
    accept(ledger, bound, ANA, hours(1));
    accept(ledger, free, OTHER, hours(1));
    expect(seats(ledger)).toEqual({ primary: ANA, secondary: OTHER });
  });

  test('cannot be accepted while the identity is locked; it runs on, and what it is comes first', () => {
    const ledger = mariaWith([ANA]);
    const invitation = invite(ledger, 'secondary', hours(0));
    ledger.submit(own(lockBEO), hours(1));
    expect(refusalOf(() => accept(ledger, invitation, BRUNO, hours(2))).code).toBe('BEO_LOCKED');
    expect(refusalOf(() => accept(ledger, guardianOf(ledger, ANA), BRUNO, hours(2))).code).toBe('LINK_USED');
    expect(refusalOf(() => accept(ledger, invitation, BRUNO, hours(72))).code).toBe('LINK_EXPIRED');
    ledger.submit(own(unlockBEO), hours(3));
    accept(ledger, invitation, BRUNO, hours(4));
  });

  test('made with the identity is like any other', () => {
    const ledger = createTestLedger();
    const guardians = [guardian('primary'), guardian('secondary', BRUNO)];
    ledger.submit(created({ enabled: true, guardians }), hours(0));
    for (const [index, publicKey] of [ANA, BRUNO].entries()) {
      const invited = guardiansOf(ledger)[index];
      if (invited) accept(ledger, invited, publicKey, hours(1));
    }
    expect(counting(ledger, hours(1))).toEqual([ANA, BRUNO]);
  });
});

describe('naming the guardians anew', () => {
  test('keeps whoever is named by a key that is ACTIVE, in a new role too, and invites the others', () => {
    const ledger = mariaWith([ANA, BRUNO, CELIA], [ANA, BRUNO]);
    const before = guardianOf(ledger, BRUNO);
    const { invited } = configure(ledger, { primary: BRUNO.toUpperCase(), secondary: null, tertiary: CELIA }, hours(1));
    expect(invited.map(({ role }) => role)).toEqual(['secondary']);
    expect(seats(ledger)).toEqual({ primary: BRUNO, secondary: 'PENDING', tertiary: CELIA });
    expect(guardianOf(ledger, BRUNO)).toEqual({ ...before, role: 'primary', namedAt: hours(1) });
    expect(guardianOf(ledger, ANA)).toMatchObject({ status: 'REMOVED', removedAt: hours(1) });
  });

  test('makes no guardian of a key whose invitation is still open: it is made anew, and the old link ends', () => {
    const ledger = mariaWith([]);
    const [first] = configure(ledger, { primary: ANA }, hours(0)).invited;
    const [again] = configure(ledger, { primary: ANA }, hours(1)).invited;
    if (!first || !again) throw new Error('She was not invited.');
    expect(refusalOf(() => accept(ledger, first, ANA, hours(2))).code).toBe('LINK_EXPIRED');
    accept(ledger, again, ANA, hours(2));
  });

  test('has to be sent again where somebody accepted at the same moment', () => {
    const ledger = mariaWith([]);
    const invitation = invite(ledger, 'primary', hours(0));
    const stale = { enabled: true, guardians: [guardian('primary', ANA)] };
    accept(ledger, invitation, ANA, hours(1));
    expect(refusalOf(() => ledger.submit(own(updateBEORecovery, stale), hours(1))).code).toBe('UNAVAILABLE');
    configure(ledger, { primary: ANA }, hours(1));
    expect(seats(ledger)).toEqual({ primary: ANA });
  });

  test('is not possible while locked, nor in the 24 hours after a recovery', () => {
    const ledger = mariaWith();
    recover(ledger, [ANA, BRUNO], hours(1));
    const error = refusalOf(() => configure(ledger, null, hours(25, -1)));
    expect(error).toMatchObject({ code: 'RECOVERY_COOLDOWN', details: { until: hours(25) } });
    ledger.submit(own(lockBEO), hours(25));
    expect(refusalOf(() => configure(ledger, null, hours(25))).code).toBe('BEO_LOCKED');
    ledger.submit(own(unlockBEO), hours(25));
    configure(ledger, null, hours(25));
  });
});
