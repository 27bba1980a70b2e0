import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { LedgerId } from '../../protocol/ids.ts';
import { epochBeginning } from '../../protocol/ledger/epoch.ts';
import type { Draft } from '../../server/ledger/chain.ts';
import { createChainOrder } from './chain-order.ts';
import { createEpochStarts } from './epoch-starts.ts';
import { createFindings } from './findings.ts';
import { createRelayerKeys } from './relayer-keys.ts';
import { type ForgedLedger, forgedLedger, found, kinds } from './test-forged-ledger.ts';
import type { ForgingRelayer, Written } from './test-relayer.ts';

/** Creates `count` identities, one entry each. */
const people = (relayer: ForgingRelayer, count: number): Written[] =>
  Array.from({ length: count }, (_, index) => relayer.write(relayer.create(`p${relayer.head.seq}-${index}.bsp`).draft));

const beginEpoch = ({ ledgerId }: ForgingRelayer, epoch: number, last: number): Draft => ({
  function: 'beginEpoch',
  entity_id: ledgerId,
  signer: null,
  signature: null,
  message: { ...epochBeginning(epoch, last) },
});

/** Resets the relayer to an earlier head, as after a lost database or to rewrite the ledger. */
const goBack = ({ head }: ForgingRelayer, to: Written | undefined, epoch = 1): void => {
  Object.assign(head, { epoch, seq: to?.entry.seq ?? 0, id: to?.id ?? null });
};

describe('a chain is accepted', () => {
  test('over many bundles, in the order of their entries and not of their blocks', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const items = people(relayer, 60);
    for (const start of [40, 0, 20]) await publish(items.slice(start, start + 20));
    const result = await audit();
    expect(found(result)).toEqual([]);
    expect(result).toMatchObject({ network: { entries: 60 }, bundles: { mined: 3 }, complete: true });
  });

  test('with a bundle that was paid twice, which is no breach', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const items = people(relayer, 3);
    await publish(items);
    const second = await publish(items);
    await publish(people(relayer, 2));
    const result = await audit();
    expect(found(result)).toEqual([]);
    expect(result.network.entries).toBe(5);
    expect(result.paidTwice).toEqual([second]);
  });

  test('up to the last mined bundle; pending ones are listed separately', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    await publish(people(relayer, 2));
    const id = await relayer.post(people(relayer, 3));
    const result = await audit();
    expect(found(result)).toEqual([]);
    expect(result.network.entries).toBe(2);
    expect(result.bundles.pending).toEqual([{ id, firstSeq: 3, lastSeq: 5 }]);
  });

  test('with an unreadable bundle, if another one holds its entries', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const items = people(relayer, 2);
    await publish(items, { data: Buffer.from('not a bundle at all') });
    await publish(items);
    expect(found(await audit())).toEqual([]);
  });
});

describe('a breach of the chain is reported if', () => {
  test('entries are missing; the following ones do not count as verified', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const items = people(relayer, 6);
    await publish(items.slice(0, 2));
    await publish(items.slice(4));
    const result = await audit();
    expect(found(result)).toEqual([{ kind: 'GAP', seq: 3, id: null }]);
    expect(result.findings.examples(1)[0]?.sentence).toBe('Entries 3 to 4 are missing.');
    expect(result).toMatchObject({ complete: false, network: { entries: 4, verifiedSignatures: 2, notReplayed: 2 } });
  });

  test('it does not begin with the first entry', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    await publish(people(relayer, 3).slice(1));
    expect(found(await audit())).toEqual([{ kind: 'GAP', seq: 1, id: null }]);
  });

  test('a bundle was mined without its bytes', async () => {
    const { relayer, devnet, publish, audit } = await forgedLedger();
    await publish(people(relayer, 1));
    const lost = await relayer.postWithoutData(devnet.url, people(relayer, 1));
    await publish(people(relayer, 1));
    expect(found(await audit())).toEqual([
      { kind: 'GAP', seq: 2, id: null },
      { kind: 'BUNDLE_UNREADABLE', seq: null, id: lost },
    ]);
  });

  test('an entry names another predecessor', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const [first] = people(relayer, 1);
    const second = relayer.write(relayer.create('bert.bsp').draft, { entry: { prev: 'x'.repeat(43) } });
    await publish([first as Written, second]);
    expect(found(await audit())).toEqual([{ kind: 'PREV', seq: 2, id: second.id }]);
  });

  test('an acceptance goes back in time', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const items = people(relayer, 1);
    const { draft } = relayer.create('bert.bsp');
    const accepted_at = new Date(relayer.head.at - 60).toISOString();
    items.push(relayer.write(draft, { entry: { accepted_at } }));
    await publish(items);
    expect(found(await audit())).toEqual([{ kind: 'ACCEPTED_AT', seq: 2, id: items[1]?.id }]);
  });

  test('a bundle was mined later than the published maximum', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const items = people(relayer, 3);
    await publish(items);
    expect(found(await audit(3_600_000))).toEqual([]);
    expect(found(await audit(30_000))).toEqual([{ kind: 'LATE_POSTING', seq: 1, id: items[0]?.id }]);
  });
});

describe('two entries with the same seq are reported with both ids', () => {
  const equivocation = async (
    write: (ledger: ForgedLedger, rivals: { first: Written; second: Written }) => Promise<unknown>,
  ) => {
    const ledger = await forgedLedger();
    const { relayer, publish, audit } = ledger;
    const before = people(relayer, 3);
    await publish(before);
    const first = relayer.write(relayer.create('anna.bsp').draft);
    goBack(relayer, before[2]);
    const second = relayer.write(relayer.create('bert.bsp').draft);
    await write(ledger, { first, second });
    const { findings } = await audit();
    const shown = findings.examples(50).filter(({ kind }) => kind === 'EQUIVOCATION');
    expect(shown).toHaveLength(1);
    expect(shown[0]?.sentence).toContain(first.id);
    expect(shown[0]?.sentence).toContain(second.id);
  };

  test('in two bundles of the same range', () =>
    equivocation(async ({ publish }, { first, second }) => {
      await publish([first]);
      await publish([second]);
    }));

  test('in one bundle', () => equivocation(({ publish }, { first, second }) => publish([first, second])));

  test('in a bundle whose tags hide it', () =>
    equivocation(async ({ publish, relayer }, { first, second }) => {
      goBack(relayer, first);
      await publish([first]);
      await publish(people(relayer, 4));
      await publish([second], { firstSeq: 8, lastSeq: 8 });
    }));
});

describe('a new epoch', () => {
  const restored = async (ledger: ForgedLedger) => {
    const { relayer, publish } = ledger;
    const kept = people(relayer, 3);
    await publish(kept);
    const abandoned = people(relayer, 4);
    goBack(relayer, kept[2]);
    relayer.head.at += 1_000;
    const first = relayer.write(beginEpoch(relayer, 2, 3), { entry: { epoch: 2 } });
    relayer.head.at += 1_000;
    return { kept, abandoned, renewed: [first, ...people(relayer, 5)] };
  };

  test('continues from the last entry that was kept', async () => {
    const ledger = await forgedLedger();
    const { renewed } = await restored(ledger);
    await ledger.publish(renewed);
    const result = await ledger.audit();
    expect(found(result)).toEqual([]);
    expect(result.end).toMatchObject({ epoch: 2, seq: 9 });
    expect(result.network).toMatchObject({ verifiedSignatures: 8, relayerOnly: 1 });
  });

  test('abandons later entries of the old epoch, which is reported', async () => {
    const ledger = await forgedLedger();
    const { abandoned, renewed } = await restored(ledger);
    await ledger.publish(abandoned.slice(0, 2));
    await ledger.publish(renewed.slice(0, 3));
    await ledger.publish(abandoned.slice(2));
    await ledger.publish(renewed.slice(3));
    const result = await ledger.audit();
    expect(found(result)).toEqual(abandoned.map(({ id }, index) => ({ kind: 'ABANDONED', seq: 4 + index, id })));
    expect(result.end).toMatchObject({ epoch: 2, seq: 9 });
    expect(result.network.entries).toBe(9);
  });

  test('is not changed by forged beginnings of epochs, of which a bounded number is kept', async () => {
    const ledger = await forgedLedger();
    const { relayer, publish } = ledger;
    const { abandoned, renewed } = await restored(ledger);
    await publish(abandoned);
    await publish(renewed);
    const before = await ledger.audit();
    const honest = { ...relayer.head };
    relayer.signWith(randomBytes(32));
    const forged = Array.from({ length: 300 }, (_, n) => {
      goBack(relayer, renewed[0], 3 + n);
      return relayer.write(beginEpoch(relayer, 3 + n, 1 + (n % 7)), { entry: { seq: 2 + (n % 7) } });
    });
    await publish(forged, { firstSeq: 2, lastSeq: 8 });
    Object.assign(relayer.head, honest);
    const after = await ledger.audit();
    const withoutForged = found(after).filter(({ kind }) => !['RELAYER_SIGNATURE', 'BUNDLE_TAGS'].includes(kind));
    expect(withoutForged).toEqual(found(before));
    expect(after.findings.counts().get('RELAYER_SIGNATURE')).toBe(300);
    expect([after.end, after.network.entries]).toEqual([before.end, before.network.entries]);

    const starts = createEpochStarts();
    for (let seq = 200; seq > 100; seq -= 1) starts.add({ epoch: 2, seq, owner: 'a key' });
    expect(starts.signedBy('a key')).toEqual([{ epoch: 2, seq: 101, owner: 'a key' }]);
    for (let epoch = 3; epoch < 100_100; epoch += 1) starts.add({ epoch, seq: 1, owner: 'another key' });
    expect(starts.size).toBe(100_000);
  });

  test('is a breach if the relayer begins more epochs than are compared', () => {
    const rules = { relayerKey: 'ab'.repeat(32), ledgerId: 'cd'.repeat(32) as LedgerId, suffix: null };
    const findings = createFindings();
    const starts = createEpochStarts();
    const order = createChainOrder(starts, createRelayerKeys(rules, findings), findings);
    for (let epoch = 1_002; epoch > 1; epoch -= 1) starts.add({ epoch, seq: epoch, owner: rules.relayerKey });
    const isAbandoned = (epoch: number, seq: number) => order.isAbandoned({ epoch, seq });
    expect([isAbandoned(1, 1), isAbandoned(1, 2), isAbandoned(1_000, 1_000), isAbandoned(1_000, 1_001)]).toEqual([
      ...[false, true, false, true],
    ]);
    expect(findings.examples(2)).toMatchObject([
      { kind: 'EPOCH', sentence: expect.stringContaining('more than 1000 epochs') },
    ]);
  });

  test('needs a beginEpoch entry with the right values', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const items = people(relayer, 1);
    relayer.head.epoch = 2;
    items.push(...people(relayer, 1));
    items.push(relayer.write(beginEpoch(relayer, 3, 7), { entry: { epoch: 3 } }));
    await publish(items);
    expect(kinds(await audit())).toEqual(['EPOCH', 'EPOCH']);
  });

  test('rejects requests that were signed before it', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const old = relayer.act(person, beoId, 'lockBEO');
    const created = relayer.write(draft);
    relayer.head.at += 1_000;
    const first = relayer.write(beginEpoch(relayer, 2, 1), { entry: { epoch: 2 } });
    await publish([created, first, relayer.write(old)]);
    expect(kinds(await audit())).toEqual(['TIMESTAMP']);
  });

  test('ends open invitations', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { beoId, draft } = relayer.create('anna.bsp');
    const sealed = sealedCreation(draft, relayer);
    const items = [relayer.write(sealed)];
    await publish(items);
    const before = await audit();
    expect(before.network).toMatchObject({ sealed: 1, verifiedSignatures: 0 });
    expect(statuses(before, beoId)).toEqual(['PENDING', 'PENDING']);
    await publish([relayer.write(beginEpoch(relayer, 2, 1), { entry: { epoch: 2 } })]);
    const after = await audit();
    expect(found(after)).toEqual([]);
    expect(statuses(after, beoId)).toEqual(['EXPIRED', 'EXPIRED']);
    expect(after.replay.point.expiredInvitations).toBe(2);
    expect(after.replay.state.live.BEO.get(beoId)?.seq).toBe(2);
  });
});

const statuses = ({ replay }: Awaited<ReturnType<ForgedLedger['audit']>>, beoId: string) =>
  replay.state.live.BEO.get(beoId)?.recovery.guardians.map(({ status }) => status);

function sealedCreation(draft: Draft, { head }: ForgingRelayer): Draft {
  const guardian = (role: string, n: number) => ({
    guardian_id: `00000000-0000-5000-8000-00000000000${n}`,
    invitation_id: `00000000-0000-5000-9000-00000000000${n}`,
    role,
    public_key: null,
  });
  return {
    function: 'createBEO',
    entity_id: draft.entity_id,
    signer: draft.signer,
    signature: null,
    sealed: 'cd'.repeat(32),
    public: {
      timestamp: new Date(head.at).toISOString(),
      domain: 'anna.bsp',
      publicKey: draft.signer,
      enabled: true,
      guardians: [guardian('primary', 1), guardian('secondary', 2)],
    },
  };
}
