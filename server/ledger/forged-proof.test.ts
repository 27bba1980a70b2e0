import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { Point } from '@noble/ed25519';
import { describe, expect, test } from 'vitest';
import { ledgerIdOf } from '../../protocol/ids.ts';
import { MAX_LINKS, type Proof } from '../../protocol/ledger/proof.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { newPerson } from '../test-service.ts';
import { createItemSigner } from './ans104.ts';
import type { Draft } from './chain.ts';
import { judgement, newForgingRelayer, runScript } from './test-proofs.ts';

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

/** What both checks say of an entry between two others, all of them signed by the relayer. */
async function verdicts(draft: Draft) {
  const proof = newForgingRelayer().proofOf([lock(), draft, lock()], 1);
  return { browser: judgement(proof), script: (await runScript(proof)).status };
}

describe('what a relayer may have signed', () => {
  test('is believed where the person signed it', async () => {
    expect(await verdicts(lock())).toMatchObject({ browser: { person: 'good', head: 'good' }, script: 0 });
  });

  test('is found out where the message is not the one the person signed', async () => {
    const other = lock({}, { beoId: randomUUID() });
    expect(await verdicts(other)).toMatchObject({ browser: { relayer: 'good', person: 'bad' }, script: 1 });
  });

  test('is found out where the person signed it for another ledger, and believed where it was for this one', async () => {
    const relayer = newForgingRelayer();
    const signedFor = (ledgerId: string): Draft => {
      const { signature, ...signed } = person.sign('lockBEO', { beoId, ledgerId });
      return { ...lock(), signature, message: { function: 'lockBEO', ...signed } } as Draft;
    };
    for (const [ledgerId, browser, script] of [
      ['ab'.repeat(32), 'foreign', 1],
      [ledgerIdOf(relayer.publicKey), 'good', 0],
      [ledgerIdOf(relayer.publicKey).toUpperCase(), 'good', 0],
    ] as const) {
      const proof = relayer.proofOf([lock(), signedFor(ledgerId), lock()], 1);
      expect([judgement(proof).person, (await runScript(proof)).status]).toEqual([browser, script]);
    }
  });

  test('is found out where somebody else is said to have signed', async () => {
    const other = lock({ signer: newPerson().publicKey });
    expect(await verdicts(other)).toMatchObject({ browser: { person: 'bad' }, script: 1 });
  });

  test('is found out where the entry names another function than the message', async () => {
    expect(await verdicts(lock({ function: 'unlockBEO' }))).toMatchObject({ browser: { person: 'bad' }, script: 1 });
  });

  test('is found out where a person’s operation has no signature, or is said to be sealed', async () => {
    const unsigned = lock({ signer: null, signature: null });
    expect(await verdicts(unsigned)).toMatchObject({ browser: { person: 'unsigned' }, script: 1 });
    const { message: _, ...sealed } = { ...lock({ signature: null }), sealed: 'ab'.repeat(32), public: {} } as Draft & {
      message: Json;
    };
    expect(await verdicts(sealed as Draft)).toMatchObject({ browser: { person: 'unsigned' }, script: 1 });
  });

  test('is found out where the key is one under which anything is signed', async () => {
    const weak = `01${'00'.repeat(31)}`;
    const s = Buffer.alloc(32);
    s[0] = 5;
    const signature = Buffer.concat([Point.BASE.multiply(5n).toBytes(), s]).toString('base64');
    expect(await verdicts(lock({ signer: weak, signature }))).toMatchObject({ browser: { person: 'bad' }, script: 1 });
  });

  test('is told apart where only the institute, or nobody but the relayer, decided', async () => {
    const decided = {
      function: 'approveProposal',
      entity_id: randomUUID(),
      signer: null,
      signature: null,
      message: { function: 'approveProposal', approver: 1 },
    } as const;
    expect(await verdicts(decided)).toMatchObject({ browser: { person: 'institute' }, script: 0 });
    const begun = {
      ...decided,
      function: 'beginEpoch',
      message: { function: 'beginEpoch', epoch: 2, last: 1 },
    } as const;
    expect(await verdicts(begun)).toMatchObject({ browser: { person: 'relayer' }, script: 0 });
  });
});

test('what others wrote has no effect on whoever reads what the script prints', async () => {
  const evil = 'lock\u001b[2J\u009b31m\u202e\nok   all is well\u2028';
  const proof = newForgingRelayer().proofOf([lock(), lock({}, { beoId: evil }), lock()], 1);
  const { status, text } = await runScript({ ...proof, network: { ...proof.network, gateway_url: evil } });
  expect(status).toBe(1);
  expect(text).toContain('\\u{202e}');
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(text).not.toMatch(/^ok {3}all is well/m);
});

describe('an item', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const stranger = createItemSigner(privateKey, Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
  const relayer = newForgingRelayer();
  const entries = relayer.write([lock(), lock(), lock()]);
  const honest = relayer.prove(entries, 1);

  const put = (bytes: Buffer, id: string): Proof => ({ ...honest, item: bytes.toString('base64'), id });

  test('of another relayer is found out', async () => {
    const { id, bytes } = stranger.sign({ anchor: Buffer.alloc(32), tags: [], data: Buffer.from('{}') });
    expect(judgement(put(bytes, id))).toMatchObject({ item: 'good', relayer: 'bad' });
    expect((await runScript(put(bytes, id))).status).toBe(1);
  });

  test('whose signature is moved to another content is found out', () => {
    const bytes = Buffer.from(entries[1]?.item ?? []);
    bytes.write('lockBEQ', bytes.lastIndexOf('lockBEO'));
    expect(judgement(put(bytes, honest.id))).toMatchObject({ item: 'good', relayer: 'bad', person: 'bad' });
  });

  test('that is none is found out', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(40), Buffer.alloc(400)]) {
      expect(judgement(put(bytes, honest.id))).toEqual({ item: 'malformed' });
      expect((await runScript(put(bytes, honest.id))).status).toBe(1);
    }
  });
});

describe('a chain', () => {
  test('of which a part is another relayer’s is found out', async () => {
    const drafts = [lock(), lock(), lock()];
    const [proof, other] = [newForgingRelayer().proofOf(drafts, 0), newForgingRelayer().proofOf(drafts, 0)];
    const mixed = { ...proof, after: other.after };
    expect(judgement(mixed)).toMatchObject({ relayer: 'good', after: 'bad', head: 'bad' });
    expect((await runScript(mixed)).status).toBe(1);
  });

  test('that is longer than a proof may be ends within it, and says so', async () => {
    const relayer = newForgingRelayer();
    const entries = relayer.write(Array.from({ length: MAX_LINKS + 3 }, () => lock()));
    const whole = relayer.prove(entries, 0);
    const proof = { ...whole, after: whole.after.slice(0, MAX_LINKS) };
    expect(judgement(proof)).toMatchObject({ after: 'part', head: 'apart' });
    const { status, text } = await runScript(proof);
    expect({ status, text }).toMatchObject({ status: 0, text: expect.stringContaining('to 1001 of 1003') });
    expect(judgement({ ...proof, after: proof.after.slice(0, 9) })).toMatchObject({ after: 'short' });
    expect(judgement(whole)).toMatchObject({ after: 'short' });
  });
});
