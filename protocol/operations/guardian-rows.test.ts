import { describe, expect, test } from 'vitest';
import { guardianRow, invitationRow } from '../recovery.ts';
import { destroyBEO } from './destroy-beo.ts';
import { inviteGuardian } from './invite-guardian.ts';
import {
  ANA,
  accept,
  asked,
  BRUNO,
  CELIA,
  configure,
  confirm,
  guardianOf,
  hours,
  type Invitation,
  invite,
  join,
  mariaIn,
  mariaWith,
  OTHER,
  vouch,
} from './test-guardians.ts';
import { createTestLedger } from './test-ledger.ts';
import { created, guardian, own } from './test-requests.ts';

const rowsOf = ({ guardianId, invitationId }: Invitation): string[] => [
  guardianRow(guardianId),
  invitationRow(invitationId),
];

describe('the vault rowsToDelete', () => {
  test('the link of an invitation once it is accepted, and not who accepted', () => {
    const ledger = mariaWith([]);
    const invitation = invite(ledger, 'primary', hours(0));
    expect(accept(ledger, invitation, ANA, hours(1)).rowsToDelete).toEqual([invitationRow(invitation.invitationId)]);
  });

  test('whose invitation ran out, when somebody else is asked for that role', () => {
    const ledger = mariaWith([]);
    const [first, other] = [invite(ledger, 'primary', hours(0)), invite(ledger, 'secondary', hours(0))];
    const again = own(inviteGuardian, { guardian: guardian('primary') });
    expect(ledger.submit(again, hours(72)).rowsToDelete).toEqual(rowsOf(first));
    expect(mariaIn(ledger).recovery.guardians.map(({ guardianId }) => guardianId)).toContain(other.guardianId);
  });

  test('at once who is no longer asked, and after 72 hours, with the next change, who no longer counts', () => {
    const ledger = mariaWith([ANA]);
    const invitation = invite(ledger, 'secondary', hours(0));
    const ana = guardianOf(ledger, ANA);
    expect(configure(ledger, null, hours(1)).recorded.rowsToDelete).toEqual(rowsOf(invitation));
    expect(configure(ledger, null, hours(72)).recorded.rowsToDelete).toEqual([]);
    expect(configure(ledger, null, hours(73)).recorded.rowsToDelete).toEqual(rowsOf(ana));
  });

  test('who no longer counts with a confirmation too', () => {
    const ledger = mariaWith([ANA, BRUNO]);
    const ana = guardianOf(ledger, ANA);
    configure(ledger, { secondary: BRUNO }, hours(1));
    expect(vouch(ledger, BRUNO, hours(100)).rowsToDelete).toEqual(rowsOf(ana));
  });

  test('the first name of one who is asked back, when the second is accepted', () => {
    const ledger = mariaWith([ANA]);
    const before = guardianOf(ledger, ANA);
    configure(ledger, null, hours(1));
    const invitation = invite(ledger, 'primary', hours(2));
    const { rowsToDelete } = accept(ledger, invitation, ANA, hours(3));
    expect(rowsToDelete).toEqual(expect.arrayContaining([invitationRow(invitation.invitationId), ...rowsOf(before)]));
  });

  test('nobody who is kept, in whatever role', () => {
    const ledger = mariaWith([ANA, BRUNO]);
    expect(configure(ledger, { primary: BRUNO, secondary: ANA }, hours(1)).recorded.rowsToDelete).toEqual([]);
  });

  test('with a recovery who took the places of others', () => {
    const ledger = mariaWith();
    const [ana, bruno] = [guardianOf(ledger, ANA), guardianOf(ledger, BRUNO)];
    configure(ledger, { tertiary: CELIA }, hours(1));
    const taken = join(ledger, 'primary', OTHER, hours(2));
    const asking = invite(ledger, 'secondary', hours(2));
    confirm(ledger, asked(hours(3)), ANA, hours(3));
    const { rowsToDelete } = confirm(ledger, asked(hours(3)), CELIA, hours(3));
    const ofGuardians = rowsToDelete.filter((row) => !row.startsWith('recovery:'));
    expect(ofGuardians.sort()).toEqual([...rowsOf(taken), ...rowsOf(asking)].sort());
    for (const row of [...rowsOf(ana), ...rowsOf(bruno)]) expect(rowsToDelete).not.toContain(row);
  });

  test('everything, when the identity is destroyed', () => {
    const ledger = createTestLedger();
    ledger.submit(created({ enabled: true, guardians: [guardian('primary')] }), hours(0));
    expect(ledger.submit(own(destroyBEO), hours(1)).vaultsToErase).toEqual(['maria']);
  });
});
