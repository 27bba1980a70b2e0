import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { inFull } from '../../protocol/test-amount.ts';
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
  trio,
} from './test-forged-guardians.ts';
import { found, kinds } from './test-forged-ledger.ts';

const longTest = inFull(test);

describe('correct entries about guardians', () => {
  test('are clean: invited individually, replaced and removed; the removal of all is not sealed', async () => {
    const scenario = await guardedLedger();
    const { write, invite, accept, configure, wait, relayer, holder } = scenario;
    const [primary, secondary, late] = [newGuardian('primary'), newGuardian('secondary'), newGuardian('primary')];
    write(invite(primary), invite(secondary), accept(secondary));
    wait(73);
    write(invite(late), accept(late), configure([newGuardian('tertiary')], [late, secondary]));
    write(configure([], [late]), relayer.act(holder.person, holder.beoId, 'updateRecovery', { recovery: null }));
    const audit = await scenario.audited();
    expect(found(audit)).toEqual([]);
    expect(audit.network).toMatchObject({ sealed: 5, verifiedSignatures: 4 });
    expect(beoOf(audit, scenario).recovery).toMatchObject({ enabled: false, guardians: [{}, {}] });
  });
});

describe('a relayer that forges guardians', () => {
  longTest('commits no breach by accepting its own invitations; they are counted as asserted', async () => {
    const scenario = await guardedLedger();
    const { write, configure, invite, accept, recover } = scenario;
    const [primary, secondary, tertiary] = trio();
    write(configure([primary, secondary]), accept(primary), accept(secondary), invite(tertiary), accept(tertiary));
    const request = scenario.request();
    write(recover(tertiary, request), recover(secondary, request));
    const audit = await scenario.audited();
    expect(found(audit)).toEqual([]);
    expect(audit.network).toMatchObject({ sealed: 2, assertedRecoveries: 1, confirmedRecoveries: 0 });
    expect(guardiansOf(audit)).toEqual({ confirmed: 0, asserted: 3 });
  });

  longTest('only asserts a recovery if the holder confirmed one of two guardians', async () => {
    const scenario = await guardedLedger();
    const { write, recover, confirm, wait } = scenario;
    const [primary, secondary, tertiary] = scenario.withGuardians(0);
    wait(73);
    write(confirm(primary), confirm(secondary));
    wait(71);
    const request = scenario.request();
    write(recover(primary, request), recover(tertiary, request));
    const audit = await scenario.audited();
    expect(found(audit)).toEqual([]);
    expect(audit.network).toMatchObject({ assertedRecoveries: 1, confirmedRecoveries: 0, assertedSignatures: 1 });
  });

  longTest(
    'is detected when it accepts with another key than was bound, a used key, or one of small order',
    async () => {
      const scenario = await guardedLedger();
      const { write, accept, relayer, holder, invite } = scenario;
      const [primary, secondary, tertiary] = trio();
      const facts = configured([secondary], [primary]);
      write(
        relayer.seal(holder.person, holder.beoId, 'updateRecovery', facts),
        accept({ ...primary, person: newPerson() }),
      );
      write(
        accept(primary),
        accept({ ...secondary, person: primary.person }),
        accept({ ...secondary, person: holder.person }),
      );
      const small = { ...accept(secondary), signer: `01${'00'.repeat(31)}` };
      write({ ...small, message: { ...small.message, publicKey: `01${'00'.repeat(31)}` } } as Draft, invite(tertiary));
      const audit = await scenario.audited();
      expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION', 'TRANSITION', 'USER_SIGNATURE', 'KEY']);
    },
  );

  longTest(
    'is detected when it accepts twice, after 72 hours, after a withdrawal, or for another guardian',
    async () => {
      const scenario = await guardedLedger();
      const { write, accept, configure, wait } = scenario;
      const [primary, secondary, tertiary] = trio();
      write(configure([primary, secondary, tertiary]), accept(primary), accept(primary));
      write({ ...accept(secondary), signer: newPerson().publicKey });
      write(configure([tertiary], [primary]), accept(secondary));
      wait(73);
      write(accept(tertiary));
      const audit = await scenario.audited();
      expect(kinds(audit).filter((kind) => kind !== 'TRANSITION')).toEqual(['USER_SIGNATURE', 'WRONG_SIGNER']);
    },
  );

  longTest('is detected when it keeps a guardian with another key or id', async () => {
    const scenario = await guardedLedger();
    const { write, configure } = scenario;
    const [primary, secondary, tertiary] = scenario.withGuardians(3);
    const swapped = { ...primary, person: newPerson() };
    const renewed = { ...primary, invitationId: randomUUID() };
    write(configure([], [swapped, secondary]), configure([renewed], [secondary]));
    write(
      configure([], [{ ...primary, person: secondary.person }, tertiary]),
      configure([newGuardian('primary')], [{ ...secondary, guardianId: randomUUID() }]),
    );
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION', 'TRANSITION', 'TRANSITION']);
    expect(guardiansOf(audit)).toEqual({ confirmed: 3, asserted: 0 });
  });

  longTest('is detected when it reuses the id of a confirmed guardian', async () => {
    const scenario = await guardedLedger();
    const { write, configure, invite, accept, recover, wait } = scenario;
    const [primary] = scenario.withGuardians(3);
    wait(100);
    const own = (['secondary', 'tertiary'] as const).map(newGuardian);
    const posing = own.map((guardian) => ({ ...guardian, guardianId: primary.guardianId }));
    write(configure([], [primary]), ...posing.flatMap((guardian) => [invite(guardian), accept(guardian)]));
    write(
      configure([], [primary, ...posing]),
      invite({ ...(own[0] as typeof primary), invitationId: primary.invitationId }),
    );
    const request = scenario.request();
    write(...posing.map((guardian) => recover(guardian, request)));
    const audit = await scenario.audited();
    expect(new Set(kinds(audit))).toEqual(new Set(['TRANSITION', 'MESSAGE']));
    expect(guardiansOf(audit)).toEqual({ confirmed: 1, asserted: 0 });
    expect(hasMoved(audit, scenario, request)).toBe(false);
  });

  longTest('is detected when it names more than three guardians, or a role or an id twice', async () => {
    const scenario = await guardedLedger();
    const { write, configure } = scenario;
    const [primary, secondary, tertiary] = trio();
    write(
      configure([primary, secondary, tertiary, newGuardian('primary')]),
      configure([primary, newGuardian('primary')]),
    );
    write(configure([primary, { ...secondary, guardianId: primary.guardianId }]));
    write(configure([primary, { ...secondary, invitationId: primary.invitationId }]));
    expect(kinds(await scenario.audited())).toEqual(['MESSAGE', 'MESSAGE', 'MESSAGE', 'MESSAGE']);
  });

  longTest('cannot use confirmations of its guardians from before the holder’s first confirmation', async () => {
    const scenario = await guardedLedger();
    const { write, recover, confirm } = scenario;
    const [primary, secondary, tertiary] = scenario.withGuardians(0);
    const request = scenario.request();
    write(recover(tertiary, request), confirm(primary), confirm(secondary), recover(primary, request));
    const audit = await scenario.audited();
    expect(found(audit)).toEqual([]);
    expect(hasMoved(audit, scenario, request)).toBe(false);
  });

  test('is detected when it confirms a guardian itself, with another key, or before acceptance', async () => {
    const scenario = await guardedLedger();
    const { write, configure, relayer, holder } = scenario;
    const [primary, secondary] = scenario.withGuardians(0);
    const invited = newGuardian('tertiary');
    write(configure([invited], [primary, secondary]));
    const { guardianId, person } = primary;
    write(relayer.act(person, holder.beoId, 'confirmGuardian', { guardianId, publicKey: person.publicKey }));
    write(scenario.confirm(invited));
    expect(kinds(await scenario.audited())).toEqual(['WRONG_SIGNER', 'TRANSITION']);
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

  longTest('is detected when it publishes names, or replays a configuration as empty', async () => {
    const scenario = await guardedLedger();
    const { write, relayer, holder } = scenario;
    scenario.withGuardians(2);
    const guardian = { name: 'Grete', contact: 'grete@example.org', role: 'primary' };
    write(relayer.act(holder.person, holder.beoId, 'updateRecovery', { recovery: { guardians: [guardian] } }));
    write(relayer.act(holder.person, holder.beoId, 'inviteGuardian', { ...guardian, role: 'secondary' }));
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['MESSAGE', 'MESSAGE']);
    expect(sentences(audit)[0]).toContain('should have been sealed');
  });

  longTest('is detected when it changes guardians or destroys the identity within a day of a recovery', async () => {
    const scenario = await guardedLedger();
    const { write, recover, relayer, holder, wait } = scenario;
    const [primary, secondary] = scenario.withGuardians(2);
    const next = newPerson();
    const request = scenario.request({ newPublicKey: next.publicKey });
    write(recover(primary, request), recover(secondary, request));
    wait(23);
    write(
      relayer.act(next, holder.beoId, 'updateRecovery', { recovery: null }),
      relayer.act(next, holder.beoId, 'destroyBEO'),
    );
    write(relayer.act(holder.person, holder.beoId, 'lockBEO'));
    const audit = await scenario.audited();
    expect(kinds(audit)).toEqual(['TRANSITION', 'TRANSITION', 'WRONG_SIGNER']);
  });

  longTest('is detected when it postdates entries by 72 hours', async () => {
    const scenario = await guardedLedger();
    const { relayer, holder, items, publish, audit } = scenario;
    relayer.head.at = Date.now();
    scenario.write(relayer.seal(holder.person, holder.beoId, 'updateRecovery', { enabled: false, guardians: [] }));
    scenario.wait(73);
    scenario.write(relayer.seal(holder.person, holder.beoId, 'updateRecovery', configured([newGuardian('primary')])));
    await publish(items);
    const result = await audit(60 * 24 * 3_600_000);
    expect(found(result)).toEqual([{ kind: 'POSTDATED', seq: 3, id: items[2]?.id }]);
  });
});
