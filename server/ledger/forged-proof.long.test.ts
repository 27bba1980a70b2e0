import { randomUUID } from 'node:crypto';
import { Point } from '@noble/ed25519';
import { describe, expect, test } from 'vitest';
import { ledgerIdOf } from '../../protocol/ids.ts';
import { MAX_LINKS, type Proof } from '../../protocol/ledger/proof.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { newSigningKey } from '../platform/crypto/signed-request.ts';
import { newPerson } from '../testing/test-service.ts';
import { createItemSigner } from './ans104.ts';
import type { Draft } from './chain.ts';
import { checkResults, newForgingRelayer, runScript } from './test-proofs.ts';

const person = newPerson();
const beoId = randomUUID();

function lock(changes: Record<string, Json> = {}, message: Record<string, Json> = {}): Draft {
  const { signature, ...signed } = person.sign('lockBEO', { beoId });
  return {
    function: 'lockBEO',
    entity_id: beoId,
    signer: person.publicKey,
    signature,
    message: { function: 'lockBEO', ...signed, ...message },
    ...changes,
  } as Draft;
}

/** The results of both checks for an entry between two others, all signed by the relayer. */
async function checkBoth(draft: Draft) {
  const proof = newForgingRelayer().proofOf([lock(), draft, lock()], 1);
  return { browser: checkResults(proof), script: (await runScript(proof)).status };
}

describe('an entry that the relayer signed', () => {
  test('is accepted if the person signed it', async () => {
    expect(await checkBoth(lock())).toMatchObject({ browser: { person: 'good', head: 'good' }, script: 0 });
  });

  test('is rejected if the person signed another message', async () => {
    const other = lock({}, { beoId: randomUUID() });
    expect(await checkBoth(other)).toMatchObject({ browser: { relayer: 'good', person: 'bad' }, script: 1 });
  });

  test('is rejected if the person signed it for another ledger', async () => {
    const relayer = newForgingRelayer();
    const signedFor = (ledgerId: string | null): Draft => {
      const { signature, ...signed } = person.sign('lockBEO', { beoId, ledgerId });
      return { ...lock(), signature, message: { function: 'lockBEO', ...signed } } as Draft;
    };
    for (const [ledgerId, browser, script] of [
      ['ab'.repeat(32), 'foreign', 1],
      [ledgerIdOf(relayer.publicKey), 'good', 0],
      [ledgerIdOf(relayer.publicKey).toUpperCase(), 'good', 0],
      [null, 'foreign', 1],
    ] as const) {
      const proof = relayer.proofOf([lock(), signedFor(ledgerId), lock()], 1);
      expect([checkResults(proof).person, (await runScript(proof)).status]).toEqual([browser, script]);
    }
  });

  test('is rejected if it names another signer', async () => {
    const other = lock({ signer: newPerson().publicKey });
    expect(await checkBoth(other)).toMatchObject({ browser: { person: 'bad' }, script: 1 });
  });

  test('is rejected if its function differs from the message', async () => {
    expect(await checkBoth(lock({ function: 'unlockBEO' }))).toMatchObject({ browser: { person: 'bad' }, script: 1 });
  });

  test('is rejected if a person’s operation is unsigned or wrongly marked as sealed', async () => {
    const unsigned = lock({ signer: null, signature: null });
    expect(await checkBoth(unsigned)).toMatchObject({ browser: { person: 'unsigned' }, script: 1 });
    const { message: _, ...sealed } = { ...lock({ signature: null }), sealed: 'ab'.repeat(32), public: {} } as Draft & {
      message: Json;
    };
    expect(await checkBoth(sealed as Draft)).toMatchObject({ browser: { person: 'unsigned' }, script: 1 });
  });

  test('is rejected if the key is of small order, which verifies any message', async () => {
    const weak = `01${'00'.repeat(31)}`;
    const s = Buffer.alloc(32);
    s[0] = 5;
    const signature = Buffer.concat([Point.BASE.multiply(5n).toBytes(), s]).toString('base64');
    expect(await checkBoth(lock({ signer: weak, signature }))).toMatchObject({ browser: { person: 'bad' }, script: 1 });
  });

  test('is shown as the institute’s or the relayer’s if no person signs that function', async () => {
    const decided = {
      function: 'approveProposal',
      entity_id: randomUUID(),
      signer: null,
      signature: null,
      message: { function: 'approveProposal', approver: 1 },
    } as const;
    expect(await checkBoth(decided)).toMatchObject({ browser: { person: 'institute' }, script: 0 });
    const begun = {
      ...decided,
      function: 'beginEpoch',
      message: { function: 'beginEpoch', epoch: 2, last: 1 },
    } as const;
    expect(await checkBoth(begun)).toMatchObject({ browser: { person: 'relayer' }, script: 0 });
  });
});

test('the script escapes control characters in a proof', async () => {
  const malicious = 'lock\u001b[2J\u009b31m\u202e\nok   all is well\u2028';
  const proof = newForgingRelayer().proofOf([lock(), lock({}, { beoId: malicious }), lock()], 1);
  const { status, text } = await runScript({ ...proof, network: { ...proof.network, gateway_url: malicious } });
  expect(status).toBe(1);
  expect(text).toContain('\\u{202e}');
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(text).not.toMatch(/^ok {3}all is well/m);
});

describe('an item', () => {
  const { privateKey, publicKey } = newSigningKey();
  const stranger = createItemSigner(privateKey, Buffer.from(publicKey, 'hex'));
  const relayer = newForgingRelayer();
  const entries = relayer.write([lock(), lock(), lock()]);
  const honest = relayer.prove(entries, 1);

  const put = (bytes: Buffer, id: string): Proof => ({ ...honest, item: bytes.toString('base64'), id });

  test('of another relayer is rejected', async () => {
    const { id, bytes } = stranger.sign({ anchor: Buffer.alloc(32), tags: [], data: Buffer.from('{}') });
    expect(checkResults(put(bytes, id))).toMatchObject({ item: 'good', relayer: 'bad' });
    expect((await runScript(put(bytes, id))).status).toBe(1);
  });

  test('with changed content under the old signature is rejected', () => {
    const bytes = Buffer.from(entries[1]?.item ?? []);
    bytes.write('lockBEQ', bytes.lastIndexOf('lockBEO'));
    expect(checkResults(put(bytes, honest.id))).toMatchObject({ item: 'good', relayer: 'bad', person: 'bad' });
  });

  test('that cannot be parsed is rejected', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(40), Buffer.alloc(400)]) {
      expect(checkResults(put(bytes, honest.id))).toEqual({ item: 'malformed' });
      expect((await runScript(put(bytes, honest.id))).status).toBe(1);
    }
  });
});

describe('a chain', () => {
  test('that continues with another relayer’s entries is rejected', async () => {
    const drafts = [lock(), lock(), lock()];
    const [proof, other] = [newForgingRelayer().proofOf(drafts, 0), newForgingRelayer().proofOf(drafts, 0)];
    const mixed = { ...proof, after: other.after };
    expect(checkResults(mixed)).toMatchObject({ relayer: 'good', after: 'bad', head: 'bad' });
    expect((await runScript(mixed)).status).toBe(1);
  });

  test('longer than the limit of a proof is reported as partial', async () => {
    const relayer = newForgingRelayer();
    const entries = relayer.write(Array.from({ length: MAX_LINKS + 3 }, () => lock()));
    const whole = relayer.prove(entries, 0);
    const proof = { ...whole, after: whole.after.slice(0, MAX_LINKS) };
    expect(checkResults(proof)).toMatchObject({ after: 'part', head: 'apart' });
    const { status, text } = await runScript(proof);
    expect({ status, text }).toMatchObject({ status: 0, text: expect.stringContaining('to 1001 of 1003') });
    expect(checkResults({ ...proof, after: proof.after.slice(0, 9) })).toMatchObject({ after: 'short' });
    expect(checkResults(whole)).toMatchObject({ after: 'short' });
  });
});
