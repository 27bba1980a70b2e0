import { describe, expect, test } from 'vitest';
import { IEO_STATUSES, IEO_TYPES, type IeoStatus } from '../entities/ieo.ts';
import type { ErrorCode } from '../errors.ts';
import { derivedIds, type LedgerId } from '../ids.ts';
import { type AnyOperation, OPERATIONS } from '../operations.ts';
import { createIEO } from './create-ieo.ts';
import { destroyBEO } from './destroy-beo.ts';
import { destroyIEO } from './destroy-ieo.ts';
import { lockIEO } from './lock-ieo.ts';
import { rotateIEOKey } from './rotate-ieo-key.ts';
import { createTestLedger } from './test-ledger.ts';
import {
  afterDays,
  answerOf,
  at,
  beoCreation,
  byHolder,
  byInstitution,
  guardian,
  ieoCreation,
  key,
  LAB,
  ledgerWith,
  refusalOf,
  requireEntity,
  setStatus,
} from './test-requests.ts';
import { unlockIEO } from './unlock-ieo.ts';
import { updateIEOContacts } from './update-ieo-contacts.ts';
import { updateIEORecovery } from './update-ieo-recovery.ts';

const rotation = (newPublicKey: string) => byInstitution(rotateIEOKey, { newPublicKey });
const contactsUpdate = (apiEndpoint: string | null, webhookUrl: string | null) =>
  byInstitution(updateIEOContacts, { apiEndpoint, webhookUrl });
const recoveryUpdate = (...guardians: ReturnType<typeof guardian>[]) =>
  byInstitution(updateIEORecovery, { enabled: true, guardians });

describe('what an institution’s key can do in each state', () => {
  type Outcome = IeoStatus | ErrorCode;
  const GONE = ['IEO_NOT_ACTIVE', 'IEO_DESTROYED'] as const;
  const OUTCOMES: Readonly<Record<string, readonly Outcome[]>> = {
    //         ACTIVE       LOCKED            SUSPENDED         REVOKED, DESTROYED
    lockIEO: ['LOCKED', 'ALREADY_LOCKED', 'IEO_NOT_ACTIVE', ...GONE],
    unlockIEO: ['NOT_LOCKED', 'ACTIVE', 'IEO_NOT_ACTIVE', ...GONE],
    rotateIEOKey: ['ACTIVE', 'LOCKED', 'SUSPENDED', ...GONE],
    destroyIEO: ['DESTROYED', 'DESTROYED', 'DESTROYED', ...GONE],
    updateIEOContacts: ['ACTIVE', 'IEO_LOCKED', 'IEO_NOT_ACTIVE', ...GONE],
    updateIEORecovery: ['ACTIVE', 'IEO_LOCKED', 'IEO_NOT_ACTIVE', ...GONE],
  };
  const FIELDS: Readonly<Record<string, object>> = {
    rotateIEOKey: { newPublicKey: key('f') },
    updateIEOContacts: { apiEndpoint: 'https://lab.example/', webhookUrl: null },
    updateIEORecovery: { enabled: true, guardians: [guardian('primary')] },
  };
  const table = Object.entries(OUTCOMES).flatMap(([name, outcomes]) =>
    IEO_STATUSES.map((state, column) => [name, state, outcomes[column] ?? 'INTERNAL'] as const),
  );
  const isStatus = (outcome: Outcome): outcome is IeoStatus => (IEO_STATUSES as readonly string[]).includes(outcome);
  const requestOf = (name: string) =>
    byInstitution(OPERATIONS.find((operation) => operation.name === name) as AnyOperation, FIELDS[name]);

  test.each(table)('%s by an institution that is %s: %s', (name, state, outcome) => {
    const ledger = ledgerWith(state);
    const before = ledger.all();
    if (isStatus(outcome)) {
      ledger.submit(requestOf(name), at(5));
      expect(requireEntity(ledger, 'IEO')).toMatchObject({ status: outcome, updatedAt: at(5), createdAt: at(0) });
    } else {
      expect(refusalOf(() => ledger.submit(requestOf(name), at(5))).code).toBe(outcome);
      expect(ledger.all()).toEqual(before);
    }
  });

  test.each(Object.keys(OUTCOMES))('%s by an unknown institution: IEO_NOT_FOUND', (name) => {
    const refused = refusalOf(() => createTestLedger().submit(requestOf(name), at(5)));
    expect(refused.code).toBe('IEO_NOT_FOUND');
  });

  test('the table above has every operation that an institution signs about itself', () => {
    const signed = OPERATIONS.filter(({ signer }) => typeof signer === 'object' && 'role' in signer);
    const named = signed.filter(({ about }) => 'role' in about && about.role === 'institution').map(({ name }) => name);
    expect(named.sort(), 'OUTCOMES above needs a row for each').toEqual(Object.keys(OUTCOMES).sort());
  });
});

describe('createIEO', () => {
  test('creates an active, uncertified institution with the name', () => {
    const ledger = createTestLedger();
    ledger.submit(ieoCreation({ country: 'PT', legalId: '500 000 000' }), at(0));
    const recorded = { transactionId: 'transaction 1', seq: 1 };
    expect(ledger.all()).toEqual([
      { kind: 'NAME', id: 'lab.bsp', holder: { kind: 'IEO', id: LAB }, availableAt: null, ...recorded },
      {
        kind: 'IEO',
        id: LAB,
        domain: 'lab.bsp',
        displayName: 'Lab',
        ieoType: 'LAB',
        country: 'PT',
        jurisdiction: null,
        legalId: '500 000 000',
        publicKey: key('e'),
        keyVersion: 1,
        status: 'ACTIVE',
        createdAt: at(0),
        updatedAt: at(0),
        lockedAt: null,
        certification: { level: 'UNCERTIFIED', grantedAt: null, expiresAt: null, categories: [], intents: [] },
        contacts: { apiEndpoint: null, webhookUrl: null },
        recovery: { enabled: false, guardians: [] },
        ...recorded,
        createdSeq: 1,
      },
    ]);
  });

  test('stores domain and key in lower case, and missing fields as null', () => {
    const fields = {
      domain: 'Lab.BSP',
      ieoType: 'LAB',
      displayName: 'Lab',
      publicKey: key('E'),
      country: 'PT',
    } as const;
    expect(createIEO.publicFacts({ fields: { ...fields, legalId: null }, message: {}, signature: '' })).toEqual({
      domain: 'lab.bsp',
      ieoType: 'LAB',
      displayName: 'Lab',
      publicKey: key('e'),
      country: 'PT',
      jurisdiction: null,
      legalId: null,
    });
  });

  test.each(IEO_TYPES)('creates a %s', (ieoType) => {
    const ledger = createTestLedger();
    ledger.submit(ieoCreation({ ieoType }), at(0));
    expect(requireEntity(ledger, 'IEO').ieoType).toBe(ieoType);
  });

  test('is rejected for the name of a person, and createBEO for that of an institution', () => {
    const ledger = ledgerWith();
    const before = ledger.all();
    for (const [request, code] of [
      [ieoCreation({ domain: 'maria.bsp' }, 'other'), 'DOMAIN_TAKEN'],
      [ieoCreation({ domain: 'lab.bsp' }, 'other'), 'DOMAIN_TAKEN'],
      [beoCreation({ domain: 'lab.bsp' }, 'other'), 'DOMAIN_TAKEN'],
    ] as const) {
      expect(refusalOf(() => ledger.submit(request, afterDays(400)))).toMatchObject({ code, details: undefined });
    }
    expect(ledger.all()).toEqual(before);
  });

  test('is replayed with the name of a destroyed person once it was available', () => {
    const ledger = ledgerWith();
    ledger.submit(byHolder(destroyBEO), at(1));
    const request = ieoCreation({ domain: 'maria.bsp' }, 'clinic');
    const refused = refusalOf(() => ledger.submit(request, at(10)));
    expect(refused).toMatchObject({ code: 'DOMAIN_TAKEN', details: undefined });
    ledger.submit(request, at(11));
    expect(ledger.find('NAME', 'maria.bsp')).toMatchObject({
      holder: { kind: 'IEO', id: 'clinic' },
      availableAt: null,
    });
  });

  test.each(IEO_STATUSES)('never accepts the name of an institution that is %s; nor does createBEO', (state) => {
    const ledger = ledgerWith(state);
    for (const request of [
      ieoCreation({}, LAB),
      ieoCreation({ domain: 'lab.bsp' }, 'other'),
      beoCreation({ domain: 'lab.bsp' }, 'x'),
    ]) {
      const refused = refusalOf(() => ledger.submit(request, afterDays(36_500)));
      expect(refused).toMatchObject({ code: 'DOMAIN_TAKEN', details: undefined });
    }
    expect(ledger.find('NAME', 'lab.bsp')).toMatchObject({ holder: { kind: 'IEO', id: LAB }, availableAt: null });
  });

  test('accepts a key that another entity has', () => {
    const ledger = ledgerWith();
    ledger.submit(ieoCreation({ publicKey: key('a') }, 'clinic'), at(1));
    expect(requireEntity(ledger, 'IEO', 'clinic').publicKey).toBe(key('a'));
  });
});

describe('lockIEO and unlockIEO', () => {
  test('set and clear lockedAt', () => {
    const ledger = ledgerWith('LOCKED');
    expect(requireEntity(ledger, 'IEO').lockedAt).toBe(at(1));
    expect(refusalOf(() => ledger.submit(byInstitution(lockIEO), at(2))).details).toEqual({ locked_at: at(1) });
    ledger.submit(byInstitution(unlockIEO), at(3));
    expect(requireEntity(ledger, 'IEO')).toMatchObject({ status: 'ACTIVE', lockedAt: null, publicKey: key('e') });
  });
});

describe('rotateIEOKey', () => {
  test.each(['ACTIVE', 'LOCKED', 'SUSPENDED'] as const)('increases the key version while %s', (state) => {
    const ledger = ledgerWith(state);
    const { lockedAt } = requireEntity(ledger, 'IEO');
    ledger.submit(rotation(key('F')), at(2));
    ledger.submit(rotation(key('e')), at(3));
    expect(requireEntity(ledger, 'IEO')).toMatchObject({ publicKey: key('e'), keyVersion: 3, status: state, lockedAt });
  });

  test('is rejected for the current key and for a guardian’s key, in either case', () => {
    const ledger = ledgerWith();
    ledger.submit(recoveryUpdate(guardian('primary', key('c'))), at(1));
    for (const same of [key('e'), key('E')]) {
      expect(refusalOf(() => ledger.submit(rotation(same), at(2))).code).toBe('KEY_UNCHANGED');
    }
    for (const taken of [key('c'), key('C')]) {
      expect(refusalOf(() => ledger.submit(rotation(taken), at(2))).code).toBe('PUBLIC_KEY_TAKEN');
    }
  });
});

describe('updateIEOContacts', () => {
  test('replaces both; null removes one', () => {
    const ledger = ledgerWith();
    ledger.submit(contactsUpdate('https://lab.example/api', 'https://lab.example/hook'), at(1));
    ledger.submit(contactsUpdate(null, 'https://lab.example/other'), at(2));
    expect(requireEntity(ledger, 'IEO').contacts).toEqual({
      apiEndpoint: null,
      webhookUrl: 'https://lab.example/other',
    });
  });
});

describe('updateIEORecovery', () => {
  const ids = derivedIds('00'.repeat(32) as LedgerId, 'signature');
  const ana = { name: 'Ana', contact: 'ana@example.org', role: 'primary' as const, public_key: key('C') };

  test('replaces the guardians; null removes them', () => {
    const ledger = ledgerWith();
    ledger.submit(recoveryUpdate(guardian('primary', key('c')), guardian('secondary')), at(1));
    ledger.submit(recoveryUpdate(guardian('tertiary', key('d'))), at(2));
    expect(requireEntity(ledger, 'IEO').recovery).toMatchObject({
      enabled: true,
      guardians: [{ role: 'tertiary', addedAt: at(2) }],
    });
    ledger.submit(byInstitution(updateIEORecovery, { enabled: false, guardians: [] }), at(3));
    expect(requireEntity(ledger, 'IEO').recovery).toEqual({ enabled: false, guardians: [] });
  });

  test('is rejected if a guardian has the institution’s key or another guardian’s', () => {
    for (const guardians of [
      [guardian('primary', key('e'))],
      [guardian('primary', key('c')), guardian('secondary', key('c'))],
    ]) {
      expect(refusalOf(() => ledgerWith().submit(recoveryUpdate(...guardians), at(1))).code).toBe('PUBLIC_KEY_TAKEN');
    }
  });

  test('seals the names and sends no invitations', () => {
    const sealing = updateIEORecovery.sealed?.seal(
      { ieoId: 'lab.bsp', recovery: { guardians: [ana] } },
      ids,
      {},
      () => new Uint8Array(32),
    );
    expect(sealing).toEqual({
      publicFacts: {
        ieoId: 'lab.bsp',
        enabled: true,
        guardians: [
          {
            guardian_id: ids.guardianId('primary'),
            invitation_id: ids.invitationId('primary'),
            role: 'primary',
            public_key: key('c'),
          },
        ],
      },
      rows: [{ id: `guardian:${ids.guardianId('primary')}`, content: { name: 'Ana', contact: 'ana@example.org' } }],
      invited: [],
    });
    const facts = { timestamp: at(0), ...sealing?.publicFacts };
    expect(updateIEORecovery.sealed?.publicFacts.parse(facts)).toEqual(sealing?.publicFacts);
    expect(updateIEORecovery.sealed?.publicFacts.safeParse({ ...facts, name: 'Ana' }).success).toBe(false);
  });

  test('is not sealed if the configuration is removed', () => {
    const fields = { ieoId: 'lab.bsp', recovery: null };
    expect(updateIEORecovery.sealed?.seal(fields, ids, {}, () => new Uint8Array(32))).toBeNull();
    const publicFacts = { ieoId: 'lab.bsp', enabled: false, guardians: [] };
    expect(updateIEORecovery.publicFacts({ fields, message: {}, signature: '' })).toEqual(publicFacts);
  });
});

describe('destroyIEO', () => {
  test.each(['ACTIVE', 'LOCKED', 'SUSPENDED'] as const)(
    'erases key, contacts, guardians and vault of an institution that is %s',
    (state) => {
      const ledger = ledgerWith();
      ledger.submit(recoveryUpdate(guardian('primary', key('c'))), at(0));
      ledger.submit(contactsUpdate('https://lab.example/api', 'https://lab.example/hook'), at(0));
      setStatus(ledger, state, at(1));
      expect(ledger.submit(byInstitution(destroyIEO), at(2)).vaultsToErase).toEqual([LAB]);
      const destroyed = requireEntity(ledger, 'IEO');
      expect(destroyed).toMatchObject({
        domain: 'lab.bsp',
        status: 'DESTROYED',
        publicKey: null,
        lockedAt: null,
        createdAt: at(0),
        updatedAt: at(2),
        contacts: { apiEndpoint: null, webhookUrl: null },
        recovery: { enabled: false, guardians: [] },
        transactionId: 'transaction 2',
      });
      expect(JSON.stringify(destroyed)).not.toMatch(/eeee|cccc|guardian |example/);
    },
  );

  test('no other operation of an institution erases its vault', () => {
    const ledger = ledgerWith();
    for (const request of [
      rotation(key('f')),
      contactsUpdate(null, null),
      recoveryUpdate(),
      byInstitution(lockIEO),
      byInstitution(unlockIEO),
    ]) {
      expect(ledger.submit(request, at(2)).vaultsToErase).toEqual([]);
    }
  });
});

test('the responses have the members of protocol §4', () => {
  const ledger = createTestLedger();
  const ieo = { ieo_id: LAB, domain: 'lab.bsp', ledger: { seq: 1, status: 'ACCEPTED' } };
  expect(answerOf(ledger, ieoCreation(), at(0))).toMatchObject({ ieo_id: LAB, domain: 'lab.bsp', ieo });
  expect(Object.keys(answerOf(ledger, contactsUpdate('https://lab.example/', null), at(1)))).toEqual(['ieo']);
  expect(answerOf(ledger, recoveryUpdate(guardian('primary')), at(2))).toMatchObject({
    ieo: { contacts: { api_endpoint: 'https://lab.example/' }, recovery: { enabled: true, threshold: 2 } },
  });
  expect(answerOf(ledger, byInstitution(lockIEO), at(3))).toEqual({ locked_at: at(3) });
  expect(answerOf(ledger, byInstitution(unlockIEO), at(4))).toEqual({ unlocked_at: at(4) });
  expect(answerOf(ledger, rotation(key('F')), at(5))).toEqual({ key_version: 2, public_key: key('f') });
  expect(answerOf(ledger, byInstitution(destroyIEO), at(6))).toEqual({ destroyed_at: at(6) });
});
