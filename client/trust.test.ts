import { createPrivateKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keyCommitment, keyDigest, keyRotation, possessionMessage } from '../protocol/ledger/relayer-keys.ts';
import { canonicalJson } from '../protocol/signing/canonical-json.ts';
import { hexToBytes, toBase64, utf8ToBytes } from '../protocol/signing/encoding.ts';
import vectors from '../protocol/vectors/relayer-keys.json' with { type: 'json' };
import { createItemSigner } from '../server/ledger/ans104.ts';
import { type ChainedEntry, chain, type Draft } from '../server/ledger/chain.ts';
import { generateKey, keyFromSeed } from './keys.ts';
import { ledgerIdOfKey, type Place } from './receipts.ts';
import { createTrust, type SignedHead, type Trusted } from './trust.ts';

const relayer = generateKey();
const ledger_id = ledgerIdOfKey(relayer.publicKey);
const idOf = (letter: string) => letter.repeat(43);

/** A head that the relayer signed. */
async function headAt(epoch: number, seq: number, letter: string | null): Promise<SignedHead> {
  const head = { epoch, seq, id: letter && idOf(letter), at: '2026-11-23T12:00:00.000Z' };
  const signature = toBase64(await relayer.sign(utf8ToBytes(canonicalJson({ ledger_id, ...head }))));
  return { ledger_id, relayer_public_key: relayer.publicKey, head: { ...head, signature } };
}

const placeOf = ({ head: { epoch, seq, id } }: SignedHead): Place => ({ epoch, seq, id: id ?? '' });

const known: Trusted = { ledgerId: ledger_id, head: { epoch: 2, seq: 10, id: idOf('k') } };

/** The code of what a client that knows entry 10 of epoch 2 makes of a head; ASK if the server must show first that it still has entry 10. */
async function verdictOn(...place: Parameters<typeof headAt>): Promise<string | null> {
  const trust = createTrust(known, () => {});
  try {
    const stated = await headAt(...place);
    trust.check(stated, known);
    expect(trust.current()).toBe(known);
    return trust.unconfirmed([placeOf(stated)]) === null ? null : 'ASK';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a client that has verified entry 10 of epoch 2', () => {
  test.each<[place: Parameters<typeof headAt>, code: string | null]>([
    [[2, 10, 'k'], null],
    [[2, 11, 'a'], 'ASK'],
    [[3, 11, 'a'], 'ASK'],
    [[2, 9, 'a'], 'HEAD_STALE'],
    [[1, 12, 'a'], 'HEAD_STALE'],
    [[2, 10, 'a'], 'LEDGER_FORKED'],
    [[3, 10, 'a'], 'ENTRIES_ABANDONED'],
    [[3, 4, 'a'], 'ENTRIES_ABANDONED'],
    [[3, 0, null], 'ENTRIES_ABANDONED'],
    [[2, 99, null], 'HEAD_INVALID'],
    [[3, 0, 'a'], 'HEAD_INVALID'],
  ])('makes of the head %j: %s', async (place, code) => {
    expect(await verdictOn(...place)).toBe(code);
  });

  test('accepts an older head that was on its way while a newer one was verified', async () => {
    const trust = createTrust(known, () => {});
    const before = trust.current();
    const [eleven, twelve] = [await headAt(2, 11, 'a'), await headAt(2, 12, 'b')];
    for (const stated of [twelve, eleven]) {
      trust.check(stated, before);
      trust.remember(known, placeOf(stated));
    }
    expect(trust.current()?.head?.seq).toBe(12);
  });

  test('need not ask for it before entries that follow it or contain it', () => {
    const trust = createTrust(known, () => {});
    const [ten, eleven, twelve] = [10, 11, 12].map((seq) => ({ epoch: 2, seq, id: idOf(String(seq % 10)) }));
    if (!ten || !eleven || !twelve) throw new Error('There are three.');
    expect(trust.unconfirmed([{ ...eleven, prev: idOf('k') }, twelve])).toBeNull();
    expect(trust.unconfirmed([{ ...twelve, prev: eleven.id }])).toBe(known.head);
    const after = (epoch: number, prev: string | null) => () => trust.unconfirmed([{ ...eleven, epoch, prev }]);
    expect(after(3, idOf('k'))()).toBeNull();
    for (const prev of [idOf('x'), null]) {
      expect(after(2, prev)).toThrow(expect.objectContaining({ code: 'LEDGER_FORKED' }));
      expect(after(3, prev)).toThrow(expect.objectContaining({ code: 'ENTRIES_ABANDONED' }));
    }
    expect(() => trust.remember(known, ten)).toThrow('Entry 10 is');
    for (const place of [ten, twelve]) {
      const abandoned = () => trust.remember(known, { ...place, epoch: 1 });
      expect(abandoned).toThrow(`Entry ${place.seq} of epoch 1 was left out when epoch 2 began.`);
    }
    expect(trust.current()).toBe(known);
  });
});

describe('a client that has verified a change of the relayer’s key', () => {
  const keyNamed = (name: string) => {
    const { secretKey = '' } = vectors.keys.find((key) => key.name === name) ?? {};
    return { secret: hexToBytes(secretKey), ...keyFromSeed(secretKey) };
  };
  const [first, second, thief] = [keyNamed('first'), keyNamed('second'), keyNamed('of a thief')];
  const { ledgerId } = vectors;
  const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

  /** What a thief of the first key signs: a commitment to their own key, and its rotation. */
  async function stolen(): Promise<string[]> {
    const key = createPrivateKey({ key: Buffer.concat([PKCS8, first.secret]), format: 'der', type: 'pkcs8' });
    const signer = createItemSigner(key, Buffer.from(first.publicKey, 'hex'));
    const handover = { ledgerId, newKey: thief.publicKey, nextKeyDigest: keyDigest(second.publicKey) };
    const possession = await thief.sign(possessionMessage(handover, first.publicKey));
    const entries: ChainedEntry[] = [];
    for (const message of [
      keyCommitment(ledgerId, keyDigest(thief.publicKey)),
      keyRotation(handover, toBase64(possession)),
    ]) {
      const draft = { function: message.function, entity_id: ledgerId, signer: null, signature: null, message };
      const head = entries.at(-1) ?? { epoch: 1, seq: 0, id: null };
      entries.push(chain(signer, head, draft as unknown as Draft, '2026-11-23T12:00:00.000Z'));
    }
    return entries.map(({ item }) => item.toString('base64'));
  }

  test('reports a history in which a thief of the replaced key chose the next one', async () => {
    const rotation = vectors.valid.find(({ name }) => name === 'one rotation')?.items ?? [];
    const relayerKeys = rotation.map((item) => Buffer.from(item, 'hex').toString('base64'));
    const headBy = async (key: typeof first, relayer_keys: readonly string[]): Promise<SignedHead> => {
      const head = { epoch: 1, seq: 50, id: idOf('a'), at: '2026-11-23T12:00:00.000Z' };
      const signature = toBase64(await key.sign(utf8ToBytes(canonicalJson({ ledger_id: ledgerId, ...head }))));
      return { ledger_id: ledgerId, relayer_public_key: key.publicKey, relayer_keys, head: { ...head, signature } };
    };
    const trusted: Trusted = { ledgerId, head: { epoch: 1, seq: 40, id: idOf('k') }, relayerKeys };
    const check = async (head: SignedHead) => createTrust(trusted, () => {}).check(head, trusted);
    await check(await headBy(second, relayerKeys));
    await expect(check(await headBy(thief, await stolen()))).rejects.toMatchObject({ code: 'LEDGER_FORKED' });
    await expect(check(await headBy(first, []))).rejects.toMatchObject({ code: 'LEDGER_FORKED' });
    await expect(check(await headBy(thief, relayerKeys))).rejects.toMatchObject({ code: 'HEAD_INVALID' });
  });
});
