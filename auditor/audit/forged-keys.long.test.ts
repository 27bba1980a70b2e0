import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { epochBeginning } from '../../protocol/ledger/epoch.ts';
import {
  currentKey,
  type KeyMessage,
  keyCommitment,
  keyDigest,
  keyRotation,
  possessionMessage,
} from '../../protocol/ledger/relayer-keys.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { publicKeyOf, signBytes } from '../../protocol/signing/ed25519.ts';
import { toBase64 } from '../../protocol/signing/encoding.ts';
import { encodeBundle } from '../../server/ledger/ans104.ts';
import { type ForgedLedger, forgedLedger, found, kinds } from './test-forged-ledger.ts';
import type { Written } from './test-relayer.ts';

interface Key {
  readonly seed: Uint8Array;
  readonly publicKey: string;
}

function newKey(): Key {
  const seed = new Uint8Array(randomBytes(32));
  return { seed, publicKey: publicKeyOf(seed) };
}

/** A ledger whose relayer can commit to keys and replace its own. */
async function rotatingLedger() {
  const ledger = await forgedLedger();
  const { relayer } = ledger;
  let signing: Key = { seed: relayer.seed, publicKey: relayer.relayerKey };
  const write = (message: object): Written =>
    relayer.write({
      function: (message as { function: string }).function,
      entity_id: relayer.ledgerId,
      signer: null,
      signature: null,
      message: message as Record<string, Json>,
    });
  const signWith = (key: Key) => {
    signing = key;
    relayer.signWith(key.seed);
  };
  return {
    ...ledger,
    write,
    signWith,
    person: () => relayer.write(relayer.create(`p${randomBytes(6).toString('hex')}.bsp`).draft),
    commit: (next: Key) => write(keyCommitment(relayer.ledgerId, keyDigest(next.publicKey))),
    /** Replaces the key that signs now, and signs with the new one from then on. */
    rotate(to: Key, following: Key, changes: Partial<KeyMessage> = {}) {
      const handover = {
        ledgerId: relayer.ledgerId,
        newKey: to.publicKey,
        nextKeyDigest: keyDigest(following.publicKey),
      };
      const possession = toBase64(signBytes(to.seed, possessionMessage(handover, signing.publicKey)));
      const written = write({ ...keyRotation(handover, possession), ...changes });
      signWith(to);
      return written;
    },
    beginEpoch: (epoch: number, last: Written) => {
      goBack({ relayer }, last, epoch);
      const beginning = write(epochBeginning(epoch, last.entry.seq));
      relayer.head.at += 1_000;
      return beginning;
    },
  };
}

function goBack({ relayer }: Pick<ForgedLedger, 'relayer'>, to: Written, epoch = 1): void {
  Object.assign(relayer.head, { epoch, seq: to.entry.seq, id: to.id });
}

describe('a ledger whose relayer changed its key is clean', () => {
  test('over several changes, and across bundles and epochs', async () => {
    const ledger = await rotatingLedger();
    const [second, third, fourth] = [newKey(), newKey(), newKey()];
    await ledger.publish([ledger.person(), ledger.commit(second), ledger.person()]);
    await ledger.publish([ledger.rotate(second, third), ledger.person()]);
    await ledger.publish([ledger.person(), ledger.rotate(third, fourth)]);
    const last = ledger.person();
    await ledger.publish([last]);
    await ledger.publish([ledger.beginEpoch(2, last), ledger.person()]);
    const audit = await ledger.audit();
    expect(found(audit)).toEqual([]);
    expect(audit.network.entries).toBe(10);
    expect(audit.relayerKeys.keys.map(({ fromSeq }) => fromSeq)).toEqual([1, 5, 8]);
    expect(currentKey(audit.relayerKeys)).toBe(third.publicKey);
    expect(audit.relayerKeys.nextKeyDigest).toBe(keyDigest(fourth.publicKey));
  });

  test('even if a restore lost the rotation, once it is repeated; its entries are reported as abandoned', async () => {
    const ledger = await rotatingLedger();
    const [second, third] = [newKey(), newKey()];
    const start = [ledger.person(), ledger.commit(second)];
    await ledger.publish(start);
    const lost = [ledger.rotate(second, third), ledger.person()];
    ledger.signWith({ seed: ledger.relayer.seed, publicKey: ledger.relayer.relayerKey });
    const again = [ledger.beginEpoch(2, start[1] as Written), ledger.rotate(second, third), ledger.person()];
    await ledger.publish(lost);
    await ledger.publish(again);
    const audit = await ledger.audit();
    expect(kinds(audit)).toEqual(['ABANDONED', 'ABANDONED']);
    expect(currentKey(audit.relayerKeys)).toBe(second.publicKey);
  });
});

describe('a thief of the current key is detected who', () => {
  test('rotates to a key without a commitment', async () => {
    const ledger = await rotatingLedger();
    const items = [ledger.person(), ledger.rotate(newKey(), newKey()), ledger.person()];
    await ledger.publish(items);
    expect(found(await ledger.audit())).toMatchObject([
      { kind: 'RELAYER_KEY', seq: 2 },
      { kind: 'RELAYER_SIGNATURE', seq: 3 },
    ]);
  });

  test('rotates to another key than the committed one', async () => {
    const ledger = await rotatingLedger();
    await ledger.publish([ledger.commit(newKey()), ledger.rotate(newKey(), newKey()), ledger.person()]);
    expect(kinds(await ledger.audit())).toEqual(['RELAYER_KEY', 'RELAYER_SIGNATURE']);
  });

  test('commits to a second key, and rotates to it', async () => {
    const ledger = await rotatingLedger();
    const own = newKey();
    await ledger.publish([ledger.commit(newKey()), ledger.commit(own), ledger.rotate(own, newKey())]);
    expect(found(await ledger.audit())).toMatchObject([
      { kind: 'RELAYER_KEY', seq: 2 },
      { kind: 'RELAYER_KEY', seq: 3 },
    ]);
  });

  test('knows the committed digest, but not its private key', async () => {
    const ledger = await rotatingLedger();
    const [second, third] = [newKey(), newKey()];
    const possession = toBase64(randomBytes(64));
    await ledger.publish([ledger.commit(second), ledger.rotate(second, third, { possession })]);
    expect(kinds(await ledger.audit())).toEqual(['RELAYER_KEY']);
  });

  test('begins an epoch before the commitment, and commits to a key of their own', async () => {
    const ledger = await rotatingLedger();
    const [first, committed] = [ledger.person(), ledger.commit(newKey())];
    await ledger.publish([first, committed]);
    await ledger.publish([ledger.beginEpoch(2, first), ledger.commit(newKey())]);
    const audit = await ledger.audit();
    expect(kinds(audit).toSorted()).toEqual(['ABANDONED', 'RELAYER_KEY']);
  });

  test('signs another entry in a place before the rotation: a fork', async () => {
    const ledger = await rotatingLedger();
    const [second, third] = [newKey(), newKey()];
    const items = [ledger.person(), ledger.commit(second)];
    const honest = ledger.person();
    goBack(ledger, items[1] as Written);
    const forged = ledger.person();
    goBack(ledger, honest);
    await ledger.publish([...items, honest, ledger.rotate(second, third), ledger.person()]);
    await ledger.publish([forged]);
    expect(found(await ledger.audit())).toEqual([{ kind: 'EQUIVOCATION', seq: 3, id: forged.id }]);
  });
});

describe('a thief of a key that was replaced is detected who', () => {
  async function rotated() {
    const ledger = await rotatingLedger();
    const old = { seed: ledger.relayer.seed, publicKey: ledger.relayer.relayerKey };
    const [second, third] = [newKey(), newKey()];
    const items = [ledger.person(), ledger.commit(second), ledger.rotate(second, third), ledger.person()];
    await ledger.publish(items);
    return { ...ledger, items, old, second };
  }

  test('continues the ledger with it', async () => {
    const ledger = await rotated();
    ledger.signWith(ledger.old);
    const forged = ledger.person();
    await ledger.publish([forged]);
    const audit = await ledger.audit();
    expect(found(audit)).toEqual([{ kind: 'RELAYER_SIGNATURE', seq: 5, id: forged.id }]);
    expect(audit.end?.seq).toBe(4);
  });

  test('begins an epoch after the rotation with it', async () => {
    const ledger = await rotated();
    ledger.signWith(ledger.old);
    await ledger.publish([ledger.beginEpoch(2, ledger.items[3] as Written), ledger.person()]);
    const audit = await ledger.audit();
    expect(kinds(audit)).toEqual(['RELAYER_SIGNATURE', 'RELAYER_SIGNATURE']);
    expect(audit.end).toMatchObject({ epoch: 1, seq: 4 });
  });

  test('begins an epoch before the rotation with it, which leaves the rotation out', async () => {
    const ledger = await rotated();
    ledger.signWith(ledger.old);
    await ledger.publish([ledger.beginEpoch(2, ledger.items[1] as Written), ledger.person()]);
    expect(kinds(await ledger.audit())).toContain('RELAYER_KEY');
  });

  test('signs another entry in the place of the rotation', async () => {
    const ledger = await rotated();
    ledger.signWith(ledger.old);
    goBack(ledger, ledger.items[1] as Written);
    const forged = ledger.person();
    await ledger.publish([forged]);
    expect(found(await ledger.audit())).toEqual([{ kind: 'EQUIVOCATION', seq: 3, id: forged.id }]);
  });
});

describe('a relayer is detected that', () => {
  test('signs with the next key before the rotation', async () => {
    const ledger = await rotatingLedger();
    const second = newKey();
    const items = [ledger.commit(second)];
    ledger.signWith(second);
    await ledger.publish([...items, ledger.person()]);
    expect(kinds(await ledger.audit())).toEqual(['RELAYER_SIGNATURE']);
  });

  test('returns to an earlier key', async () => {
    const ledger = await rotatingLedger();
    const [first, second] = [{ seed: ledger.relayer.seed, publicKey: ledger.relayer.relayerKey }, newKey()];
    await ledger.publish([ledger.commit(second), ledger.rotate(second, first)]);
    expect(kinds(await ledger.audit())).toEqual(['RELAYER_KEY']);
  });

  test.each([
    ['a member too many', { extra: 1 }, ['MESSAGE']],
    ['a digest in upper case', { nextKeyDigest: 'A'.repeat(64) }, ['MESSAGE']],
    ['another ledger', { ledgerId: 'ab'.repeat(32) }, ['RELAYER_KEY']],
  ])('commits to a key with %s', async (_, changes, expected) => {
    const ledger = await rotatingLedger();
    const message = { ...keyCommitment(ledger.relayer.ledgerId, 'cd'.repeat(32)), ...changes };
    await ledger.publish([ledger.write(message)]);
    expect(kinds(await ledger.audit())).toEqual(expected);
  });

  test('posts items by keys of small order', async () => {
    const ledger = await rotatingLedger();
    const item = ledger.person();
    const weak = Buffer.from(item.bytes);
    Buffer.from('0100000000000000000000000000000000000000000000000000000000000000', 'hex').copy(weak, 66);
    await ledger.publish([item], { data: encodeBundle([{ id: item.id, bytes: weak }]) });
    expect(kinds(await ledger.audit())).toContain('RELAYER_SIGNATURE');
  });
});
