import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { derivedIds, type GuardianId, type InvitationId, type LedgerId } from '../ids.ts';
import { createBEO } from '../operations/create-beo.ts';
import { boundKey } from '../shapes.ts';
import { GUARDIAN_ROLES } from './guardian.ts';
import { invitedRecovery, type PublicGuardian } from './recovery.ts';
import { splitRecovery } from './recovery-configuration.ts';

const ids = derivedIds('00'.repeat(32) as LedgerId, 'signature');
const key = (digit: string): string => digit.repeat(64);
const AT = '2026-01-31T12:00:00.000Z';

const publicGuardian = (index: number, public_key: string | null): PublicGuardian => ({
  guardian_id: `guardian ${index}` as GuardianId,
  invitation_id: `invitation ${index}` as InvitationId,
  role: GUARDIAN_ROLES[index] ?? 'primary',
  public_key,
});

describe('the public facts of a configuration', () => {
  const configuration = {
    guardians: [
      { name: 'Ana', contact: 'ana@example.org', role: 'primary' as const, public_key: key('A') },
      { name: 'Bruno', contact: '+351 910 000 000', role: 'tertiary' as const, public_key: '' },
    ],
    threshold: 2 as const,
  };

  test('are ids, roles and keys in lower case; names and contacts go into vault rows', () => {
    expect(splitRecovery(configuration, ids)).toEqual({
      enabled: true,
      guardians: [
        {
          guardian_id: ids.guardianId('primary'),
          invitation_id: ids.invitationId('primary'),
          role: 'primary',
          public_key: key('a'),
        },
        {
          guardian_id: ids.guardianId('tertiary'),
          invitation_id: ids.invitationId('tertiary'),
          role: 'tertiary',
          public_key: null,
        },
      ],
      invited: [
        {
          guardianId: ids.guardianId('primary'),
          invitationId: ids.invitationId('primary'),
          role: 'primary',
        },
        {
          guardianId: ids.guardianId('tertiary'),
          invitationId: ids.invitationId('tertiary'),
          role: 'tertiary',
        },
      ],
      kept: [],
      rows: [
        { id: `guardian:${ids.guardianId('primary')}`, content: { name: 'Ana', contact: 'ana@example.org' } },
        { id: `guardian:${ids.guardianId('tertiary')}`, content: { name: 'Bruno', contact: '+351 910 000 000' } },
      ],
    });
  });

  test('have enabled set unless it is false', () => {
    for (const [enabled, expected] of [
      [true, true],
      [false, false],
      [null, true],
    ] as const) {
      expect(splitRecovery({ guardians: [], enabled }, ids).enabled).toBe(expected);
    }
  });

  test('never contain a name, a contact or an extra member', () => {
    const word = fc.stringMatching(/^PRIVATE [a-z0-9]{1,9}$/);
    const guardian = fc.record({ name: word, contact: word, note: word });
    fc.assert(
      fc.property(fc.array(guardian, { minLength: 1, maxLength: 3 }), (guardians) => {
        const recovery = {
          guardians: guardians.map((guardian, index) => ({ ...guardian, role: GUARDIAN_ROLES[index] ?? 'primary' })),
          note: 'PRIVATE',
        };
        const sealing = createBEO.sealed?.seal(
          { domain: 'Maria.bsp', publicKey: key('A'), recovery },
          ids,
          {},
          () => new Uint8Array(32),
        );
        expect(JSON.stringify([sealing?.publicFacts, sealing?.invited])).not.toContain('PRIVATE');
        expect(createBEO.sealed?.publicFacts.parse({ timestamp: AT, ...sealing?.publicFacts })).toEqual(
          sealing?.publicFacts,
        );
        expect(sealing?.publicFacts).toMatchObject({ domain: 'maria.bsp', publicKey: key('a'), enabled: true });
        expect(sealing?.rows).toHaveLength(guardians.length);
      }),
    );
  });

  test('are those of the open message if there is no configuration', () => {
    const fields = { domain: 'Maria.bsp', publicKey: key('A'), recovery: null };
    expect(createBEO.sealed?.seal(fields, ids, {}, () => new Uint8Array(32))).toBeNull();
    expect(createBEO.publicFacts({ fields, message: {}, signature: '' })).toEqual({
      domain: 'maria.bsp',
      publicKey: key('a'),
      enabled: false,
      guardians: [],
    });
  });

  test('a sealed entry with other members is rejected on replay', () => {
    const facts = { timestamp: AT, domain: 'maria.bsp', publicKey: key('a'), enabled: true, guardians: [] };
    expect(createBEO.sealed?.publicFacts.safeParse(facts).success).toBe(true);
    const withName = { ...publicGuardian(0, null), name: 'Ana' };
    for (const changed of [
      { ...facts, name: 'Ana' },
      { ...facts, timestamp: undefined },
      { ...facts, guardians: [withName] },
    ]) {
      expect(createBEO.sealed?.publicFacts.safeParse(changed).success).toBe(false);
    }
  });
});

describe('the keys of a configuration', () => {
  test('null, absent and empty mean that no key is bound', () => {
    expect([boundKey(null), boundKey(undefined), boundKey(''), boundKey(key('A'))]).toEqual([
      null,
      null,
      null,
      key('a'),
    ]);
  });

  test('are checked together with the holder’s key', () => {
    const guardians = [
      { name: 'Ana', contact: 'a', role: 'primary' as const, public_key: key('B') },
      { name: 'Bruno', contact: 'b', role: 'secondary' as const, public_key: '' },
      { name: 'Célia', contact: 'c', role: 'tertiary' as const },
    ];
    const introduced = createBEO.introduces?.({ domain: 'maria.bsp', publicKey: key('A'), recovery: { guardians } });
    expect(introduced).toEqual({ keys: [key('A'), key('b')], domains: ['maria.bsp'] });
  });

  test('must differ from the holder’s key and from one another', () => {
    const bound = fc.constantFrom(null, key('a'), key('b'), key('c'), key('d'));
    fc.assert(
      fc.property(fc.array(bound, { maxLength: 3 }), (keys) => {
        const guardians = keys.map((public_key, index) => publicGuardian(index, public_key));
        const all = [key('a'), ...keys.filter((bound) => bound !== null)];
        const invite = () => invitedRecovery(guardians, true, key('a'), AT);
        if (new Set(all).size < all.length) expect(invite).toThrow(ProtocolError);
        else expect(invite().guardians.map(({ publicKey }) => publicKey)).toEqual(keys);
      }),
    );
  });

  test('the error has the role of the guardian with the duplicate key', () => {
    const invite = () => invitedRecovery([publicGuardian(1, key('a'))], true, key('a'), AT);
    expect(invite).toThrow(expect.objectContaining({ code: 'PUBLIC_KEY_TAKEN', details: { role: 'secondary' } }));
  });
});

test('new guardians are PENDING, neither accepted nor confirmed', () => {
  expect(invitedRecovery([publicGuardian(0, null)], false, key('a'), AT)).toEqual({
    enabled: false,
    guardians: [
      {
        guardianId: 'guardian 0',
        invitationId: 'invitation 0',
        role: 'primary',
        publicKey: null,
        status: 'PENDING',
        addedAt: AT,
        acceptedAt: null,
        confirmedAt: null,
        namedAt: null,
        removedAt: null,
        countsUntil: null,
      },
    ],
  });
  expect(invitedRecovery([], true, key('a'), AT)).toEqual({ enabled: true, guardians: [] });
});
