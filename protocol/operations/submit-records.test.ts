import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IeoType } from '../entities/ieo.ts';
import type { Scope } from '../entities/token.ts';
import { derivedIds, type LedgerId } from '../ids.ts';
import { commitmentOf } from '../records/submitted.ts';
import { canonicalJson, type Json } from '../signing/canonical-json.ts';
import { hexToBytes, utf8ToBytes } from '../signing/encoding.ts';
import { destroyBEO } from './destroy-beo.ts';
import { lockBEO } from './lock-beo.ts';
import { lockIEO } from './lock-ieo.ts';
import { revokeAllTokens } from './revoke-all-tokens.ts';
import { revokeByIntent } from './revoke-by-intent.ts';
import { rotateIEOKey } from './rotate-ieo-key.ts';
import { submitRecords } from './submit-records.ts';
import { createTestLedger, type TestLedger } from './test-ledger.ts';
import {
  afterDays,
  at,
  beoCreation,
  byHolder,
  byInstitution,
  consentGrant,
  decide,
  ieoCreation,
  key,
  LAB,
  ledgerWith,
  MARIA,
  refusalOf,
  requireEntity,
  START,
  setStatus,
  submission,
  withdrawal,
} from './test-requests.ts';
import { unlockBEO } from './unlock-beo.ts';
import { unlockIEO } from './unlock-ieo.ts';

const SUBMIT: Partial<Scope> = { intents: ['SUBMIT_RECORD'] };

function ledgerWithConsent(scope: Partial<Scope> = {}, expiresInDays: number | null = 30): TestLedger {
  const ledger = ledgerWith();
  ledger.submit(consentGrant({ scope: { ...SUBMIT, ...scope }, expiresInDays }), at(1));
  return ledger;
}

const submittedCount = (ledger: TestLedger, tokenId = 'token') => requireEntity(ledger, 'TOKEN', tokenId).submitted;

/** Replays the entries, as an audit or a restore does. */
function replay(ledger: TestLedger): TestLedger {
  const again = createTestLedger();
  for (const entry of ledger.recorded) again.submit(entry, entry.acceptedAt);
  return again;
}

describe('a submission', () => {
  test('is counted on its consent, and changes nothing else', () => {
    const ledger = ledgerWithConsent();
    const before = ledger.all();
    const { seq, vaultsToErase, rowsToDelete, changes } = ledger.submit(submission(7), at(2));
    expect([vaultsToErase, rowsToDelete, changes.map(({ kind }) => kind)]).toEqual([[], [], ['TOKEN']]);
    const changed = ledger.all().filter((entity) => !before.includes(entity));
    const was = before.find(({ id }) => id === 'token');
    expect(changed).toEqual([{ ...was, submitted: 7, seq }]);
    ledger.submit(submission(100), at(3));
    expect(submittedCount(ledger)).toBe(107);
  });

  test('works after the institution changed its key, and after both were locked and unlocked', () => {
    const ledger = ledgerWithConsent();
    ledger.submit(submission(), at(2));
    ledger.submit(byInstitution(rotateIEOKey, { newPublicKey: key('b') }), at(3));
    ledger.submit(submission(), at(4));
    ledger.submit(byHolder(lockBEO), at(5));
    ledger.submit(byHolder(unlockBEO), at(6));
    ledger.submit(byInstitution(lockIEO), at(7));
    ledger.submit(byInstitution(unlockIEO), at(8));
    ledger.submit(submission(), at(9));
    decide(ledger, 'suspendIEO', at(10));
    decide(ledger, 'reinstateIEO', at(11));
    ledger.submit(submission(), at(12));
    expect(submittedCount(ledger)).toBe(4);
    expect(replay(ledger).all()).toEqual(ledger.all());
  });

  test('is counted on its own consent only', () => {
    const ledger = ledgerWithConsent({ max_records: 5 });
    ledger.submit(ieoCreation({}, 'clinic'), at(1));
    ledger.submit(consentGrant({ grantee: 'clinic', scope: { ...SUBMIT, max_records: 5 } }, 'other'), at(1));
    ledger.submit(submission(5), at(2));
    ledger.submit(submission(4, 'other'), at(3));
    expect([submittedCount(ledger), submittedCount(ledger, 'other')]).toEqual([5, 4]);
    expect(refusalOf(() => ledger.submit(submission(1), at(4))).code).toBe('RECORD_LIMIT_REACHED');
    ledger.submit(submission(1, 'other'), at(5));
  });
});

describe('the limit of a consent', () => {
  test('is reached by batches together, and never exceeded by one', () => {
    const ledger = ledgerWithConsent({ max_records: 10 });
    ledger.submit(submission(4), at(2));
    const refusal = refusalOf(() => ledger.submit(submission(7), at(3)));
    expect([refusal.code, refusal.details]).toEqual(['RECORD_LIMIT_REACHED', { max_records: 10, submitted: 4 }]);
    ledger.submit(submission(6), at(4));
    expect(submittedCount(ledger)).toBe(10);
    expect(refusalOf(() => ledger.submit(submission(1), at(5))).code).toBe('RECORD_LIMIT_REACHED');
  });

  test('applies to the first batch', () => {
    expect(refusalOf(() => ledgerWithConsent({ max_records: 2 }).submit(submission(3), at(2))).code).toBe(
      'RECORD_LIMIT_REACHED',
    );
  });

  test('starts again only with a new consent', () => {
    const ledger = ledgerWithConsent({ max_records: 3 });
    ledger.submit(submission(3), at(2));
    ledger.submit(withdrawal(), at(3));
    ledger.submit(consentGrant({ scope: { ...SUBMIT, max_records: 3 } }, 'second'), at(4));
    expect(submittedCount(ledger, 'second')).toBe(0);
    ledger.submit(submission(3, 'second'), at(5));
    expect([submittedCount(ledger), submittedCount(ledger, 'second')]).toEqual([3, 3]);
  });

  test('is kept in every order of batches, and by every replay', () => {
    const batches = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(batches, fc.option(fc.integer({ min: 1, max: 600 })), (sizes, limit) => {
        const ledger = ledgerWithConsent({ max_records: limit });
        let count = 0;
        sizes.forEach((size, index) => {
          const fits = limit === null || count + size <= limit;
          const submit = () => ledger.submit(submission(size), at(2 + index));
          if (fits) {
            submit();
            count += size;
          } else expect(refusalOf(submit).code).toBe('RECORD_LIMIT_REACHED');
          expect(submittedCount(ledger)).toBe(count);
        });
        expect(replay(ledger).all()).toEqual(ledger.all());
      }),
    );
  });
});

describe('a submission is rejected', () => {
  test.each<[what: string, code: string, change: (ledger: TestLedger) => unknown]>([
    ['with a consent that was withdrawn', 'TOKEN_REVOKED', (ledger) => ledger.submit(withdrawal(), at(3))],
    ['after all consents were withdrawn', 'TOKEN_REVOKED', (ledger) => ledger.submit(byHolder(revokeAllTokens), at(3))],
    [
      'after the consents with the intent were withdrawn',
      'TOKEN_REVOKED',
      (ledger) => ledger.submit(byHolder(revokeByIntent, { intent: 'SUBMIT_RECORD' }), at(3)),
    ],
    ['for a locked holder', 'BEO_LOCKED', (ledger) => ledger.submit(byHolder(lockBEO), at(3))],
    ['for a destroyed holder', 'BEO_DESTROYED', (ledger) => ledger.submit(byHolder(destroyBEO), at(3))],
    ['by a locked institution', 'IEO_LOCKED', (ledger) => setStatus(ledger, 'LOCKED', at(3))],
    ['by a suspended institution', 'IEO_NOT_ACTIVE', (ledger) => setStatus(ledger, 'SUSPENDED', at(3))],
    ['by a revoked institution', 'IEO_NOT_ACTIVE', (ledger) => setStatus(ledger, 'REVOKED', at(3))],
    ['by a destroyed institution', 'IEO_DESTROYED', (ledger) => setStatus(ledger, 'DESTROYED', at(3))],
  ])('%s', (_, code, change) => {
    const ledger = ledgerWithConsent();
    ledger.submit(submission(2), at(2));
    change(ledger);
    const before = ledger.all();
    expect(refusalOf(() => ledger.submit(submission(), at(4))).code).toBe(code);
    expect(ledger.all()).toEqual(before);
    expect(submittedCount(ledger)).toBe(2);
    expect(replay(ledger).all()).toEqual(ledger.all());
  });

  test('from the moment that a consent expires', () => {
    const ledger = ledgerWithConsent({}, 1);
    ledger.submit(submission(), afterDays(1, 59_999));
    expect(refusalOf(() => ledger.submit(submission(), afterDays(1, 60_000))).code).toBe('TOKEN_EXPIRED');
  });

  test('with a consent for other intents', () => {
    const ledger = ledgerWithConsent({ intents: ['READ_RECORDS', 'EXPORT_DATA'] });
    expect(refusalOf(() => ledger.submit(submission(), at(2))).code).toBe('INTENT_NOT_AUTHORIZED');
  });

  test('by a holder to itself', () => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant({ grantee: MARIA, scope: SUBMIT }), at(1));
    expect(refusalOf(() => ledger.submit(submission(), at(2))).code).toBe('INTENT_NOT_ALLOWED_FOR_TYPE');
  });

  test.each<[IeoType, Partial<Scope>, number | null, string | null]>([
    ['LAB', { categories: ['*'] }, null, null],
    ['WEARABLE', { categories: ['BSP-DV'] }, null, null],
    ['WEARABLE', { categories: ['*'] }, null, null],
    ['INSURER', { categories: ['BSP-CV'] }, 7, null],
    ['WEARABLE', { categories: ['BSP-DV', 'BSP-CV'] }, null, 'INTENT_NOT_ALLOWED_FOR_TYPE'],
    ['INSURER', { categories: ['BSP-CV'] }, null, 'INTENT_NOT_ALLOWED_FOR_TYPE'],
    ['PLATFORM', { categories: ['*'] }, 7, 'INTENT_NOT_ALLOWED_FOR_TYPE'],
  ])('by a type of institution that may not submit: %s with %j for %s days', (ieoType, scope, days, code) => {
    const ledger = ledgerWithConsent(scope, days);
    const lab = requireEntity(ledger, 'IEO');
    const entities = {
      get: (kind: string, id: string) =>
        kind === 'IEO' ? ({ ...lab, ieoType } as never) : ledger.entities.get(kind as 'BEO', id),
      granted: ledger.entities.granted,
    } as TestLedger['entities'];
    const subjects = { token: 'token', holder: MARIA, grantee: LAB };
    const { publicFacts } = submission();
    const submit = () =>
      submitRecords.transition(entities, {
        ...{
          entityId: 'token',
          subjects,
          publicFacts: publicFacts as never,
          signer: null,
          assigned: {},
          acceptedAt: at(2),
        },
      });
    if (code === null) expect(submit().changes).toHaveLength(1);
    else expect(refusalOf(submit).code).toBe(code);
  });

  test('with the record limit checked last', () => {
    const ledger = ledgerWithConsent({ max_records: 1 });
    ledger.submit(submission(), at(2));
    expect(refusalOf(() => ledger.submit(submission(), at(3))).code).toBe('RECORD_LIMIT_REACHED');
    setStatus(ledger, 'SUSPENDED', at(3));
    expect(refusalOf(() => ledger.submit(submission(), at(4))).code).toBe('IEO_NOT_ACTIVE');
    ledger.submit(byHolder(lockBEO), at(4));
    expect(refusalOf(() => ledger.submit(submission(), at(5))).code).toBe('BEO_LOCKED');
  });
});

describe('a consent keeps its number of records', () => {
  test.each<[what: string, end: (ledger: TestLedger) => unknown]>([
    ['withdrawn alone', (ledger) => ledger.submit(withdrawal(), at(3))],
    ['withdrawn with all others', (ledger) => ledger.submit(byHolder(revokeAllTokens), at(3))],
    ['ended with its holder', (ledger) => ledger.submit(byHolder(destroyBEO), at(3))],
    ['ended with its institution', (ledger) => setStatus(ledger, 'DESTROYED', at(3))],
  ])('%s', (_, end) => {
    const ledger = ledgerWithConsent();
    ledger.submit(submission(42), at(2));
    end(ledger);
    expect(submittedCount(ledger)).toBe(42);
    expect(submittedCount(replay(ledger))).toBe(42);
  });
});

describe('the batch of a request', () => {
  const fieldsOf = (records: readonly unknown[]) => ({
    targetBeo: 'maria.bsp',
    consentToken: 'tok_0b7cf8c1-5a0e-5c43-9f0e-2f6a4f1f9d55',
    records: records as unknown[],
  });
  const validRecord = (collected_at = at(0)) => ({ biomarker: 'BSP-GL-001', value: 92, unit: 'mg/dL', collected_at });
  const examine = (records: readonly unknown[]) => submitRecords.examine?.(fieldsOf(records), START, []) ?? null;

  test('has at most a hundred records; otherwise they are not parsed', () => {
    expect(examine(Array(100).fill(validRecord()))).toBeNull();
    const refused = examine(Array(101).fill('nothing'));
    expect([refused?.code, refused?.details]).toEqual(['TOO_MANY_RECORDS', { records: 101, most: 100 }]);
  });

  test('has days until the latest date on earth', () => {
    const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const [today, tomorrow] = [dayAt(START + 14 * 3_600_000), dayAt(START + 38 * 3_600_000)];
    expect(examine([validRecord(today)])).toBeNull();
    expect(examine([validRecord(tomorrow)])?.details).toEqual({
      records: [{ index: 0, path: 'collected_at', message: 'must not be in the future' }],
    });
  });

  test('is rejected as a whole with every invalid record', () => {
    const refused = examine([validRecord(), { ...validRecord(), unit: '' }, validRecord(), 7, validRecord(at(2))]);
    expect([refused?.code, refused?.message]).toEqual([
      'RECORD_INVALID',
      'Of 5 records 3 are not valid; none was stored.',
    ]);
    expect(refused?.details).toEqual({
      records: [
        { index: 1, path: 'unit', message: 'is required' },
        { index: 3, path: '', message: 'must be an object' },
        { index: 4, path: 'collected_at', message: 'must not be in the future' },
      ],
    });
  });

  test.each([
    [64 * 1024, null],
    [64 * 1024 + 1, 'is larger than 64 KiB'],
  ])('has records of at most 64 KiB of canonical JSON: %s bytes', (bytes, message) => {
    const record = (remarks: string) => ({ ...validRecord(), remarks });
    const size = utf8ToBytes(canonicalJson(record(''))).length;
    const full = record('ü'.repeat(Math.floor((bytes - size) / 2)) + 'x'.repeat((bytes - size) % 2));
    expect(utf8ToBytes(canonicalJson(full)).length).toBe(bytes);
    const issues = message === null ? null : { records: [{ index: 1, path: '', message }] };
    expect(examine([validRecord(), full])?.details ?? null).toEqual(issues);
  });

  test.each([
    [0, null],
    [60_000, null],
    [60_001, 'RECORD_INVALID'],
    [366 * 24 * 3_600_000, 'RECORD_INVALID'],
  ])('has records collected at most a minute after the service’s time: %s ms', (ahead, code) => {
    expect(examine([validRecord(new Date(START + ahead).toISOString())])?.code ?? null).toBe(code);
  });

  test('has one salted commitment for each record', () => {
    const ids = derivedIds('ab'.repeat(32) as LedgerId, 'signature');
    const records = [validRecord(), { ...validRecord(), value: '5.40', remarks: 'nüchtern' }];
    const salts = [1, 2];
    const newSalt = () => new Uint8Array(32).fill(salts.shift() ?? 0);
    const sealing = submitRecords.sealed?.seal(fieldsOf(records), ids, {}, newSalt);
    expect(sealing?.publicFacts).toEqual({
      targetBeo: 'maria.bsp',
      consentToken: fieldsOf([]).consentToken,
      commitments: records.map((record, index) =>
        commitmentOf(new Uint8Array(32).fill(index + 1), utf8ToBytes(canonicalJson(record as Json))),
      ),
    });
    expect(sealing?.records?.map(({ submitted }) => submitted)).toEqual(records);
    const recordIds = sealing?.records?.map(({ recordId }) => recordId);
    expect(recordIds).toEqual([ids.recordId(0), ids.recordId(1)]);
    expect(new Set(recordIds).size).toBe(2);
    expect(sealing?.records?.map(({ salt }) => hexToBytes(salt)[0])).toEqual([1, 2]);
    expect([sealing?.rows, sealing?.invited]).toEqual([[], []]);
  });

  test('has no public facts without a seal', () => {
    const request = { message: {}, signature: '', fields: fieldsOf([validRecord()]) };
    expect(refusalOf(() => submitRecords.publicFacts(request)).code).toBe('INTERNAL');
  });
});

test('the count-only message has the number of records instead of the records', () => {
  const message = { consentToken: 'c', function: 'submitRecords', nonce: 'n', targetBeo: 'b', timestamp: 't' };
  expect(submitRecords.countOnlyMessage?.({ ...message, records: [{}, {}, {}] })).toEqual({
    ...message,
    recordCount: 3,
  });
  expect(submitRecords.countOnlyMessage?.({ ...message, records: [] })).toEqual({ ...message, recordCount: 0 });
});

describe('the public part of an entry', () => {
  const facts = {
    timestamp: at(0),
    targetBeo: MARIA,
    consentToken: 'token',
    commitments: [key('a'), key('b')],
  };
  const read = (changes: object) => submitRecords.sealed?.publicFacts.safeParse({ ...facts, ...changes });

  test('is passed to the transition without the timestamp', () => {
    const { timestamp: _, ...publicFacts } = facts;
    expect(read({})?.data).toEqual(publicFacts);
    const ciphertexts = ['YQ==', 'Yg=='];
    expect(read({ ciphertexts })?.data).toEqual({ ...publicFacts, ciphertexts });
    expect(read({ commitments: Array(100).fill(key('c')) })?.success).toBe(true);
  });

  test.each<[string, object]>([
    ['no commitments', { commitments: undefined }],
    ['an empty list of them', { commitments: [] }],
    ['more than a batch can hold', { commitments: Array(101).fill(key('c')) }],
    ['a commitment in upper case', { commitments: [key('A')] }],
    ['a commitment that is too short', { commitments: [key('a').slice(1)] }],
    ['a commitment that is a number', { commitments: [92] }],
    ['fewer ciphertexts than commitments', { ciphertexts: ['YQ=='] }],
    ['more ciphertexts than commitments', { ciphertexts: ['YQ==', 'Yg==', 'Yw=='] }],
    ['no ciphertexts where there is a list', { ciphertexts: [] }],
    ['a ciphertext that is not a string', { ciphertexts: ['YQ==', { glucose: 92 }] }],
    ['a plaintext for a ciphertext', { ciphertexts: ['YQ==', 'Fasting glucose: 92 mg/dL'] }],
    ['records in the clear', { records: [{ biomarker: 'BSP-GL-001' }] }],
    ['a record count', { recordCount: 2 }],
    ['no consent', { consentToken: undefined }],
    ['no person', { targetBeo: undefined }],
  ])('is rejected with %s', (_, changes) => {
    expect(read(changes)?.success).toBe(false);
  });
});

test('holder and grantee of a submission are those of its consent', () => {
  const ledger = createTestLedger();
  ledger.submit(beoCreation({}, 'ana'), at(0));
  ledger.submit(ieoCreation(), at(0));
  ledger.submit(consentGrant({ holder: 'ana', scope: SUBMIT }), at(1));
  ledger.submit(submission(3, 'token', 'ana'), at(2));
  expect(ledger.recorded.at(-1)?.subjects).toEqual({ token: 'token', holder: 'ana', grantee: LAB });
});
