import { describe, expect, test } from 'vitest';
import type { Beo } from '../entities/beo.ts';
import { NO_SOCIAL_RECOVERY } from '../entities/social-recovery.ts';
import { type AnyOperation, OPERATIONS, operationFor } from '../operations.ts';
import { acceptGuardian } from './accept-guardian.ts';
import { confirmRecovery } from './confirm-recovery.ts';
import { createBEO } from './create-beo.ts';
import { createIEO } from './create-ieo.ts';
import { destroyBEO } from './destroy-beo.ts';
import { lockBEO } from './lock-beo.ts';
import { revokeAllFromIEO } from './revoke-all-from-ieo.ts';
import { revokeAllTokens } from './revoke-all-tokens.ts';
import { revokeByIntent } from './revoke-by-intent.ts';
import { rotateBEOKey } from './rotate-beo-key.ts';
import { rotateIEOKey } from './rotate-ieo-key.ts';
import { createTestLedger, type Request, type TestLedger } from './test-ledger.ts';
import {
  answerOf,
  at,
  beoCreation,
  byHolder,
  guardian,
  ieoCreation,
  key,
  MARIA,
  refusalOf,
  START,
} from './test-requests.ts';
import { unlockBEO } from './unlock-beo.ts';

const rotation = (newPublicKey: string) => byHolder(rotateBEOKey, { newPublicKey });

/** The requests that put an identity into a state; null if it never exists. */
const STATES: Readonly<Record<string, readonly Request[] | null>> = {
  'that does not exist': null,
  ACTIVE: [],
  LOCKED: [byHolder(lockBEO)],
  DESTROYED: [byHolder(destroyBEO)],
};

const beoOf = (ledger: TestLedger): Beo | undefined => ledger.find('BEO', MARIA);

function ledgerIn(state: string, beginning: readonly Request[] = [beoCreation()]): TestLedger {
  const ledger = createTestLedger();
  const requests = STATES[state];
  if (!requests) return ledger;
  for (const request of beginning) ledger.submit(request, at(0));
  for (const request of requests) ledger.submit(request, at(1));
  return ledger;
}

describe('what each operation does in each state', () => {
  const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
    //             missing          ACTIVE          LOCKED            DESTROYED
    lockBEO: ['BEO_NOT_FOUND', 'LOCKED', 'ALREADY_LOCKED', 'BEO_DESTROYED'],
    unlockBEO: ['BEO_NOT_FOUND', 'NOT_LOCKED', 'ACTIVE', 'BEO_DESTROYED'],
    rotateBEOKey: ['BEO_NOT_FOUND', 'ACTIVE', 'LOCKED', 'BEO_DESTROYED'],
    destroyBEO: ['BEO_NOT_FOUND', 'DESTROYED', 'DESTROYED', 'BEO_DESTROYED'],
    revokeAllTokens: ['BEO_NOT_FOUND', 'ACTIVE', 'LOCKED', 'BEO_DESTROYED'],
    revokeAllFromIEO: ['BEO_NOT_FOUND', 'ACTIVE', 'LOCKED', 'BEO_DESTROYED'],
    revokeByIntent: ['BEO_NOT_FOUND', 'ACTIVE', 'LOCKED', 'BEO_DESTROYED'],
    updateBEORecovery: ['BEO_NOT_FOUND', 'ACTIVE', 'BEO_LOCKED', 'BEO_DESTROYED'],
    inviteGuardian: ['BEO_NOT_FOUND', 'ACTIVE', 'BEO_LOCKED', 'BEO_DESTROYED'],
    acceptGuardian: ['BEO_NOT_FOUND', 'ACTIVE', 'BEO_LOCKED', 'BEO_DESTROYED'],
    confirmGuardian: ['BEO_NOT_FOUND', 'ACTIVE', 'BEO_LOCKED', 'BEO_DESTROYED'],
    requireConfirmedGuardians: ['BEO_NOT_FOUND', 'ACTIVE', 'BEO_LOCKED', 'BEO_DESTROYED'],
    resignGuardian: ['BEO_NOT_FOUND', 'ACTIVE', 'BEO_LOCKED', 'BEO_DESTROYED'],
    confirmRecovery: ['BEO_NOT_FOUND', 'ACTIVE', 'LOCKED', 'BEO_DESTROYED'],
    cancelRecovery: ['BEO_NOT_FOUND', 'ACTIVE', 'LOCKED', 'BEO_DESTROYED'],
  };
  const table = Object.entries(OUTCOMES).flatMap(([name, outcomes]) =>
    Object.keys(STATES).map((state, column) => [name, state, outcomes[column] ?? ''] as const),
  );

  /** Two guardians are invited; the first has accepted, and has confirmed a recovery. */
  const WITH_GUARDIANS = [
    beoCreation({ enabled: true, guardians: [guardian('primary'), guardian('secondary')] }),
    byHolder(acceptGuardian, { invitationId: 'invitation primary', publicKey: key('c') }),
    {
      ...byHolder(confirmRecovery, { requestId: 'confirmed request', newPublicKey: key('e') }),
      assigned: { opened_at: at(0) },
      signer: key('c'),
    },
  ];

  const FIELDS: Readonly<Record<string, object>> = {
    rotateBEOKey: { newPublicKey: key('b') },
    revokeByIntent: { intent: 'READ_RECORDS' },
    updateBEORecovery: { enabled: true, guardians: [] },
    inviteGuardian: { guardian: guardian('tertiary') },
    acceptGuardian: { invitationId: 'invitation secondary', publicKey: key('d') },
    confirmGuardian: { guardianId: 'guardian primary', publicKey: key('c') },
    resignGuardian: { guardianId: 'guardian primary' },
    confirmRecovery: { requestId: 'request', newPublicKey: key('f') },
    cancelRecovery: { requestId: 'confirmed request' },
  };

  test.each(table)('%s on an identity %s: %s', (name, state, outcome) => {
    const ledger = ledgerIn(state, WITH_GUARDIANS);
    const before = ledger.all();
    const operation = OPERATIONS.find((row) => row.name === name) as AnyOperation;
    const assigned = { grantee: MARIA, opened_at: at(4) };
    const request = { ...byHolder(operation, FIELDS[name]), assigned, signer: key('c') };
    if (['ACTIVE', 'LOCKED', 'DESTROYED'].includes(outcome)) {
      ledger.submit(request, at(5));
      expect(beoOf(ledger)).toMatchObject({ status: outcome, updatedAt: at(5), createdAt: at(0) });
    } else {
      expect(refusalOf(() => ledger.submit(request, at(5))).code).toBe(outcome);
      expect(ledger.all()).toEqual(before);
    }
  });

  test('the table above has every operation on an existing identity', () => {
    const named = OPERATIONS.filter(({ about }) => 'role' in about && about.role === 'holder').map(({ name }) => name);
    expect(named.sort(), 'OUTCOMES above needs a row for each').toEqual(Object.keys(OUTCOMES).sort());
  });
});

describe('createBEO', () => {
  test('creates an active identity with key version 1 and the name', () => {
    const ledger = ledgerIn('ACTIVE');
    expect(ledger.all()).toEqual([
      {
        kind: 'NAME',
        id: 'maria.bsp',
        holder: { kind: 'BEO', id: MARIA },
        availableAt: null,
        transactionId: 'transaction 1',
        seq: 1,
      },
      {
        kind: 'BEO',
        id: MARIA,
        domain: 'maria.bsp',
        publicKey: key('a'),
        keyVersion: 1,
        status: 'ACTIVE',
        createdAt: at(0),
        updatedAt: at(0),
        lockedAt: null,
        recovery: NO_SOCIAL_RECOVERY,
        transactionId: 'transaction 1',
        seq: 1,
      },
    ]);
  });

  test('is rejected while the name has a holder', () => {
    for (const state of ['ACTIVE', 'LOCKED']) {
      const ledger = ledgerIn(state);
      const error = refusalOf(() =>
        ledger.submit(beoCreation({ domain: 'maria.bsp', publicKey: key('b') }, 'other'), at(60 * 24 * 365)),
      );
      expect(error).toMatchObject({ code: 'DOMAIN_TAKEN', details: undefined });
    }
  });

  test('is replayed with the name of a destroyed identity after exactly ten minutes', () => {
    const ledger = ledgerIn('DESTROYED');
    expect(ledger.find('NAME', 'maria.bsp')).toMatchObject({ holder: null, availableAt: at(11), seq: 2 });
    const again = beoCreation({ domain: 'maria.bsp', publicKey: key('b') }, 'other');
    for (const moment of [at(1), at(10), new Date(START + 11 * 60_000 - 1).toISOString()]) {
      const error = refusalOf(() => ledger.submit(again, moment));
      expect(error).toMatchObject({ code: 'DOMAIN_TAKEN', details: undefined });
    }
    ledger.submit(again, at(11));
    expect(ledger.find('NAME', 'maria.bsp')).toMatchObject({
      holder: { kind: 'BEO', id: 'other' },
      availableAt: null,
      transactionId: 'transaction 3',
    });
    expect(beoOf(ledger)).toMatchObject({ status: 'DESTROYED', seq: 2, transactionId: 'transaction 1' });
  });

  test('accepts a key that another identity has, so that no one can block a key', () => {
    const ledger = ledgerIn('ACTIVE');
    ledger.submit(beoCreation({ domain: 'ana.bsp' }, 'ana'), at(1));
    expect(ledger.find('BEO', 'ana')?.publicKey).toBe(key('a'));
  });

  test('invites the guardians it names', () => {
    const ledger = createTestLedger();
    const guardians = [guardian('primary', key('c')), guardian('secondary')];
    ledger.submit(beoCreation({ enabled: true, guardians }), at(0));
    expect(beoOf(ledger)?.recovery).toMatchObject({
      enabled: true,
      guardians: [
        { guardianId: 'guardian primary', role: 'primary', publicKey: key('c'), status: 'PENDING', addedAt: at(0) },
        { guardianId: 'guardian secondary', role: 'secondary', publicKey: null, status: 'PENDING', addedAt: at(0) },
      ],
    });
  });

  test('is rejected if a guardian has the key of the holder or of another guardian', () => {
    for (const guardians of [
      [guardian('primary', key('a'))],
      [guardian('primary', key('c')), guardian('secondary'), guardian('tertiary', key('c'))],
    ]) {
      const error = refusalOf(() => createTestLedger().submit(beoCreation({ enabled: true, guardians }), at(0)));
      expect(error.code).toBe('PUBLIC_KEY_TAKEN');
    }
  });
});

describe('lockBEO and unlockBEO', () => {
  test('set and clear lockedAt', () => {
    const ledger = ledgerIn('LOCKED');
    expect(beoOf(ledger)).toMatchObject({ lockedAt: at(1), seq: 2, transactionId: 'transaction 1' });
    expect(refusalOf(() => ledger.submit(byHolder(lockBEO), at(2))).details).toEqual({ locked_at: at(1) });
    ledger.submit(byHolder(unlockBEO), at(3));
    expect(beoOf(ledger)).toMatchObject({ status: 'ACTIVE', lockedAt: null, seq: 3, publicKey: key('a') });
  });
});

describe('rotateBEOKey', () => {
  test('increases the key version and stores the key in lower case; a locked identity stays locked', () => {
    const ledger = ledgerIn('LOCKED');
    ledger.submit(rotation(key('B')), at(2));
    expect(beoOf(ledger)).toMatchObject({ publicKey: key('b'), keyVersion: 2, status: 'LOCKED', lockedAt: at(1) });
    ledger.submit(rotation(key('a')), at(3));
    expect(beoOf(ledger)).toMatchObject({ publicKey: key('a'), keyVersion: 3 });
  });

  test('is rejected for the current key, in either case', () => {
    for (const same of [key('a'), key('A')]) {
      expect(refusalOf(() => ledgerIn('ACTIVE').submit(rotation(same), at(2))).code).toBe('KEY_UNCHANGED');
    }
  });

  test('is rejected for a guardian’s key, in either case', () => {
    const ledger = createTestLedger();
    ledger.submit(beoCreation({ enabled: true, guardians: [guardian('primary', key('c'))] }), at(0));
    for (const taken of [key('c'), key('C')]) {
      expect(refusalOf(() => ledger.submit(rotation(taken), at(1))).code).toBe('PUBLIC_KEY_TAKEN');
    }
    ledger.submit(rotation(key('d')), at(2));
    expect(beoOf(ledger)?.keyVersion).toBe(2);
  });
});

describe('destroyBEO', () => {
  test('clears key, domain, lock and guardians, erases the vault and releases the name', () => {
    const ledger = createTestLedger();
    ledger.submit(beoCreation({ enabled: true, guardians: [guardian('primary', key('c'))] }), at(0));
    ledger.submit(rotation(key('b')), at(1));
    ledger.submit(byHolder(lockBEO), at(2));
    expect(ledger.submit(byHolder(destroyBEO), at(3)).vaultsToErase).toEqual([MARIA]);
    expect(beoOf(ledger)).toEqual({
      kind: 'BEO',
      id: MARIA,
      domain: null,
      publicKey: null,
      keyVersion: 2,
      status: 'DESTROYED',
      createdAt: at(0),
      updatedAt: at(3),
      lockedAt: null,
      recovery: NO_SOCIAL_RECOVERY,
      transactionId: 'transaction 1',
      seq: 4,
    });
    expect(JSON.stringify(beoOf(ledger))).not.toMatch(/bsp|aaaa|bbbb|cccc|guardian /);
  });

  test('no other operation erases a vault', () => {
    const ledger = ledgerIn('ACTIVE');
    for (const request of [byHolder(lockBEO), rotation(key('b')), byHolder(unlockBEO)]) {
      expect(ledger.submit(request, at(2)).vaultsToErase).toEqual([]);
    }
  });
});

describe('the responses', () => {
  test('have the members of protocol §4', () => {
    const ledger = createTestLedger();
    expect(answerOf(ledger, beoCreation(), at(0))).toMatchObject({
      beo_id: MARIA,
      domain: 'maria.bsp',
      beo: { beo_id: MARIA, status: 'ACTIVE', ledger: { seq: 1, status: 'ACCEPTED' } },
      invitations: [],
    });
    expect(answerOf(ledger, byHolder(lockBEO), at(1))).toEqual({ locked_at: at(1) });
    expect(answerOf(ledger, byHolder(unlockBEO), at(2))).toEqual({ unlocked_at: at(2) });
    expect(answerOf(ledger, rotation(key('B')), at(3))).toEqual({ key_version: 2, public_key: key('b') });
    expect(answerOf(ledger, byHolder(destroyBEO), at(4))).toEqual({ destroyed_at: at(4) });
  });
});

describe('the table of operations', () => {
  const routesOf = ({ routes }: AnyOperation) => routes.map(({ method, path }) => `${method} ${path}`);

  test('has one row per name, and every route of protocol §1 with its rate-limit group', () => {
    expect(new Set(OPERATIONS.map(({ name }) => name)).size).toBe(OPERATIONS.length);
    const routes = OPERATIONS.flatMap((row) => row.routes.map((route) => ({ ...route, row })));
    const described = routes.map(({ method, path, limit, row }) => `${method} ${path} ${row.function} ${limit}`);
    expect(described.sort(), 'the routes of protocol §1 are the list below').toEqual([
      'DELETE /api/consent/:tokenId revokeToken consent',
      'DELETE /api/consent/all revokeAllTokens consent',
      'DELETE /api/consent/ieo/:ieo_domain revokeAllFromIEO consent',
      'DELETE /api/consent/intent/:intent revokeByIntent consent',
      'POST /api/exchange/records submitRecords exchange_submit',
      'POST /api/guardian/accept/:token acceptGuardian guardian_link',
      'POST /api/guardian/confirm confirmGuardian guardian_link',
      'POST /api/guardian/confirm-recovery/:token confirmRecovery guardian_link',
      'POST /api/guardian/invite inviteGuardian guardian_invite',
      'POST /api/guardian/require-confirmed requireConfirmedGuardians guardian_link',
      'POST /api/guardian/resign resignGuardian guardian_link',
      'POST /api/ieo createIEO relayer',
      'POST /api/ieo/approve approveProposal relayer',
      'POST /api/ieo/approve openProposal relayer',
      'POST /api/ieo/certification updateCertification relayer',
      'POST /api/ieo/contacts updateContacts relayer',
      'POST /api/ieo/destroy destroyIEO relayer',
      'POST /api/ieo/lock lockIEO relayer',
      'POST /api/ieo/recovery updateRecovery relayer',
      'POST /api/ieo/rotate-key rotateKey relayer',
      'POST /api/ieo/unlock unlockIEO relayer',
      'POST /api/relayer/beo createBEO relayer',
      'POST /api/relayer/beo/cancel-recovery cancelRecovery relayer',
      'POST /api/relayer/beo/destroy destroyBEO relayer',
      'POST /api/relayer/beo/lock lockBEO relayer',
      'POST /api/relayer/beo/recovery updateRecovery relayer',
      'POST /api/relayer/beo/revoke-all revokeAllTokens relayer',
      'POST /api/relayer/beo/rotate-key rotateKey relayer',
      'POST /api/relayer/beo/unlock unlockBEO relayer',
      'POST /api/relayer/consent grantConsent consent',
    ]);
  });

  test('has status 201 if a signed operation creates something, else 200', () => {
    const creating = OPERATIONS.filter(({ status }) => status === 201).map(({ name }) => name);
    expect(creating.sort()).toEqual(['createBEO', 'createIEO', 'grantConsent', 'inviteGuardian', 'submitRecords']);
  });

  test('a path parameter is a field of the operation or the token of a link', () => {
    for (const operation of OPERATIONS) {
      for (const { path, takes = {}, link } of operation.routes) {
        const parameters = [...Object.keys(takes), ...(link ? ['token'] : [])];
        expect(path.match(/:\w+/g) ?? []).toEqual(parameters.map((name) => `:${name}`));
        for (const field of Object.values(takes)) expect(Object.keys(operation.fields.shape)).toContain(field);
      }
    }
  });

  test('two rows share a route only if their fields differ', () => {
    for (const one of OPERATIONS) {
      for (const other of OPERATIONS.filter((row) => row !== one)) {
        if (!routesOf(one).some((route) => routesOf(other).includes(route))) continue;
        const shared = Object.keys(one.fields.shape).filter((name) => Object.hasOwn(other.fields.shape, name));
        expect(shared).toEqual([]);
      }
    }
  });

  test('finds the row of an entry by its function and its fields', () => {
    expect(operationFor('createBEO', {})).toBe(createBEO);
    expect(operationFor('createIEO', {})).toBe(createIEO);
    expect(operationFor('rotateKey', { beoId: MARIA, newPublicKey: key('b') })).toBe(rotateBEOKey);
    expect(operationFor('rotateKey', { ieoId: 'x', newPublicKey: key('b') })).toBe(rotateIEOKey);
    expect(operationFor('rotateBEOKey', { beoId: MARIA })).toBeNull();
    expect(operationFor('', {})).toBeNull();
  });
});

test('the revocations of a BEO change only tokens and updatedAt', () => {
  const ledger = createTestLedger();
  ledger.submit(beoCreation(), at(0));
  ledger.submit(ieoCreation(), at(0));
  ledger.submit(byHolder(lockBEO), at(1));
  const before = beoOf(ledger);
  for (const request of [
    byHolder(revokeAllTokens),
    { ...byHolder(revokeAllFromIEO), assigned: { grantee: 'lab' } },
    byHolder(revokeByIntent, { intent: 'EXPORT_DATA' }),
  ]) {
    const { seq, acceptedAt } = ledger.submit(request, at(2));
    expect(beoOf(ledger)).toEqual({ ...before, seq, updatedAt: acceptedAt });
  }
});
