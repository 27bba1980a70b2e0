import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../protocol/errors.ts';
import { A_DIGEST, expectRefusal } from '../../http/rest/test-refusal.ts';
import { createClock } from '../../platform/db/clock.ts';
import {
  type Answer,
  type SignedBody,
  startBeside,
  startTestService,
  type TestService,
} from '../../testing/test-service.ts';
import type { Fields, Party } from '../../write/test-parties.ts';
import {
  type ConsentParties,
  DAY,
  EVERYTHING,
  EXPORT,
  type Exchange,
  exchangeOf,
  measurement,
  SUBMIT,
  type TokenUse,
  withOldScope,
} from './test-exchange.ts';

let shift = 0;
const now = () => Date.now() + shift;

/** Two processes with one database, one network and one set of keys. */
let first: TestService;
let second: TestService;
let exchange: Exchange;
beforeAll(async () => {
  const clock = () => createClock(Date.now, () => shift);
  first = await startTestService({}, { clock: clock() });
  second = await startBeside(first, {}, { clock: clock() });
  exchange = exchangeOf(first, now);
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

/** An operation of the exchange, with the fields it signs besides those of every operation. */
interface Operation {
  readonly name: string;
  readonly intent: string;
  readonly functionName: string;
  readonly fields: Fields;
  readonly accepted: number;
  send(body: Fields, service?: TestService): Promise<Answer>;
}

const OPERATIONS: Operation[] = [
  {
    name: 'submit',
    intent: 'SUBMIT_RECORD',
    functionName: 'submitRecords',
    fields: { records: [measurement()] },
    accepted: 201,
    send: (body, service = first) => service.post(SUBMIT, body),
  },
  {
    name: 'read',
    intent: 'READ_RECORDS',
    functionName: 'readRecords',
    fields: {},
    accepted: 200,
    send: (body, service = first) => service.get(exchange.query(body)),
  },
  {
    name: 'export',
    intent: 'EXPORT_DATA',
    functionName: 'sovereignExport',
    fields: { format: 'JSON' },
    accepted: 200,
    send: (body, service = first) => service.post(EXPORT, body),
  },
];

const signed = (operation: Operation, use: TokenUse, more: Fields = {}): SignedBody =>
  exchange.signed(use, operation.functionName, { ...operation.fields, ...more });

/** Like `signed`, with a given nonce or timestamp. */
const signedAt = (
  operation: Operation,
  { by, holder, tokenId }: TokenUse,
  envelope: { nonce?: string; timestamp?: string },
) =>
  by.person.sign(
    operation.functionName,
    { targetBeo: holder.id, consentToken: tokenId, ...operation.fields },
    { timestamp: new Date(now()).toISOString(), ...envelope },
  );

const omit = (body: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));

async function expectAccepted(operation: Operation, use: TokenUse): Promise<void> {
  const answer = await operation.send(signed(operation, use));
  expect(answer.status, JSON.stringify(answer.body)).toBe(operation.accepted);
}

async function expectRefused(operation: Operation, use: TokenUse, code: ErrorCode, more: Fields = {}): Promise<Answer> {
  const answer = await operation.send(signed(operation, use, more));
  expectRefusal(answer, code);
  return answer;
}

const references = (party: Party) => [party.id, party.domain, party.transactionId];

describe.each(OPERATIONS)('to $name', (operation) => {
  test('accepts a token and its grantee’s signature, with any reference to the parties', async () => {
    const use = await exchange.newConsent();
    const { token } = await exchange.parties.verdict(use.tokenId);
    for (const targetBeo of references(use.holder))
      await expectAccepted(operation, { ...use, holder: { id: targetBeo } });
    await expectAccepted(operation, { ...use, tokenId: token.arweave_tx });
  });

  test('is refused without a token, or with a malformed or unknown one', async () => {
    const use = await exchange.newConsent();
    const body = omit(signed(operation, use), 'consentToken');
    expectRefusal(await operation.send(body), 'CONSENT_REQUIRED');
    await expectRefused(operation, { ...use, tokenId: randomUUID() }, 'VALIDATION_FAILED');
    await expectRefused(operation, { ...use, tokenId: `tok_${randomUUID()}` }, 'TOKEN_NOT_FOUND');
    await expectRefused(operation, { ...use, tokenId: use.holder.transactionId }, 'TOKEN_NOT_FOUND');
  });

  test('is refused without a signature, nonce, timestamp or holder, and with an unknown field', async () => {
    const body = signed(operation, await exchange.newConsent());
    expectRefusal(await operation.send(omit(body, 'signature')), 'SIGNATURE_MISSING');
    expectRefusal(await operation.send(omit(body, 'nonce')), 'NONCE_REQUIRED');
    expectRefusal(await operation.send({ ...body, nonce: 'short' }), 'NONCE_TOO_SHORT');
    expectRefusal(await operation.send(omit(body, 'timestamp')), 'TIMESTAMP_INVALID');
    expectRefusal(await operation.send(omit(body, 'targetBeo')), 'VALIDATION_FAILED');
    expectRefusal(await operation.send({ ...body, targetBeo: 'not a reference' }), 'VALIDATION_FAILED');
    expectRefusal(await operation.send({ ...body, reason: 'because' }), 'VALIDATION_FAILED');
  });

  test('is refused under another holder’s consent', async () => {
    const [use, unrelated] = [await exchange.newConsent(), await exchange.newConsent()];
    for (const targetBeo of references(unrelated.holder)) {
      await expectRefused(operation, { ...use, holder: { id: targetBeo } }, 'NOT_TOKEN_OWNER');
    }
    for (const unknown of [randomUUID(), 'unknown.bsp']) {
      await expectRefused(operation, { ...use, holder: { id: unknown } }, 'NOT_TOKEN_OWNER');
    }
    await expectRefused(operation, { ...use, holder: { id: use.by.id } }, 'NOT_TOKEN_OWNER');
  });

  test('is refused with a wrong key or message, without using the nonce', async () => {
    const [use, unrelated] = [await exchange.newConsent(), await exchange.newConsent()];
    // The holder's own key reads and exports with any live token.
    for (const by of [...(operation.name === 'submit' ? [use.holder] : []), unrelated.by, unrelated.holder]) {
      const answer = await expectRefused(operation, { ...use, by }, 'INVALID_SIGNATURE');
      expect(answer.body.details).toEqual({ expected_key: 'grantee', message_sha256: A_DIGEST });
    }
    const body = signed(operation, use);
    const forgeries: Fields[] = [
      { ...body, targetBeo: use.holder.domain },
      { ...body, nonce: randomUUID() },
      { ...body, timestamp: new Date(now() - 1_000).toISOString() },
      { ...body, signature: body.signature.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A')) },
      { ...body, signature: 'x' },
      ...(operation.name === 'submit' ? [{ ...body, records: [measurement({ value: 87.6 })] }] : []),
      ...(operation.name === 'export' ? [{ ...body, format: 'CSV' }] : []),
      ...OPERATIONS.filter(({ name }) => name !== operation.name).map(({ functionName }) => ({
        ...body,
        signature: exchange.parties.sign(use.by.person, functionName, body).signature,
      })),
    ];
    for (const forged of forgeries) expectRefusal(await operation.send(forged), 'INVALID_SIGNATURE');
    expect((await operation.send(body)).status).toBe(operation.accepted);
  });

  test('is refused five minutes late or more than thirty seconds early', async () => {
    const use = await exchange.newConsent();
    const at = (ms: number) =>
      operation.send(signedAt(operation, use, { timestamp: new Date(now() + ms).toISOString() }));
    expect((await at(-290_000)).status).toBe(operation.accepted);
    expect((await at(20_000)).status).toBe(operation.accepted);
    expectRefusal(await at(-301_000), 'TIMESTAMP_TOO_OLD');
    expectRefusal(await at(40_000), 'TIMESTAMP_IN_FUTURE');
  });

  test('accepts a nonce once, across processes and operations', async () => {
    const use = await exchange.newConsent();
    const body = signed(operation, use);
    const accepted = await operation.send(body);
    expect(accepted.status).toBe(operation.accepted);
    for (const service of [first, second]) {
      const repeated = await operation.send(body, service);
      expectRefusal(repeated, 'NONCE_REUSED');
      expect(repeated.body.details).toEqual({ transactionId: accepted.body.transactionId ?? null });
    }
    for (const operation of OPERATIONS) {
      expectRefusal(await operation.send(signedAt(operation, use, { nonce: body.nonce })), 'NONCE_REUSED');
    }
    const unrelated = await exchange.newConsent();
    expect((await operation.send(signedAt(operation, unrelated, { nonce: body.nonce }))).status).toBe(
      operation.accepted,
    );
  });

  test('accepts one of twenty concurrent copies sent to two processes', async () => {
    const use = await exchange.newConsent();
    await exchange.submitted(use, [measurement()]);
    const before = (await exchange.accessEvents(use.holder)).length;
    const body = signed(operation, use);
    const copies = Array.from({ length: 20 }, (_, index) => operation.send(body, index % 2 ? first : second));
    const statuses = (await Promise.all(copies)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([operation.accepted, ...Array.from({ length: 19 }, () => 409)].toSorted());
    expect(await exchange.accessEvents(use.holder)).toHaveLength(before + 1);
  });

  test('is refused while the holder is locked, and after the holder is destroyed', async () => {
    const use = await exchange.newConsent();
    await exchange.parties.beo(use.holder, 'lock', 'lockBEO');
    await expectRefused(operation, use, 'BEO_LOCKED');
    await exchange.parties.beo(use.holder, 'unlock', 'unlockBEO');
    await expectAccepted(operation, use);
    await exchange.parties.beo(use.holder, 'destroy', 'destroyBEO');
    await expectRefused(operation, use, 'BEO_DESTROYED');
    await expectRefused(operation, { ...use, holder: { id: use.holder.transactionId } }, 'BEO_DESTROYED');
  });

  test('is refused while the institution is locked or suspended, and after it is revoked', async () => {
    const use = await exchange.newConsent();
    const { by } = use;
    await exchange.parties.ieo(by, 'lock', 'lockIEO');
    await expectRefused(operation, use, 'IEO_LOCKED');
    await exchange.parties.ieo(by, 'unlock', 'unlockIEO');
    await expectAccepted(operation, use);
    await exchange.parties.decide('suspendIEO', { ieoId: by.id, reason: 'a complaint' });
    await expectRefused(operation, use, 'IEO_NOT_ACTIVE');
    await exchange.parties.decide('reinstateIEO', { ieoId: by.id });
    await expectAccepted(operation, use);
    await exchange.parties.decide('revokeIEO', { ieoId: by.id, reason: 'another complaint' });
    await expectRefused(operation, use, 'IEO_NOT_ACTIVE');
  });

  test('is refused after the institution is destroyed', async () => {
    const use = await exchange.newConsent();
    await exchange.parties.ieo(use.by, 'destroy', 'destroyIEO');
    await expectRefused(operation, use, 'IEO_DESTROYED');
  });

  test('requires the institution’s current key', async () => {
    const use = await exchange.newConsent();
    const { person } = await exchange.parties.newHolder();
    await exchange.parties.ieo(use.by, 'rotate-key', 'rotateKey', { newPublicKey: person.publicKey });
    await expectRefused(operation, use, 'INVALID_SIGNATURE');
    await expectAccepted(operation, { ...use, by: { person } });
  });

  test('is refused in every process as soon as the consent is revoked', async () => {
    const use = await exchange.newConsent();
    await expectAccepted(operation, use);
    expect((await operation.send(signed(operation, use), second)).status).toBe(operation.accepted);
    expect((await exchange.parties.revoke(use.holder, use.tokenId)).status).toBe(200);
    const answer = await operation.send(signed(operation, use), second);
    expectRefusal(answer, 'TOKEN_REVOKED');
    expect(answer.body.details).toEqual({ revoked_at: expect.stringMatching(/Z$/) });
    await expectRefused(operation, use, 'TOKEN_REVOKED');
  });

  test('is refused after the consent has expired', async () => {
    const use = await exchange.newConsent(EVERYTHING, { expiresInDays: 1 });
    await expectAccepted(operation, use);
    shift += DAY + 1_000;
    const answer = await expectRefused(operation, use, 'TOKEN_EXPIRED');
    expect(answer.body.details).toEqual({ expired_at: expect.stringMatching(/Z$/) });
  });

  test('requires a consent with that intent', async () => {
    const otherIntents = OPERATIONS.map(({ intent }) => intent).filter((intent) => intent !== operation.intent);
    const without = await exchange.newConsent({ intents: [...otherIntents, 'ANALYZE_VITALITY'], categories: ['*'] });
    await expectRefused(operation, without, 'INTENT_NOT_AUTHORIZED');
    await expectAccepted(operation, await exchange.newConsent({ intents: [operation.intent], categories: ['*'] }));
  });

  test('runs its checks in the order of the protocol', async () => {
    const scope = { intents: ['REQUEST_SCORE'], categories: ['BSP-LA'] };
    const use = await exchange.newConsent(scope, { expiresInDays: 1 });
    const live = await exchange.newConsent({ ...scope, max_records: 9 }, { ...use, expiresInDays: 2 });
    const unrelated = await exchange.newConsent();
    const usedNonce = randomUUID();
    await exchange.parties.beo(use.holder, 'lock', 'lockBEO');
    expectRefusal(await operation.send(signedAt(operation, use, { nonce: usedNonce })), 'BEO_LOCKED');
    await exchange.parties.decide('suspendIEO', { ieoId: use.by.id, reason: 'a complaint' });
    await exchange.parties.revoke(use.holder, use.tokenId);

    const old = new Date(now() - 600_000).toISOString();
    const unknown = { by: unrelated.by, holder: { id: randomUUID() }, tokenId: `tok_${randomUUID()}` };
    expectRefusal(
      await operation.send({ ...signedAt(operation, unknown, { timestamp: old }), more: 1 }),
      'VALIDATION_FAILED',
    );
    expectRefusal(await operation.send(signedAt(operation, unknown, { timestamp: old })), 'TIMESTAMP_TOO_OLD');
    await expectRefused(operation, unknown, 'TOKEN_NOT_FOUND');
    await expectRefused(operation, { ...unknown, tokenId: use.tokenId }, 'NOT_TOKEN_OWNER');
    await expectRefused(operation, { ...use, by: unrelated.by }, 'INVALID_SIGNATURE');
    expectRefusal(await operation.send(signedAt(operation, use, { nonce: usedNonce })), 'NONCE_REUSED');
    await expectRefused(operation, use, 'BEO_LOCKED');
    await exchange.parties.beo(use.holder, 'unlock', 'unlockBEO');
    await expectRefused(operation, use, 'IEO_NOT_ACTIVE');
    await exchange.parties.decide('reinstateIEO', { ieoId: use.by.id });
    await expectRefused(operation, use, 'TOKEN_REVOKED');
    shift += DAY + 1_000;
    await expectRefused(operation, use, 'TOKEN_REVOKED');
    await expectRefused(operation, live, 'INTENT_NOT_AUTHORIZED');
    shift += DAY + 1_000;
    await expectRefused(operation, live, 'TOKEN_EXPIRED');
  });
});

describe('the last checks of a submission', () => {
  test('are of the grantee’s type, the category, the period and the number of records, in this order', async () => {
    const holder = await exchange.parties.newHolder();
    const narrow = { ...EVERYTHING, categories: ['BSP-LA'], period: { to: '2020-01-01T00:00:00Z' }, max_records: 1 };
    const own = await exchange.newSelfConsent(holder, { ...narrow, intents: ['READ_RECORDS'] });
    const [self, clinic] = [await withOldScope(first, own, narrow), await exchange.newConsent(narrow, { holder })];
    const pair = (more: Fields) => [measurement(more), measurement(more)];
    const outOfScope = pair({});
    expectRefusal(await exchange.submit(self, outOfScope), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    expectRefusal(await exchange.submit(clinic, outOfScope), 'CATEGORY_NOT_AUTHORIZED');
    expectRefusal(await exchange.submit(clinic, pair({ biomarker: 'BSP-LA-001' })), 'PERIOD_NOT_AUTHORIZED');
    const old = { biomarker: 'BSP-LA-001', collected_at: '2019-01-01T00:00:00Z' };
    expectRefusal(await exchange.submit(clinic, pair(old)), 'RECORD_LIMIT_REACHED');
    expect((await exchange.submit(clinic, [measurement(old)])).status).toBe(201);
  });
});

describe('a destroyed identity', () => {
  test.each(OPERATIONS)('is refused by every reference to it: $name', async (operation) => {
    const use: ConsentParties = await exchange.newConsent();
    await exchange.parties.beo(use.holder, 'destroy', 'destroyBEO');
    const codes = new Set<string>();
    for (const id of references(use.holder))
      codes.add((await operation.send(signed(operation, { ...use, holder: { id } }))).body.code);
    expect([...codes]).toEqual(['BEO_DESTROYED']);
  });
});
