import { describe, expect, test } from 'vitest';
import { assignedIds, isReferenceTo, memberOf, referencesOf, subjectIds } from './apply.ts';
import type { Beo } from './entities/beo.ts';
import type { Entity } from './entities/entities.ts';
import type { Ieo } from './entities/ieo.ts';
import { approveProposal } from './operations/approve-proposal.ts';
import { createBEO } from './operations/create-beo.ts';
import { destroyBEO } from './operations/destroy-beo.ts';
import { grantConsent } from './operations/grant-consent.ts';
import { lockBEO } from './operations/lock-beo.ts';
import { openProposal } from './operations/open-proposal.ts';
import { revokeAllFromIEO } from './operations/revoke-all-from-ieo.ts';
import { revokeToken } from './operations/revoke-token.ts';
import type { TestLedger } from './operations/test-ledger.ts';
import { at, consentGrant, LAB, ledgerWith, MARIA, requireEntity, scopeOf } from './operations/test-requests.ts';
import { OPERATIONS } from './operations.ts';

function beoOf(ledger: TestLedger): Beo {
  const beo = ledger.find('BEO', MARIA);
  if (!beo) throw new Error('There is no Maria.');
  return beo;
}

describe('the subjects that a ledger entry names', () => {
  test('are none if the operation has only the entity that the entry is about', () => {
    expect(assignedIds(createBEO, {})).toEqual({});
    expect(assignedIds(lockBEO, { holder: MARIA })).toEqual({});
  });

  test('are those that a field names, not those that follow from another entity', () => {
    expect(assignedIds(grantConsent, { holder: MARIA, grantee: LAB })).toEqual({ holder: MARIA, grantee: LAB });
    expect(assignedIds(revokeAllFromIEO, { holder: MARIA, grantee: LAB })).toEqual({ grantee: LAB });
    expect(assignedIds(openProposal, { institution: LAB })).toEqual({ institution: LAB });
    expect(assignedIds(revokeToken, { token: 'token', holder: MARIA })).toEqual({});
    expect(assignedIds(approveProposal, { proposal: 'proposal', institution: LAB })).toEqual({});
  });

  test('are enough to derive all subjects, for every operation', () => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant(), at(1));
    const proposal = { kind: 'PROPOSAL', id: 'proposal', ieoId: LAB } as unknown as Entity;
    const entities = {
      get: (kind: Entity['kind'], id: string) => (kind === 'PROPOSAL' ? proposal : ledger.find(kind, id)) as never,
    };
    const idOf = { holder: MARIA, grantee: LAB, institution: LAB, token: 'token', proposal: 'proposal' };
    for (const operation of OPERATIONS) {
      const roles = Object.keys(operation.subjects) as (keyof typeof idOf)[];
      const ids = Object.fromEntries(roles.map((role) => [role, idOf[role]]));
      const entityId = 'role' in operation.about ? (ids[operation.about.role] ?? '') : 'new';
      expect(subjectIds(operation, entities, { entityId, assigned: assignedIds(operation, ids) })).toEqual(ids);
    }
  });

  test('an entry with a missing subject is an internal error', () => {
    const { entities } = ledgerWith();
    for (const [operation, assigned] of [
      [grantConsent, { holder: MARIA }],
      [revokeAllFromIEO, {}],
      [revokeToken, {}],
    ] as const) {
      const find = () => subjectIds(operation, entities, { entityId: 'none', assigned });
      expect(find).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
    }
  });
});

test('the references of an operation are its subjects and what it touches', () => {
  const ledger = ledgerWith();
  const [holder, grantee] = [beoOf(ledger), requireEntity(ledger, 'IEO')];
  const publicFacts = { scope: scopeOf() };
  expect(referencesOf(grantConsent, { entityId: 'token', publicFacts }, { holder, grantee })).toEqual([
    { kind: 'BEO', id: MARIA },
    { kind: 'IEO', id: LAB },
    { scopeKey: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { liveTokensOf: MARIA },
  ]);
  const beo = { kind: 'BEO', id: MARIA };
  expect(referencesOf(lockBEO, { entityId: MARIA, publicFacts: {} }, { holder })).toEqual([beo]);
  const destroyed = referencesOf(destroyBEO, { entityId: MARIA, publicFacts: {} }, { holder });
  expect(destroyed).toEqual([beo, { kind: 'NAME', id: 'maria.bsp' }]);
});

describe('isReferenceTo', () => {
  const id = '0b7cf8c1-5a0e-5c43-9f0e-2f6a4f1f9d55';
  const lab = { kind: 'IEO', id, domain: 'lab.bsp', transactionId: 'Transaction' } as unknown as Ieo;

  test.each([id, id.toUpperCase(), 'Transaction', 'lab.bsp', 'LAB.Bsp'])('accepts %s', (reference) => {
    expect(isReferenceTo(reference, lab)).toBe(true);
  });

  test.each(['', 'transaction', 'TRANSACTION', 'lab', 'lab.bsp ', 'null', id.slice(1)])('rejects %j', (reference) => {
    expect(isReferenceTo(reference, lab)).toBe(false);
  });

  test('rejects a domain if the entity has none', () => {
    const destroyed = { ...lab, kind: 'BEO', domain: null } as unknown as Beo;
    for (const reference of ['lab.bsp', 'null', '']) expect(isReferenceTo(reference, destroyed)).toBe(false);
    expect(isReferenceTo('lab.bsp', { ...lab, kind: 'NAME' } as unknown as Entity)).toBe(false);
  });

  test('memberOf returns an empty string for a missing member', () => {
    expect([memberOf(lab, 'domain'), memberOf(lab, 'none'), memberOf(undefined, 'id')]).toEqual(['lab.bsp', '', '']);
  });
});
