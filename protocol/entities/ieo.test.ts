import { describe, expect, test } from 'vitest';
import type { IeoId, TransactionId } from '../ids.ts';
import { certificationView, hasEnded, IEO_STATUSES, type Ieo, ieoView, NO_CONTACTS, UNCERTIFIED } from './ieo.ts';

const AT = '2026-01-31T12:00:00.000Z';
const NOW = Date.parse(AT);

const lab: Ieo = {
  kind: 'IEO',
  id: 'lab' as IeoId,
  domain: 'lab.bsp',
  displayName: 'Lab',
  ieoType: 'LAB',
  country: 'PT',
  jurisdiction: 'EU',
  legalId: '500 000 000',
  publicKey: 'ee',
  keyVersion: 1,
  status: 'ACTIVE',
  createdAt: AT,
  updatedAt: AT,
  lockedAt: null,
  certification: {
    level: 'ADVANCED',
    grantedAt: AT,
    expiresAt: null,
    categories: ['BSP-CV'],
    intents: ['READ_RECORDS'],
  },
  contacts: { apiEndpoint: 'https://lab.example/api', webhookUrl: null },
  recovery: { enabled: false, guardians: [] },
  transactionId: 'transaction' as TransactionId,
  seq: 7,
  createdSeq: 2,
};

describe('the view of an institution', () => {
  test('has the members of protocol §3 in snake_case', () => {
    expect(ieoView(lab, 'POSTED')).toEqual({
      ieo_id: 'lab',
      domain: 'lab.bsp',
      display_name: 'Lab',
      ieo_type: 'LAB',
      country: 'PT',
      jurisdiction: 'EU',
      legal_id: '500 000 000',
      public_key: 'ee',
      key_version: 1,
      status: 'ACTIVE',
      created_at: AT,
      updated_at: AT,
      locked_at: null,
      version: '1.0.0',
      certification: {
        level: 'ADVANCED',
        granted_at: AT,
        expires_at: null,
        categories: ['BSP-CV'],
        intents: ['READ_RECORDS'],
      },
      contacts: { api_endpoint: 'https://lab.example/api', webhook_url: null },
      recovery: { enabled: false, threshold: 2, guardians: [] },
      arweave_tx: 'transaction',
      ledger: { seq: 7, status: 'POSTED' },
    });
  });

  test('has the same members after the institution was destroyed', () => {
    const destroyed: Ieo = {
      ...lab,
      status: 'DESTROYED',
      displayName: null,
      country: null,
      jurisdiction: null,
      legalId: null,
      publicKey: null,
      certification: UNCERTIFIED,
      contacts: NO_CONTACTS,
    };
    const view = ieoView(destroyed, 'FINAL');
    expect(Object.keys(view)).toEqual(Object.keys(ieoView(lab, 'FINAL')));
    expect(view).toMatchObject({ domain: 'lab.bsp', public_key: null, certification: { level: 'UNCERTIFIED' } });
  });

  test('an institution has ended only if it is revoked or destroyed', () => {
    expect(IEO_STATUSES.filter((status) => hasEnded({ status }))).toEqual(['REVOKED', 'DESTROYED']);
  });
});

describe('the certification of an institution', () => {
  const HOUR = 3_600_000;
  const until = new Date(NOW + HOUR).toISOString();
  const view = (changes: Partial<Ieo>, now = NOW) => certificationView({ ...lab, ...changes }, now);

  test('has a level, a start and an end', () => {
    const certification = { ...lab.certification, categories: [], intents: [] };
    const certified = { certified: true, level: 'ADVANCED', granted_at: AT };
    expect(view({ certification })).toEqual({ ...certified, expires_at: null });
    expect(view({ certification: { ...certification, expiresAt: until } })).toEqual({
      ...certified,
      expires_at: until,
    });
  });

  test('lists the categories and intents that it is restricted to', () => {
    expect(view({})).toMatchObject({ certified: true, categories: ['BSP-CV'], intents: ['READ_RECORDS'] });
  });

  test.each(IEO_STATUSES)('is valid only while the institution is ACTIVE: %s', (status) => {
    const { certified, ...rest } = view({ status });
    expect(certified).toBe(status === 'ACTIVE');
    expect(rest).toMatchObject(status === 'ACTIVE' ? {} : { reason: 'IEO_NOT_ACTIVE', level: 'ADVANCED' });
  });

  test('is missing for an uncertified institution', () => {
    const none = { certified: false, level: 'UNCERTIFIED', granted_at: null, expires_at: null, reason: 'UNCERTIFIED' };
    expect(view({ certification: UNCERTIFIED })).toEqual(none);
  });

  test('ends exactly at expiresAt', () => {
    const certification = { ...lab.certification, expiresAt: until };
    expect(view({ certification }, NOW + HOUR - 1).certified).toBe(true);
    const ended = { certified: false, level: 'ADVANCED', expires_at: until, reason: 'CERTIFICATION_EXPIRED' };
    expect(view({ certification }, NOW + HOUR)).toMatchObject(ended);
  });
});
