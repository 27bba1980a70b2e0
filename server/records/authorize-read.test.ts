import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../protocol/errors.ts';
import { createClock } from '../clock.ts';
import { A_DIGEST, expectRefusal } from '../http/rest/test-refusal.ts';
import { type Answer, type SignedBody, startTestService, type TestService } from '../test-service.ts';
import type { Fields, Party } from '../write/test-parties.ts';
import {
  DAY,
  EVERYTHING,
  EXPORT,
  type Exchange,
  exchangeOf,
  measurement,
  type Relation,
  SUBMIT,
  type Use,
} from './test-exchange.ts';

let shift = 0;
const now = () => Date.now() + shift;

/** Two processes' worth of service on one database, one network and one set of keys. */
let one: TestService;
let two: TestService;
let exchange: Exchange;
beforeAll(async () => {
  const clock = () => createClock(Date.now, () => shift);
  one = await startTestService({}, { clock: clock() });
  const shared = { DATA_DIR: one.dataDir, GATEWAY_URL: one.gatewayUrl };
  two = await startTestService(shared, { databaseUrl: one.databaseUrl, clock: clock() });
  exchange = exchangeOf(one, now);
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

/** What one can do under a consent: how it is called, what it takes besides, and how it is sent. */
interface Deed {
  readonly name: string;
  readonly intent: string;
  readonly functionName: string;
  readonly fields: Fields;
  readonly taken: number;
  send(body: Fields, service?: TestService): Promise<Answer>;
}

const DEEDS: Deed[] = [
  {
    name: 'submit',
    intent: 'SUBMIT_RECORD',
    functionName: 'submitRecords',
    fields: { records: [measurement()] },
    taken: 201,
    send: (body, service = one) => service.post(SUBMIT, body),
  },
  {
    name: 'read',
    intent: 'READ_RECORDS',
    functionName: 'readRecords',
    fields: {},
    taken: 200,
    send: (body, service = one) => service.get(exchange.query(body)),
  },
  {
    name: 'export',
    intent: 'EXPORT_DATA',
    functionName: 'sovereignExport',
    fields: { format: 'JSON' },
    taken: 200,
    send: (body, service = one) => service.post(EXPORT, body),
  },
];

const signed = (deed: Deed, use: Use, more: Fields = {}): SignedBody =>
  exchange.signed(use, deed.functionName, { ...deed.fields, ...more });

/** The same, but for what stands around the fields. */
const signedAt = (deed: Deed, { by, holder, tokenId }: Use, envelope: { nonce?: string; timestamp?: string }) =>
  by.person.sign(
    deed.functionName,
    { targetBeo: holder.id, consentToken: tokenId, ...deed.fields },
    { timestamp: new Date(now()).toISOString(), ...envelope },
  );

const dropped = (body: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));

async function taken(deed: Deed, use: Use): Promise<void> {
  const answer = await deed.send(signed(deed, use));
  expect(answer.status, JSON.stringify(answer.body)).toBe(deed.taken);
}

async function refused(deed: Deed, use: Use, code: ErrorCode, more: Fields = {}): Promise<Answer> {
  const answer = await deed.send(signed(deed, use, more));
  expectRefusal(answer, code);
  return answer;
}

const names = (party: Party) => [party.id, party.domain, party.transactionId];

describe.each(DEEDS)('to $name', (deed) => {
  test('accepts a token and its grantee’s signature, with any reference to the parties', async () => {
    const use = await exchange.related();
    const { token } = await exchange.parties.verdict(use.tokenId);
    for (const targetBeo of names(use.holder)) await taken(deed, { ...use, holder: { id: targetBeo } });
    await taken(deed, { ...use, tokenId: token.arweave_tx });
  });

  test('is refused without a token, or with a malformed or unknown one', async () => {
    const use = await exchange.related();
    const body = dropped(signed(deed, use), 'consentToken');
    expectRefusal(await deed.send(body), 'CONSENT_REQUIRED');
    await refused(deed, { ...use, tokenId: randomUUID() }, 'VALIDATION_FAILED');
    await refused(deed, { ...use, tokenId: `tok_${randomUUID()}` }, 'TOKEN_NOT_FOUND');
    await refused(deed, { ...use, tokenId: use.holder.transactionId }, 'TOKEN_NOT_FOUND');
  });

  test('is refused without a signature, nonce, timestamp or holder, and with an unknown field', async () => {
    const body = signed(deed, await exchange.related());
    expectRefusal(await deed.send(dropped(body, 'signature')), 'SIGNATURE_MISSING');
    expectRefusal(await deed.send(dropped(body, 'nonce')), 'NONCE_REQUIRED');
    expectRefusal(await deed.send({ ...body, nonce: 'short' }), 'NONCE_TOO_SHORT');
    expectRefusal(await deed.send(dropped(body, 'timestamp')), 'TIMESTAMP_INVALID');
    expectRefusal(await deed.send(dropped(body, 'targetBeo')), 'VALIDATION_FAILED');
    expectRefusal(await deed.send({ ...body, targetBeo: 'not a reference' }), 'VALIDATION_FAILED');
    expectRefusal(await deed.send({ ...body, reason: 'because' }), 'VALIDATION_FAILED');
  });

  test('is refused under another holder’s consent', async () => {
    const [use, other] = [await exchange.related(), await exchange.related()];
    for (const targetBeo of names(other.holder)) {
      await refused(deed, { ...use, holder: { id: targetBeo } }, 'NOT_TOKEN_OWNER');
    }
    for (const nobody of [randomUUID(), 'nobody.bsp']) {
      await refused(deed, { ...use, holder: { id: nobody } }, 'NOT_TOKEN_OWNER');
    }
    await refused(deed, { ...use, holder: { id: use.by.id } }, 'NOT_TOKEN_OWNER');
  });

  test('is refused with a wrong key or message, without using the nonce', async () => {
    const [use, other] = [await exchange.related(), await exchange.related()];
    // The holder's own key reads and exports with any live token.
    for (const by of [...(deed.name === 'submit' ? [use.holder] : []), other.by, other.holder]) {
      const answer = await refused(deed, { ...use, by }, 'INVALID_SIGNATURE');
      expect(answer.body.details).toEqual({ expected_key: 'grantee', message_sha256: A_DIGEST });
    }
    const body = signed(deed, use);
    const forgeries: Fields[] = [
      { ...body, targetBeo: use.holder.domain },
      { ...body, nonce: randomUUID() },
      { ...body, timestamp: new Date(now() - 1_000).toISOString() },
      { ...body, signature: body.signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) },
      { ...body, signature: 'x' },
      ...(deed.name === 'submit' ? [{ ...body, records: [measurement({ value: 87.6 })] }] : []),
      ...(deed.name === 'export' ? [{ ...body, format: 'CSV' }] : []),
      ...DEEDS.filter(({ name }) => name !== deed.name).map(({ functionName }) => ({
        ...body,
        signature: exchange.parties.sign(use.by.person, functionName, body).signature,
      })),
    ];
    for (const forged of forgeries) expectRefusal(await deed.send(forged), 'INVALID_SIGNATURE');
    expect((await deed.send(body)).status).toBe(deed.taken);
  });

  test('is refused five minutes late or more than thirty seconds early', async () => {
    const use = await exchange.related();
    const at = (ms: number) => deed.send(signedAt(deed, use, { timestamp: new Date(now() + ms).toISOString() }));
    expect((await at(-290_000)).status).toBe(deed.taken);
    expect((await at(20_000)).status).toBe(deed.taken);
    expectRefusal(await at(-301_000), 'TIMESTAMP_TOO_OLD');
    expectRefusal(await at(40_000), 'TIMESTAMP_IN_FUTURE');
  });

  test('accepts a nonce once, across processes and operations', async () => {
    const use = await exchange.related();
    const body = signed(deed, use);
    const first = await deed.send(body);
    expect(first.status).toBe(deed.taken);
    for (const service of [one, two]) {
      const again = await deed.send(body, service);
      expectRefusal(again, 'NONCE_REUSED');
      expect(again.body.details).toEqual({ transactionId: first.body.transactionId ?? null });
    }
    for (const other of DEEDS) {
      expectRefusal(await other.send(signedAt(other, use, { nonce: body.nonce })), 'NONCE_REUSED');
    }
    const elsewhere = await exchange.related();
    expect((await deed.send(signedAt(deed, elsewhere, { nonce: body.nonce }))).status).toBe(deed.taken);
  });

  test('is done once for twenty copies through two processes', async () => {
    const use = await exchange.related();
    await exchange.submitted(use, [measurement()]);
    const before = (await exchange.accesses(use.holder)).length;
    const body = signed(deed, use);
    const copies = Array.from({ length: 20 }, (_, index) => deed.send(body, index % 2 ? one : two));
    const statuses = (await Promise.all(copies)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([deed.taken, ...Array.from({ length: 19 }, () => 409)].toSorted());
    expect(await exchange.accesses(use.holder)).toHaveLength(before + 1);
  });

  test('is refused while the holder is locked, and ends with the holder', async () => {
    const use = await exchange.related();
    await exchange.parties.beo(use.holder, 'lock', 'lockBEO');
    await refused(deed, use, 'BEO_LOCKED');
    await exchange.parties.beo(use.holder, 'unlock', 'unlockBEO');
    await taken(deed, use);
    await exchange.parties.beo(use.holder, 'destroy', 'destroyBEO');
    await refused(deed, use, 'BEO_DESTROYED');
    await refused(deed, { ...use, holder: { id: use.holder.transactionId } }, 'BEO_DESTROYED');
  });

  test('is refused while the institution is locked or suspended, and ends when it is revoked', async () => {
    const use = await exchange.related();
    const { by } = use;
    await exchange.parties.ieo(by, 'lock', 'lockIEO');
    await refused(deed, use, 'IEO_LOCKED');
    await exchange.parties.ieo(by, 'unlock', 'unlockIEO');
    await taken(deed, use);
    await exchange.parties.decide('suspendIEO', { ieoId: by.id, reason: 'a complaint' });
    await refused(deed, use, 'IEO_NOT_ACTIVE');
    await exchange.parties.decide('reinstateIEO', { ieoId: by.id });
    await taken(deed, use);
    await exchange.parties.decide('revokeIEO', { ieoId: by.id, reason: 'another complaint' });
    await refused(deed, use, 'IEO_NOT_ACTIVE');
  });

  test('ends when the institution is destroyed', async () => {
    const use = await exchange.related();
    await exchange.parties.ieo(use.by, 'destroy', 'destroyIEO');
    await refused(deed, use, 'IEO_DESTROYED');
  });

  test('requires the institution’s current key', async () => {
    const use = await exchange.related();
    const { person } = await exchange.parties.newHolder();
    await exchange.parties.ieo(use.by, 'rotate-key', 'rotateKey', { newPublicKey: person.publicKey });
    await refused(deed, use, 'INVALID_SIGNATURE');
    await taken(deed, { ...use, by: { person } });
  });

  test('ends when the consent is revoked, at once in every process', async () => {
    const use = await exchange.related();
    await taken(deed, use);
    expect((await deed.send(signed(deed, use), two)).status).toBe(deed.taken);
    expect((await exchange.parties.revoke(use.holder, use.tokenId)).status).toBe(200);
    const answer = await deed.send(signed(deed, use), two);
    expectRefusal(answer, 'TOKEN_REVOKED');
    expect(answer.body.details).toEqual({ revoked_at: expect.stringMatching(/Z$/) });
    await refused(deed, use, 'TOKEN_REVOKED');
  });

  test('ends when the consent has expired', async () => {
    const use = await exchange.related(EVERYTHING, { expiresInDays: 1 });
    await taken(deed, use);
    shift += DAY + 1_000;
    const answer = await refused(deed, use, 'TOKEN_EXPIRED');
    expect(answer.body.details).toEqual({ expired_at: expect.stringMatching(/Z$/) });
  });

  test('requires a consent with that intent', async () => {
    const others = DEEDS.map(({ intent }) => intent).filter((intent) => intent !== deed.intent);
    const without = await exchange.related({ intents: [...others, 'ANALYZE_VITALITY'], categories: ['*'] });
    await refused(deed, without, 'INTENT_NOT_AUTHORIZED');
    await taken(deed, await exchange.related({ intents: [deed.intent], categories: ['*'] }));
  });

  test('checks in the order of the protocol', async () => {
    const scope = { intents: ['REQUEST_SCORE'], categories: ['BSP-LA'] };
    const use = await exchange.related(scope, { expiresInDays: 1 });
    const live = await exchange.related({ ...scope, max_records: 9 }, { ...use, expiresInDays: 2 });
    const other = await exchange.related();
    const spent = randomUUID();
    await exchange.parties.beo(use.holder, 'lock', 'lockBEO');
    expectRefusal(await deed.send(signedAt(deed, use, { nonce: spent })), 'BEO_LOCKED');
    await exchange.parties.decide('suspendIEO', { ieoId: use.by.id, reason: 'a complaint' });
    await exchange.parties.revoke(use.holder, use.tokenId);

    const old = new Date(now() - 600_000).toISOString();
    const nowhere = { by: other.by, holder: { id: randomUUID() }, tokenId: `tok_${randomUUID()}` };
    expectRefusal(await deed.send({ ...signedAt(deed, nowhere, { timestamp: old }), more: 1 }), 'VALIDATION_FAILED');
    expectRefusal(await deed.send(signedAt(deed, nowhere, { timestamp: old })), 'TIMESTAMP_TOO_OLD');
    await refused(deed, nowhere, 'TOKEN_NOT_FOUND');
    await refused(deed, { ...nowhere, tokenId: use.tokenId }, 'NOT_TOKEN_OWNER');
    await refused(deed, { ...use, by: other.by }, 'INVALID_SIGNATURE');
    expectRefusal(await deed.send(signedAt(deed, use, { nonce: spent })), 'NONCE_REUSED');
    await refused(deed, use, 'BEO_LOCKED');
    await exchange.parties.beo(use.holder, 'unlock', 'unlockBEO');
    await refused(deed, use, 'IEO_NOT_ACTIVE');
    await exchange.parties.decide('reinstateIEO', { ieoId: use.by.id });
    await refused(deed, use, 'TOKEN_REVOKED');
    shift += DAY + 1_000;
    await refused(deed, use, 'TOKEN_REVOKED');
    await refused(deed, live, 'INTENT_NOT_AUTHORIZED');
    shift += DAY + 1_000;
    await refused(deed, live, 'TOKEN_EXPIRED');
  });
});

describe('the order of the last checks', () => {
  test('is the type before the category, the category before the period, and that before the number', async () => {
    const holder = await exchange.parties.newHolder();
    const narrow = { ...EVERYTHING, categories: ['BSP-LA'], period: { to: '2020-01-01T00:00:00Z' }, max_records: 1 };
    const own = await exchange.selfRelated(holder, { ...narrow, intents: ['READ_RECORDS'] });
    const [self, clinic] = [await exchange.grantedBefore(own, narrow), await exchange.related(narrow, { holder })];
    const two = (more: Fields) => [measurement(more), measurement(more)];
    const beyond = two({});
    expectRefusal(await exchange.submit(self, beyond), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    expectRefusal(await exchange.submit(clinic, beyond), 'CATEGORY_NOT_AUTHORIZED');
    expectRefusal(await exchange.submit(clinic, two({ biomarker: 'BSP-LA-001' })), 'PERIOD_NOT_AUTHORIZED');
    const old = { biomarker: 'BSP-LA-001', collected_at: '2019-01-01T00:00:00Z' };
    expectRefusal(await exchange.submit(clinic, two(old)), 'RECORD_LIMIT_REACHED');
    expect((await exchange.submit(clinic, [measurement(old)])).status).toBe(201);
  });
});

describe('a destroyed identity', () => {
  test.each(DEEDS)('is refused by every reference: to $name', async (deed) => {
    const use: Relation = await exchange.related();
    await exchange.parties.beo(use.holder, 'destroy', 'destroyBEO');
    const codes = new Set<string>();
    for (const id of names(use.holder))
      codes.add((await deed.send(signed(deed, { ...use, holder: { id } }))).body.code);
    expect([...codes]).toEqual(['BEO_DESTROYED']);
  });
});
