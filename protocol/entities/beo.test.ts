import { describe, expect, test } from 'vitest';
import type { BeoId, GuardianId, InvitationId, TransactionId } from '../ids.ts';
import { type Beo, beoView } from './beo.ts';
import type { Guardian } from './guardian.ts';
import { NO_SOCIAL_RECOVERY } from './social-recovery.ts';

const AT = '2026-01-31T12:00:00.000Z';

const guardian: Guardian = {
  guardianId: 'guardian' as GuardianId,
  invitationId: 'invitation' as InvitationId,
  role: 'primary',
  publicKey: 'aa',
  status: 'PENDING',
  addedAt: AT,
  acceptedAt: null,
  confirmedAt: null,
  namedAt: null,
  removedAt: null,
  countsUntil: null,
};

const maria: Beo = {
  kind: 'BEO',
  id: 'maria' as BeoId,
  domain: 'maria.bsp',
  publicKey: 'bb',
  keyVersion: 1,
  status: 'ACTIVE',
  createdAt: AT,
  updatedAt: AT,
  lockedAt: null,
  recovery: { ...NO_SOCIAL_RECOVERY, enabled: true, guardians: [guardian] },
  transactionId: 'transaction' as TransactionId,
  seq: 7,
};

describe('the view of an identity', () => {
  test('has the members of protocol §3 in snake_case', () => {
    expect(beoView(maria, 'POSTED', Date.parse(AT))).toEqual({
      beo_id: 'maria',
      domain: 'maria.bsp',
      public_key: 'bb',
      key_version: 1,
      status: 'ACTIVE',
      created_at: AT,
      updated_at: AT,
      locked_at: null,
      version: '1.0.0',
      recovery: {
        enabled: true,
        threshold: 2,
        confirmed_only: false,
        guardians: [
          {
            guardian_id: 'guardian',
            role: 'primary',
            public_key: 'aa',
            status: 'PENDING',
            accepted: false,
            confirmed: false,
            added_at: AT,
            accepted_at: null,
          },
        ],
      },
      active_recovery: null,
      arweave_tx: 'transaction',
      ledger: { seq: 7, status: 'POSTED' },
    });
  });

  test('has all members after the identity was destroyed', () => {
    const destroyed: Beo = { ...maria, status: 'DESTROYED', domain: null, publicKey: null };
    const before = Object.keys(beoView(maria, 'FINAL', 0));
    const view = beoView({ ...destroyed, recovery: NO_SOCIAL_RECOVERY }, 'FINAL', 0);
    expect(Object.keys(view)).toEqual(before);
    expect(view).toMatchObject({ domain: null, public_key: null, recovery: { guardians: [], threshold: 2 } });
  });

  test('shows the open recovery request with the most confirmations', () => {
    const openedAt = '2026-02-01T12:00:00.000Z';
    const confirmations = [{ guardianId: guardian.guardianId, publicKey: 'aa', asserted: true, at: openedAt }];
    const request = { requestId: 'request', newPublicKey: 'ff', openedAt, confirmations };
    const withRequest = { ...maria, recovery: { ...maria.recovery, requests: [request] } };
    const ends = Date.parse('2026-02-04T12:00:00.000Z');
    expect(beoView(withRequest, 'FINAL', ends - 1).active_recovery).toEqual({
      request_id: 'request',
      new_public_key: 'ff',
      confirmations: 1,
      confirmations_needed: 2,
      expires_at: '2026-02-04T12:00:00.000Z',
    });
    expect(beoView(withRequest, 'FINAL', ends).active_recovery).toBeNull();
  });

  test('never shows the id of an invitation', () => {
    expect(JSON.stringify(beoView(maria, 'FINAL', 0))).not.toContain('invitation');
  });
});
