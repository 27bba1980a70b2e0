import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../protocol/signing/canonical-json.ts';
import { toBase64, utf8ToBytes } from '../protocol/signing/encoding.ts';
import { generateKey } from './keys.ts';
import { ledgerIdOfKey } from './receipts.ts';
import { createTrust, type SignedHead, type Trusted } from './trust.ts';

const relayer = generateKey();
const ledger_id = ledgerIdOfKey(relayer.publicKey);
const idOf = (letter: string) => letter.repeat(43);

/** A head that the relayer signed. */
async function headAt(epoch: number, seq: number, letter: string): Promise<SignedHead> {
  const head = { epoch, seq, id: idOf(letter), at: '2026-11-23T12:00:00.000Z' };
  const signature = toBase64(await relayer.sign(utf8ToBytes(canonicalJson({ ledger_id, ...head }))));
  return { ledger_id, relayer_public_key: relayer.publicKey, head: { ...head, signature } };
}

const known: Trusted = { ledgerId: ledger_id, head: { epoch: 2, seq: 10, id: idOf('k') } };

/** The code of what a client that knows entry 10 of epoch 2 makes of a head; null if it accepts it. */
async function verdictOn(...place: Parameters<typeof headAt>): Promise<string | null> {
  const trust = createTrust(known, () => {});
  try {
    trust.check(await headAt(...place), known);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a client that has verified entry 10 of epoch 2', () => {
  test.each<[place: Parameters<typeof headAt>, code: string | null]>([
    [[2, 10, 'k'], null],
    [[2, 11, 'a'], null],
    [[3, 11, 'a'], null],
    [[2, 9, 'a'], 'HEAD_STALE'],
    [[1, 12, 'a'], 'HEAD_STALE'],
    [[2, 10, 'a'], 'LEDGER_FORKED'],
    [[3, 10, 'a'], 'ENTRIES_ABANDONED'],
    [[3, 4, 'a'], 'ENTRIES_ABANDONED'],
  ])('makes of the head %j: %s', async (place, code) => {
    expect(await verdictOn(...place)).toBe(code);
  });

  test('accepts an older head that was on its way while a newer one was verified', async () => {
    const trust = createTrust(known, () => {});
    const before = trust.current();
    const [eleven, twelve] = [await headAt(2, 11, 'a'), await headAt(2, 12, 'b')];
    trust.check(twelve, before);
    trust.check(eleven, before);
    expect(trust.current()?.head?.seq).toBe(12);
  });
});
