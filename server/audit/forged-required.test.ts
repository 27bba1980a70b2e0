import { describe, expect, test } from 'vitest';
import type { Draft } from '../ledger/chain.ts';
import { newPerson, type Person } from '../test-service.ts';
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
const listed = ({ assertedRecoveries }: Audit) => assertedRecoveries.first.map(({ guardianKeys }) => guardianKeys);
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
function recovered({ write, recover, request }: GuardedLedger, one: WrittenGuardian, other: WrittenGuardian) {
  const asked = request();
  write(recover(one, asked), recover(other, asked));
  return asked;
}

describe('an identity that requires confirmed guardians', () => {
  test('is recovered without a breach by guardians that the holder confirmed in public', async () => {
    const story = await guardedLedger();
    const { write, require, resign } = story;
    write(require());
    const [one, other, third] = story.withGuardians(2);
    write(resign(third));
    const request = recovered(story, one, other);
    const audit = await story.audited();
    expect(found(audit)).toEqual([]);
    expect(hasMoved(audit, story, request)).toBe(true);
    expect(verdictOf(audit)).toBe('clean');
    expect(assertedLines(audit.assertedRecoveries)).toEqual([]);
    expect(guardiansOf(audit)).toEqual({ confirmed: 2, asserted: 0 });
    expect(audit.network).toMatchObject({ confirmedRecoveries: 1, assertedSignatures: 1 });
  });
});

describe('a recovery by invented guardians is listed as asserted', () => {
  test('for a holder without guardians', async () => {
    const story = await guardedLedger();
    const { write, configure, accept } = story;
    const [one, other] = trio();
    write(configure([one, other]), accept(one), accept(other));
    const request = recovered(story, one, other);
    const audit = await story.audited();
    expect(found(audit)).toEqual([]);
    expect(verdictOf(audit)).toBe('asserted');
    expect(listed(audit)).toEqual([keysOf(one, other)]);
    const [heading, line, end] = assertedLines(audit.assertedRecoveries);
    expect(heading).toMatch(/^Asserted by the relayer: /);
    expect(line).toContain(
      `entry 6 (${story.items[5]?.id}): ${story.holder.beoId} moved to the key ${request.newPublicKey}`,
    );
    expect(end).toBe('');
  });

  test('for a holder with one guardian, confirmed or not', async () => {
    for (const confirmed of [true, false]) {
      const story = await guardedLedger();
      const { write, configure, invite, accept, confirm, wait } = story;
      const [real, invented] = trio();
      write(configure([real]), accept(real), invite(invented), accept(invented));
      wait(100);
      if (confirmed) write(confirm(real));
      recovered(story, real, invented);
      const audit = await story.audited();
      expect(found(audit)).toEqual([]);
      expect(verdictOf(audit)).toBe('asserted');
      expect(listed(audit)).toEqual([confirmed ? keysOf(invented) : keysOf(real, invented)]);
    }
  });

  test('with a forged sealed configuration, for a holder who has confirmed others', async () => {
    const story = await guardedLedger();
    const { write, configure, accept, wait } = story;
    story.withGuardians(3);
    wait(100);
    const own = [newGuardian('primary'), newGuardian('secondary')] as const;
    write(configure([], own), ...own.map(accept));
    recovered(story, ...own);
    const audit = await story.audited();
    expect(verdictOf(audit)).toBe('asserted');
    expect(listed(audit)).toEqual([keysOf(...own)]);
  });

  test('with a forged sealed configuration, for a holder who requires confirmed guardians', async () => {
    const story = await guardedLedger();
    const { write, configure, accept, require } = story;
    story.withGuardians(2);
    write(require());
    const own = [newGuardian('primary'), newGuardian('secondary')] as const;
    write(configure([], own), ...own.map(accept));
    const request = recovered(story, ...own);
    const audit = await story.audited();
    expect(hasMoved(audit, story, request)).toBe(true);
    expect(verdictOf(audit)).toBe('asserted');
    expect(listed(audit)).toEqual([keysOf(...own)]);
    expect(beoOf(audit, story).recovery.requiredSince).not.toBeNull();
  });

  test('with guardians in the sealed createBEO entry', async () => {
    const story = await guardedLedger();
    const { write, relayer, request } = story;
    const [one, other] = trio();
    const { person, beoId } = relayer.create('bert.bsp');
    write(created(relayer, person, beoId, configured([], [one, other])));
    for (const { person: guardian, invitationId } of [one, other]) {
      write(relayer.act(guardian, beoId, 'acceptGuardian', { invitationId, publicKey: guardian.publicKey }));
    }
    write(relayer.act(person, beoId, 'requireConfirmedGuardians'));
    const { requestId, newPublicKey, openedAt } = request();
    for (const { person: guardian } of [one, other]) {
      const draft = relayer.act(guardian, beoId, 'confirmRecovery', { requestId, newPublicKey });
      write({ ...draft, assigned: { opened_at: openedAt } });
    }
    const audit = await story.audited();
    expect(found(audit)).toEqual([]);
    expect(verdictOf(audit)).toBe('asserted');
    expect(listed(audit)).toEqual([keysOf(one, other)]);
  });

  test('even if the new key confirms the guardians afterwards', async () => {
    const story = await guardedLedger();
    const { write, configure, accept, request, recover, relayer, holder } = story;
    const [one, other] = trio();
    write(configure([one, other]), accept(one), accept(other));
    const taken = newPerson();
    const first = request({ newPublicKey: taken.publicKey });
    write(recover(one, first), recover(other, first));
    for (const { guardianId, person } of [one, other]) {
      write(relayer.act(taken, holder.beoId, 'confirmGuardian', { guardianId, publicKey: person.publicKey }));
    }
    const second = recovered(story, one, other);
    const audit = await story.audited();
    expect(hasMoved(audit, story, second)).toBe(true);
    expect(audit.network).toMatchObject({ confirmedRecoveries: 1, assertedRecoveries: 1 });
    expect(verdictOf(audit)).toBe('asserted');
  });
});

describe('where confirmed guardians are required, a breach is reported if', () => {
  test('guardians recover that only accepted, newly invited or long-standing', async () => {
    const story = await guardedLedger();
    const { write, invite, accept, require, wait, configure, confirm } = story;
    const [one, other, third] = story.withGuardians(0);
    wait(100);
    write(require());
    const before = recovered(story, one, other);
    write(configure([newGuardian('secondary')], [one]), confirm(third));
    const invented = newGuardian('tertiary');
    write(invite(invented), accept(invented));
    const after = recovered(story, invented, other);
    const audit = await story.audited();
    expect(new Set(kinds(audit))).toEqual(new Set(['TRANSITION']));
    expect(hasMoved(audit, story, before) || hasMoved(audit, story, after)).toBe(false);
    expect(verdictOf(audit)).toBe('breach');
  });

  test('an earlier confirmation of an unconfirmed guardian is used', async () => {
    const story = await guardedLedger();
    const { write, recover, require, request, confirm } = story;
    const [one, other] = story.withGuardians(0);
    const asked = request();
    write(recover(one, asked), require(), confirm(other), recover(other, asked));
    const audit = await story.audited();
    expect(found(audit)).toEqual([]);
    expect(hasMoved(audit, story, asked)).toBe(false);
    expect(beoOf(audit, story).recovery.requests).toMatchObject([{ confirmations: [{ asserted: false }] }]);
  });

  test('a guardian who resigned recovers, or is restored by a recovery', async () => {
    const story = await guardedLedger();
    const { write, require, resign, configure } = story;
    const [one, other, third] = story.withGuardians(3);
    write(require(), configure([], [other, third]), resign(one));
    const asked = recovered(story, one, other);
    const again = recovered(story, third, other);
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['TRANSITION']);
    expect(hasMoved(audit, story, asked)).toBe(false);
    expect(hasMoved(audit, story, again)).toBe(true);
    expect(beoOf(audit, story).recovery.guardians).toHaveLength(2);
  });

  test('the requirement is forged, sealed or unsigned, or set twice', async () => {
    const story = await guardedLedger();
    const { write, require, relayer, holder } = story;
    write(require(newPerson()), relayer.seal(holder.person, holder.beoId, 'requireConfirmedGuardians', {}));
    write({ ...require(), signature: null, signer: null } as Draft, require(), require());
    const audit = await story.audited();
    expect(kinds(audit)).toEqual(['WRONG_SIGNER', 'MESSAGE', 'USER_SIGNATURE', 'TRANSITION', 'TRANSITION']);
  });

  test('another key resigns for a guardian, or a guardian resigns who never accepted', async () => {
    const story = await guardedLedger();
    const { write, resign, invite, holder } = story;
    const [one, other] = story.withGuardians(2);
    const invited = newGuardian('tertiary');
    write(resign({ ...one, person: other.person }), resign({ ...one, person: holder.person }));
    write(
      resign(invited),
      resign({ ...invited, guardianId: one.invitationId }),
      invite({ ...invited, role: 'tertiary' }),
    );
    write({ ...resign(one), signer: other.person.publicKey } as Draft);
    const audit = await story.audited();
    expect(kinds(audit)).toContain('TRANSITION');
    expect(beoOf(audit, story).recovery.guardians.filter(({ status }) => status === 'ACTIVE')).toHaveLength(3);
    expect(sentences(audit).every((sentence) => !sentence.includes('INTERNAL'))).toBe(true);
  });
});
