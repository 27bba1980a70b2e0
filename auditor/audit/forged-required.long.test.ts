import { describe, expect, test } from 'vitest';
import type { Draft } from '../../server/ledger/chain.ts';
import { newPerson, type Person } from '../../server/testing/test-service.ts';
import { assertedLines } from './asserted-recoveries.ts';
import type { Audit } from './audit.ts';
import { verdictOf } from './report.ts';
import {
  beoOf,
  configured,
  type GuardedLedger,
  guardedLedger,
  guardiansOf,
  hasMoved,
  newGuardian,
  sentences,
  trio,
  type WrittenGuardian,
} from './test-forged-guardians.ts';
import { found, kinds } from './test-forged-ledger.ts';
import type { ForgingRelayer } from './test-relayer.ts';

/** The guardian keys of each asserted recovery. */
const listed = ({ assertedRecoveries }: Audit) => [...assertedRecoveries.all()].map(({ guardianKeys }) => guardianKeys);
const keysOf = (...guardians: readonly Pick<WrittenGuardian, 'person'>[]) =>
  guardians.map(({ person }) => person.publicKey);

/** The sealed createBEO entry of an identity with guardians. */
function created(
  { head }: ForgingRelayer,
  { publicKey }: Person,
  beoId: string,
  facts: ReturnType<typeof configured>,
): Draft {
  const timestamp = new Date(head.at - 100).toISOString();
  return {
    ...{ function: 'createBEO', entity_id: beoId, signer: publicKey, signature: null },
    ...{ sealed: 'ab'.repeat(32), public: { timestamp, domain: 'bert.bsp', publicKey, ...facts } },
  };
}

/** Two guardians confirm one request. */
function recovered({ write, recover, request }: GuardedLedger, first: WrittenGuardian, second: WrittenGuardian) {
  const opened = request();
  write(recover(first, opened), recover(second, opened));
  return opened;
}

describe('an identity that requires confirmed guardians', () => {
  test('is recovered without a breach by guardians that the holder confirmed in public', async () => {
    const scenario = await guardedLedger();
    const { write, require, resign } = scenario;
    write(require());
    const [primary, secondary, tertiary] = scenario.withGuardians(2);
    write(resign(tertiary));
    const request = recovered(scenario, primary, secondary);
    const audit = await scenario.audited();
    expect(found(audit)).toEqual([]);
    expect(hasMoved(audit, scenario, request)).toBe(true);
    expect(verdictOf(audit)).toBe('clean');
    expect([...assertedLines(audit.assertedRecoveries)]).toEqual([]);
    expect(guardiansOf(audit)).toEqual({ confirmed: 2, asserted: 0 });
    expect(audit.network).toMatchObject({ confirmedRecoveries: 1, assertedSignatures: 1 });
  });
});

describe('a recovery by invented guardians is listed as asserted', () => {
  test('for a holder without guardians', async () => {
    const scenario = await guardedLedger();
    const { write, configure, accept } = scenario;
    const [primary, secondary] = trio();
    write(configure([primary, secondary]), accept(primary), accept(secondary));
    const request = recovered(scenario, primary, secondary);
    const audit = await scenario.audited();
    expect(found(audit)).toEqual([]);
    expect(verdictOf(audit)).toBe('asserted');
    expect(listed(audit)).toEqual([keysOf(primary, secondary)]);
    const [heading, line, end] = [...assertedLines(audit.assertedRecoveries)];
    expect(heading).toMatch(/^Asserted by the relayer: /);
    expect(line).toContain(
      `entry 6 (${scenario.items[5]?.id}): ${scenario.holder.beoId} moved to the key ${request.newPublicKey}`,
    );
    expect(end).toBe('');
  });

  test('for a holder with one guardian, confirmed or not', async () => {
    for (const confirmed of [true, false]) {
      const scenario = await guardedLedger();
      const { write, configure, invite, accept, confirm, wait } = scenario;
      const [real, invented] = trio();
      write(configure([real]), accept(real), invite(invented), accept(invented));
      wait(100);
      if (confirmed) write(confirm(real));
      recovered(scenario, real, invented);
      const audit = await scenario.audited();
      expect(found(audit)).toEqual([]);
      expect(verdictOf(audit)).toBe('asserted');
      expect(listed(audit)).toEqual([confirmed ? keysOf(invented) : keysOf(real, invented)]);
    }
  });

  test('with a forged sealed configuration, for a holder who has confirmed others', async () => {
    const scenario = await guardedLedger();
    const { write, configure, accept, wait } = scenario;
    scenario.withGuardians(3);
    wait(100);
    const invented = [newGuardian('primary'), newGuardian('secondary')] as const;
    write(configure([], invented), ...invented.map(accept));
    recovered(scenario, ...invented);
    const audit = await scenario.audited();
    expect(verdictOf(audit)).toBe('asserted');
    expect(listed(audit)).toEqual([keysOf(...invented)]);
  });

  test('with a forged sealed configuration, for a holder who requires confirmed guardians', async () => {
    const scenario = await guardedLedger();
    const { write, configure, accept, require } = scenario;
    scenario.withGuardians(2);
    write(require());
    const invented = [newGuardian('primary'), newGuardian('secondary')] as const;
    write(configure([], invented), ...invented.map(accept));
    const request = recovered(scenario, ...invented);
    const audit = await scenario.audited();
    expect(hasMoved(audit, scenario, request)).toBe(true);
    expect(verdictOf(audit)).toBe('asserted');
    expect(listed(audit)).toEqual([keysOf(...invented)]);
    expect(beoOf(audit, scenario).recovery.requiredSince).not.toBeNull();
  });

  test('with guardians in the sealed createBEO entry', async () => {
    const scenario = await guardedLedger();
    const { write, relayer, request } = scenario;
    const [primary, secondary] = trio();
    const { person, beoId } = relayer.create('bert.bsp');
    write(created(relayer, person, beoId, configured([], [primary, secondary])));
    for (const { person: guardian, invitationId } of [primary, secondary]) {
      write(relayer.act(guardian, beoId, 'acceptGuardian', { invitationId, publicKey: guardian.publicKey }));
    }
    write(relayer.act(person, beoId, 'requireConfirmedGuardians'));
    const { requestId, newPublicKey, openedAt } = request();
    for (const { person: guardian } of [primary, secondary]) {
      const draft = relayer.act(guardian, beoId, 'confirmRecovery', { requestId, newPublicKey });
      write({ ...draft, assigned: { opened_at: openedAt } });
    }
    const audit = await scenario.audited();
    expect(found(audit)).toEqual([]);
    expect(verdictOf(audit)).toBe('asserted');
    expect(listed(audit)).toEqual([keysOf(primary, secondary)]);
  });

  test('even if the new key confirms the guardians afterwards', async () => {
    const scenario = await guardedLedger();
    const { write, configure, accept, request, recover, relayer, holder } = scenario;
    const [primary, secondary] = trio();
    write(configure([primary, secondary]), accept(primary), accept(secondary));
    const stolenKey = newPerson();
    const first = request({ newPublicKey: stolenKey.publicKey });
    write(recover(primary, first), recover(secondary, first));
    for (const { guardianId, person } of [primary, secondary]) {
      write(relayer.act(stolenKey, holder.beoId, 'confirmGuardian', { guardianId, publicKey: person.publicKey }));
    }
    const second = recovered(scenario, primary, secondary);
    const audit = await scenario.audited();
    expect(hasMoved(audit, scenario, second)).toBe(true);
    expect(audit.network).toMatchObject({ confirmedRecoveries: 1, assertedRecoveries: 1 });
    expect(verdictOf(audit)).toBe('asserted');
  });
});

describe('where confirmed guardians are required, a breach is reported if', () => {
  test('guardians recover that only accepted, newly invited or long-standing', async () => {
    const scenario = await guardedLedger();
    const { write, invite, accept, require, wait, configure, confirm } = scenario;
    const [primary, secondary, tertiary] = scenario.withGuardians(0);
    wait(100);
    write(require());
    const before = recovered(scenario, primary, secondary);
    write(configure([newGuardian('secondary')], [primary]), confirm(tertiary));
    const invented = newGuardian('tertiary');
    write(invite(invented), accept(invented));
    const after = recovered(scenario, invented, secondary);
    const audit = await scenario.audited();
    expect(new Set(kinds(audit))).toEqual(new Set(['TRANSITION']));
    expect(hasMoved(audit, scenario, before) || hasMoved(audit, scenario, after)).toBe(false);
    expect(verdictOf(audit)).toBe('breach');
  });

  test('an earlier confirmation of an unconfirmed guardian is used', async () => {
    const scenario = await guardedLedger();
    const { write, recover, require, request, confirm } = scenario;
    const [primary, secondary] = scenario.withGuardians(0);
    const opened = request();
    write(recover(primary, opened), require(), confirm(secondary), recover(secondary, opened));
    const audit = await scenario.audited();
    expect(found(audit)).toEqual([]);
    expect(hasMoved(audit, scenario, opened)).toBe(false);
    expect(beoOf(audit, scenario).recovery.requests).toMatchObject([{ confirmations: [{ asserted: false }] }]);
  });

  test('a guardian who resigned recovers, or is restored by a recovery', async () => {
    const scenario = await guardedLedger();
    const { write, require, resign, configure } = scenario;
    const [primary, secondary, tertiary] = scenario.withGuardians(3);
    write(require(), configure([], [secondary, tertiary]), resign(primary));
    const opened = recovered(scenario, primary, secondary);
    const later = recovered(scenario, tertiary, secondary);
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['TRANSITION']);
    expect(hasMoved(audit, scenario, opened)).toBe(false);
    expect(hasMoved(audit, scenario, later)).toBe(true);
    expect(beoOf(audit, scenario).recovery.guardians).toHaveLength(2);
  });

  test('the requirement is forged, sealed or unsigned, or set twice', async () => {
    const scenario = await guardedLedger();
    const { write, require, relayer, holder } = scenario;
    write(require(newPerson()), relayer.seal(holder.person, holder.beoId, 'requireConfirmedGuardians', {}));
    write({ ...require(), signature: null, signer: null } as Draft, require(), require());
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['WRONG_SIGNER', 'MESSAGE', 'USER_SIGNATURE', 'TRANSITION', 'TRANSITION']);
  });

  test('another key resigns for a guardian, or a guardian resigns who never accepted', async () => {
    const scenario = await guardedLedger();
    const { write, resign, invite, holder } = scenario;
    const [primary, secondary] = scenario.withGuardians(2);
    const invited = newGuardian('tertiary');
    write(resign({ ...primary, person: secondary.person }), resign({ ...primary, person: holder.person }));
    write(
      resign(invited),
      resign({ ...invited, guardianId: primary.invitationId }),
      invite({ ...invited, role: 'tertiary' }),
    );
    write({ ...resign(primary), signer: secondary.person.publicKey } as Draft);
    const audit = await scenario.audited();
    expect(kinds(audit)).toContain('TRANSITION');
    expect(beoOf(audit, scenario).recovery.guardians.filter(({ status }) => status === 'ACTIVE')).toHaveLength(3);
    expect(sentences(audit).every((sentence) => !sentence.includes('INTERNAL'))).toBe(true);
  });
});
