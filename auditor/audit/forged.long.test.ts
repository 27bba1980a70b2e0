import { hash, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../protocol/ledger/entry.ts';
import { canonicalJson, type Json } from '../../protocol/signing/canonical-json.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { newPerson } from '../../server/testing/test-service.ts';
import { forgedLedger, found, kinds } from './test-forged-ledger.ts';
import { createForgingRelayer, openDraft } from './test-relayer.ts';

const textOf = (entry: LedgerEntry): string => canonicalJson(entry as unknown as Json);

describe('a correct ledger', () => {
  test('is clean: created, rotated, locked, unlocked, destroyed', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const next = newPerson();
    const first = [relayer.write(draft), relayer.write(relayer.act(person, beoId, 'lockBEO'))];
    const rotation = relayer.write(relayer.act(person, beoId, 'rotateKey', { newPublicKey: next.publicKey }));
    const last = [
      relayer.write(relayer.act(next, beoId, 'unlockBEO')),
      relayer.write(relayer.act(next, beoId, 'destroyBEO')),
    ];
    await publish([...first, rotation]);
    await publish(last);
    const result = await audit();
    expect(found(result)).toEqual([]);
    expect(result.network).toMatchObject({ entries: 5, verifiedSignatures: 5, sealed: 0, relayerOnly: 0 });
    expect(result.replay.state.live.BEO.size).toBe(0);
    expect(result.replay.state.endedDigests.BEO.count).toBe(1);
    expect(result.end).toMatchObject({ epoch: 1, seq: 5, id: last[1]?.id });
  });

  test('may name its target by id, by creating transaction or by domain', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const created = relayer.write(draft);
    const items = [created];
    for (const [functionName, alias] of [
      ['lockBEO', created.id],
      ['unlockBEO', 'ANNA.bsp'],
      ['lockBEO', beoId.toUpperCase()],
    ] as const) {
      const body = person.sign(functionName, { beoId: alias }, { timestamp: new Date(relayer.head.at).toISOString() });
      items.push(relayer.write(openDraft(functionName, beoId, person.publicKey, body)));
    }
    await publish(items);
    expect(found(await audit())).toEqual([]);
  });
});

describe('a breach is reported if the relayer', () => {
  test('forges a user’s signature', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const lock = relayer.act(person, beoId, 'lockBEO') as { signature: string };
    const unlock = relayer.act(person, beoId, 'unlockBEO');
    const forged = { ...unlock, signature: lock.signature } as typeof unlock;
    const items = [relayer.write(draft), relayer.write(lock as typeof unlock), relayer.write(forged)];
    await publish(items);
    const result = await audit();
    expect(found(result)).toEqual([{ kind: 'USER_SIGNATURE', seq: 3, id: items[2]?.id }]);
    expect(result.network).toMatchObject({ verifiedSignatures: 2, unverifiedSignatures: 1 });
  });

  test('accepts a signature by an unauthorized key', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { beoId, draft } = relayer.create('anna.bsp');
    const items = [relayer.write(draft), relayer.write(relayer.act(newPerson(), beoId, 'lockBEO'))];
    await publish(items);
    const result = await audit();
    expect(found(result)).toEqual([{ kind: 'WRONG_SIGNER', seq: 2, id: items[1]?.id }]);
    expect(result.network).toMatchObject({ verifiedSignatures: 1, unverifiedSignatures: 1 });
  });

  test('accepts a key that was replaced', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const rotation = relayer.act(person, beoId, 'rotateKey', { newPublicKey: newPerson().publicKey });
    await publish([
      relayer.write(draft),
      relayer.write(rotation),
      relayer.write(relayer.act(person, beoId, 'lockBEO')),
    ]);
    expect(kinds(await audit())).toEqual(['WRONG_SIGNER']);
  });

  test('writes an operation without a signature', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const unsigned = { ...relayer.act(person, beoId, 'destroyBEO'), signer: null, signature: null };
    await publish([relayer.write(draft), relayer.write(unsigned as never)]);
    const result = await audit();
    expect(kinds(result)).toEqual(['USER_SIGNATURE']);
    expect(result.replay.state.live.BEO.has(beoId)).toBe(true);
  });

  test('applies an operation to another identity than was signed', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const anna = relayer.create('anna.bsp');
    const items = [relayer.write(anna.draft)];
    const bert = relayer.create('bert.bsp');
    items.push(relayer.write(bert.draft));
    items.push(relayer.write({ ...relayer.act(anna.person, anna.beoId, 'lockBEO'), entity_id: bert.beoId }));
    await publish(items);
    expect(kinds(await audit())).toEqual(['ENTITY', 'WRONG_SIGNER']);
  });

  test('assigns an id that does not follow from the signature', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { draft } = relayer.create('anna.bsp');
    const { beoId } = relayer.create('bert.bsp');
    await publish([relayer.write({ ...draft, entity_id: beoId })]);
    expect(kinds(await audit())).toEqual(['ENTITY']);
  });

  test('records a key under which any message verifies', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const newPublicKey = `01${'00'.repeat(31)}`;
    await publish([relayer.write(draft), relayer.write(relayer.act(person, beoId, 'rotateKey', { newPublicKey }))]);
    expect(kinds(await audit())).toEqual(['KEY']);
  });

  test('uses one signed message twice', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const lock = relayer.act(person, beoId, 'lockBEO');
    const items = [relayer.write(draft), relayer.write(lock)];
    items.push(relayer.write(relayer.act(person, beoId, 'unlockBEO')), relayer.write(lock));
    await publish(items);
    expect(found(await audit())).toEqual([{ kind: 'NONCE', seq: 4, id: items[3]?.id }]);
  });

  test('invents an operation', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    await publish([relayer.write(draft), relayer.write(relayer.act(person, beoId, 'cloneBEO'))]);
    expect(kinds(await audit())).toEqual(['UNKNOWN_FUNCTION']);
  });

  test('names another function than was signed', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const lock = relayer.act(person, beoId, 'lockBEO');
    await publish([relayer.write(draft), relayer.write({ ...lock, function: 'destroyBEO' })]);
    expect(kinds(await audit())).toEqual(['MESSAGE']);
  });

  test('accepts a message that does not match the operation', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    await publish([relayer.write(draft), relayer.write(relayer.act(person, beoId, 'lockBEO', { until: 'tomorrow' }))]);
    expect(kinds(await audit())).toEqual(['MESSAGE']);
  });

  test('accepts an operation that the state does not allow', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const items = [relayer.write(draft), relayer.write(relayer.act(person, beoId, 'unlockBEO'))];
    items.push(relayer.write(relayer.create('anna.bsp').draft));
    await publish(items);
    expect(found(await audit())).toEqual([
      { kind: 'TRANSITION', seq: 2, id: items[1]?.id },
      { kind: 'TRANSITION', seq: 3, id: items[2]?.id },
    ]);
  });

  test('accepts a timestamp that is too old or in the future', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const items = [relayer.write(draft)];
    for (const [functionName, seconds] of [
      ['lockBEO', -301],
      ['unlockBEO', 31],
    ] as const) {
      const timestamp = new Date(relayer.head.at + seconds * 1000).toISOString();
      const body = person.sign(functionName, { beoId }, { timestamp });
      items.push(relayer.write(openDraft(functionName, beoId, person.publicKey, body)));
    }
    await publish(items);
    expect(kinds(await audit())).toEqual(['TIMESTAMP', 'TIMESTAMP']);
  });

  test('seals an operation that may not be sealed', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const sealed = {
      function: 'destroyBEO',
      entity_id: beoId,
      signer: person.publicKey,
      signature: null,
      sealed: 'ab'.repeat(32),
      public: { timestamp: new Date(relayer.head.at).toISOString(), beoId },
    };
    await publish([relayer.write(draft), relayer.write(sealed)]);
    const result = await audit();
    expect(kinds(result)).toEqual(['MESSAGE']);
    expect(result.replay.state.live.BEO.has(beoId)).toBe(true);
  });
});

describe('malformed bytes are reported for', () => {
  test('an entry that is not canonical JSON', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const items = [relayer.write(relayer.create('anna.bsp').draft)];
    const data = (entry: LedgerEntry) => Buffer.from(` ${textOf(entry)}`);
    items.push(
      relayer.write(relayer.create('bert.bsp').draft, { data }),
      relayer.write(relayer.create('cleo.bsp').draft),
    );
    await publish(items);
    const result = await audit();
    expect(found(result)).toEqual([{ kind: 'NOT_CANONICAL', seq: 2, id: items[1]?.id }]);
    expect(result.end?.seq).toBe(3);
  });

  test('an item without an entry, which is then missing', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const items = [relayer.write(relayer.create('anna.bsp').draft)];
    items.push(relayer.write(relayer.create('bert.bsp').draft, { data: () => Buffer.from('{}') }));
    items.push(relayer.write(relayer.create('cleo.bsp').draft));
    await publish(items);
    const result = await audit();
    expect(found(result)).toEqual([
      { kind: 'ITEM_MALFORMED', seq: null, id: items[1]?.id },
      { kind: 'GAP', seq: 2, id: null },
    ]);
    expect(result).toMatchObject({ complete: false, network: { entries: 2, verifiedSignatures: 1, notReplayed: 1 } });
  });

  test('a wrong anchor and wrong tags', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const items = [relayer.write(relayer.create('anna.bsp').draft, { anchor: hash('sha256', 'elsewhere', 'buffer') })];
    items.push(
      relayer.write(relayer.create('bert.bsp').draft, { tags: () => [{ name: 'App-Name', value: 'Perpetua' }] }),
    );
    await publish(items);
    expect(found(await audit())).toEqual([
      { kind: 'ANCHOR', seq: 1, id: items[0]?.id },
      { kind: 'ITEM_TAGS', seq: 2, id: items[1]?.id },
    ]);
  });

  test('an item signed by another key, which is not part of the ledger', async () => {
    const { client, devnet, relayer, publish, audit } = await forgedLedger();
    const stranger = createForgingRelayer({ client, wallet: loadWallet(devnet.wallet) });
    const real = [relayer.write(relayer.create('anna.bsp').draft)];
    const forged = stranger.write(relayer.create('bert.bsp').draft);
    await publish([forged], { firstSeq: 1, lastSeq: 1 });
    await publish(real);
    const result = await audit();
    expect(found(result)).toEqual([{ kind: 'RELAYER_SIGNATURE', seq: 1, id: forged.id }]);
    expect(result.end?.id).toBe(real[0]?.id);
  });

  test('an item whose bytes were changed after it was signed', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const item = relayer.write(relayer.create('anna.bsp').draft);
    const bytes = Buffer.from(item.bytes);
    bytes.write('anne.bsp', bytes.indexOf('anna.bsp'));
    await publish([{ ...item, bytes }]);
    const result = await audit();
    expect(kinds(result)).toEqual(['RELAYER_SIGNATURE', 'USER_SIGNATURE']);
    expect(result.network.entries).toBe(0);
  });

  test('a truncated bundle', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const whole = [relayer.write(relayer.create('anna.bsp').draft)];
    await publish(whole);
    const lost = relayer.write(relayer.create('bert.bsp').draft);
    const id = await publish([lost], { data: Buffer.concat([Buffer.alloc(32, 1), lost.bytes]).subarray(0, 300) });
    const result = await audit();
    expect(found(result)).toEqual([{ kind: 'BUNDLE_UNREADABLE', seq: null, id }]);
    expect(result.end?.seq).toBe(1);
  });

  test('bundle tags that do not match its entries', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const id = await publish([relayer.write(relayer.create('anna.bsp').draft)], { firstSeq: 1, lastSeq: 2 });
    expect(found(await audit())).toEqual([{ kind: 'BUNDLE_TAGS', seq: null, id }]);
  });
});

test('requests are repeated when the gateway is temporarily unavailable', async () => {
  const { devnet, relayer, publish, audit } = await forgedLedger();
  await publish([relayer.write(relayer.create('anna.bsp').draft)]);
  devnet.setFault({ mode: 'error', times: 2 });
  const result = await audit();
  expect(found(result)).toEqual([]);
  expect(result.network.entries).toBe(1);
});

test('a user signature must verify over the canonical message (RFC 8032)', async () => {
  const { relayer, publish, audit } = await forgedLedger();
  const { person, beoId, draft } = relayer.create('anna.bsp');
  const lock = relayer.act(person, beoId, 'lockBEO') as { message: Record<string, Json> };
  const pretty = sign(null, Buffer.from(JSON.stringify(lock.message, null, 1)), person.privateKey);
  await publish([relayer.write(draft), relayer.write({ ...lock, signature: pretty.toString('base64') } as never)]);
  expect(kinds(await audit())).toEqual(['USER_SIGNATURE']);
});
