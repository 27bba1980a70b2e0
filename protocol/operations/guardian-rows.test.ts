import { describe, expect, test } from 'vitest';
import { attestedRow, guardianRow, invitationRow } from '../entities/recovery.ts';
import { destroyBEO } from './destroy-beo.ts';
import { inviteGuardian } from './invite-guardian.ts';
import {
  ANA,
  accept,
  BRUNO,
  CELIA,
  configure,
  confirm,
  confirmGuardianWith,
  guardianOf,
  hours,
  type Invitation,
  invite,
  join,
  ledgerWithGuardians,
  mariaIn,
  OTHER,
  recoveryRequest,
} from './test-guardians.ts';
import { createTestLedger } from './test-ledger.ts';
import { beoCreation, byHolder, guardian } from './test-requests.ts';

const rowsOf = ({ guardianId, invitationId }: Invitation): string[] => [
  guardianRow(guardianId),
  attestedRow(guardianId),
  invitationRow(invitationId),
];

describe('vault rows to delete', () => {
  test('are the link of an accepted invitation, not the guardian’s name', () => {
    const ledger = ledgerWithGuardians([]);
    const invitation = invite(ledger, 'primary', hours(0));
    expect(accept(ledger, invitation, ANA, hours(1)).rowsToDelete).toEqual([invitationRow(invitation.invitationId)]);
  });

  test('are those of an expired invitation that is replaced', () => {
    const ledger = ledgerWithGuardians([]);
    const [first, other] = [invite(ledger, 'primary', hours(0)), invite(ledger, 'secondary', hours(0))];
    const again = byHolder(inviteGuardian, { guardian: guardian('primary') });
    expect(ledger.submit(again, hours(72)).rowsToDelete).toEqual(rowsOf(first));
    expect(mariaIn(ledger).recovery.guardians.map(({ guardianId }) => guardianId)).toContain(other.guardianId);
  });

  test('are those of a withdrawn invitation at once, and of a removed guardian after the grace period', () => {
    const ledger = ledgerWithGuardians([ANA]);
    const invitation = invite(ledger, 'secondary', hours(0));
    const ana = guardianOf(ledger, ANA);
    expect(configure(ledger, null, hours(1)).recorded.rowsToDelete).toEqual(rowsOf(invitation));
    expect(configure(ledger, null, hours(72)).recorded.rowsToDelete).toEqual([]);
    expect(configure(ledger, null, hours(73)).recorded.rowsToDelete).toEqual(rowsOf(ana));
  });

  test('are those of a guardian whose grace period is over at a confirmation', () => {
    const ledger = ledgerWithGuardians([ANA, BRUNO]);
    const ana = guardianOf(ledger, ANA);
    configure(ledger, { secondary: BRUNO }, hours(1));
    expect(confirmGuardianWith(ledger, BRUNO, hours(100)).rowsToDelete).toEqual(rowsOf(ana));
  });

  test('are the old ones of a re-invited guardian who accepts', () => {
    const ledger = ledgerWithGuardians([ANA]);
    const before = guardianOf(ledger, ANA);
    configure(ledger, null, hours(1));
    const invitation = invite(ledger, 'primary', hours(2));
    const { rowsToDelete } = accept(ledger, invitation, ANA, hours(3));
    expect(rowsToDelete).toEqual(expect.arrayContaining([invitationRow(invitation.invitationId), ...rowsOf(before)]));
  });

  test('are not those of a kept guardian in another role', () => {
    const ledger = ledgerWithGuardians([ANA, BRUNO]);
    expect(configure(ledger, { primary: BRUNO, secondary: ANA }, hours(1)).recorded.rowsToDelete).toEqual([]);
  });

  test('are those of guardians that a recovery removes', () => {
    const ledger = ledgerWithGuardians();
    const [ana, bruno] = [guardianOf(ledger, ANA), guardianOf(ledger, BRUNO)];
    configure(ledger, { tertiary: CELIA }, hours(1));
    const accepted = join(ledger, 'primary', OTHER, hours(2));
    const pending = invite(ledger, 'secondary', hours(2));
    confirm(ledger, recoveryRequest(hours(3)), ANA, hours(3));
    const { rowsToDelete } = confirm(ledger, recoveryRequest(hours(3)), CELIA, hours(3));
    const guardianRows = rowsToDelete.filter((row) => !row.startsWith('recovery:'));
    expect(guardianRows.sort()).toEqual([...rowsOf(accepted), ...rowsOf(pending)].sort());
    for (const row of [...rowsOf(ana), ...rowsOf(bruno)]) expect(rowsToDelete).not.toContain(row);
  });

  test('are all rows of the vault when the identity is destroyed', () => {
    const ledger = createTestLedger();
    ledger.submit(beoCreation({ enabled: true, guardians: [guardian('primary')] }), hours(0));
    expect(ledger.submit(byHolder(destroyBEO), hours(1)).vaultsToErase).toEqual(['maria']);
  });
});
