import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CERT_LEVELS, IEO_STATUSES, IEO_TYPES } from '../../../protocol/entities/ieo.ts';
import { amount } from '../../../protocol/test-amount.ts';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { createClock } from '../../platform/db/clock.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Fields, type Parties, type Party, partiesOf } from '../../write/test-parties.ts';
import { listEndingCertifications } from './list-ieos.ts';

let shift = 0;
let service: TestService;
let parties: Parties;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  parties = partiesOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

interface Listed {
  readonly ieo_id: string;
  readonly created_at: string;
  readonly status: string;
  readonly ieo_type: string;
  readonly certification: { readonly level: string; readonly expires_at: string | null };
}

interface List {
  readonly ieos: readonly Listed[];
  readonly count: number;
  readonly next_cursor: string | null;
}

const queryOf = (parameters: Fields): string =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
      value === null ? [] : [[name, String(value)]],
    ),
  ).toString();

async function list(parameters: Fields = {}): Promise<List> {
  const answer = await service.get(`/api/ieos?${queryOf(parameters)}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(Object.keys(answer.body)).toEqual(['ieos', 'count', 'next_cursor']);
  return answer.body;
}

const ids = (ieos: readonly Listed[]) => ieos.map(({ ieo_id }) => ieo_id);

/** Reads all pages of a list and calls `between` after each. */
async function pages(parameters: Fields, between: () => Promise<unknown> = async () => undefined): Promise<Listed[]> {
  const seen: Listed[] = [];
  let cursor: string | null = null;
  do {
    const page: List = await list({ ...parameters, cursor });
    if (page.next_cursor !== null) expect(page.ieos).toHaveLength(Number(parameters.limit ?? 50));
    seen.push(...page.ieos);
    cursor = page.next_cursor;
    await between();
  } while (cursor !== null);
  return seen;
}

const certify = (ieoId: string, level: string) => parties.institute('certification', { ieoId, level }, 1);

/** Operations that lead to each status. The tests apply them to institutions in turn. */
const STATUS_CHANGES: ((party: Party) => Promise<unknown>)[] = [
  async () => undefined,
  (party) => parties.ieo(party, 'lock', 'lockIEO'),
  (party) => parties.decide('suspendIEO', { ieoId: party.id, reason: 'Late.' }),
  (party) => parties.decide('revokeIEO', { ieoId: party.id, reason: 'Gone.' }),
  (party) => parties.ieo(party, 'destroy', 'destroyIEO'),
];

describe('a service without institutions', () => {
  test('returns an empty list', async () => {
    expect(await list()).toEqual({ ieos: [], count: 0, next_cursor: null });
    expect(await list({ status: 'ACTIVE', ieoType: 'LAB', certLevel: 'BASIC', limit: 1 })).toEqual({
      ieos: [],
      count: 0,
      next_cursor: null,
    });
  });
});

describe('seventy institutions of all types, statuses and levels', () => {
  let all: Listed[];
  beforeAll(async () => {
    const created: string[] = [];
    for (let index = 0; index < 70; index++) {
      const party = await parties.newInstitution({ ieoType: IEO_TYPES[index % IEO_TYPES.length] ?? '' });
      const level = CERT_LEVELS[(index * 3) % CERT_LEVELS.length] ?? '';
      if (level !== 'UNCERTIFIED') await certify(party.id, level);
      await STATUS_CHANGES[Math.floor(index / 3) % STATUS_CHANGES.length]?.(party);
      created.push(party.id);
    }
    const reads = await Promise.all(created.map((id) => service.get(`/api/ieos/${id}`)));
    all = reads
      .map(({ body }) => body.ieo)
      .sort((a, b) => (a.created_at + a.ieo_id < b.created_at + b.ieo_id ? 1 : -1));
    expect(new Set(all.map(({ status }) => status)).size).toBe(IEO_STATUSES.length);
  });

  test('are listed newest first, fifty per page, with all their members', async () => {
    const first = await list();
    expect([first.ieos.length, first.count]).toEqual([50, 70]);
    const withoutLedger = (ieos: readonly Listed[]) => ieos.map((ieo) => ({ ...ieo, ledger: null }));
    expect(withoutLedger(first.ieos)).toEqual(withoutLedger(all.slice(0, 50)));
    const second = await list({ cursor: first.next_cursor });
    expect(withoutLedger(second.ieos)).toEqual(withoutLedger(all.slice(50)));
    expect([second.count, second.next_cursor]).toEqual([70, null]);
    expect(await list({ limit: 200 })).toMatchObject({ count: 70, next_cursor: null });
    expect(ids((await list({ limit: 70 })).ieos)).toEqual(ids(all));
    expect((await list({ limit: 70 })).next_cursor).toBe(null);
  });

  test('are filtered and counted by every combination of filters', async () => {
    for (const status of [null, ...IEO_STATUSES]) {
      for (const ieoType of [null, ...IEO_TYPES]) {
        for (const certLevel of [null, ...CERT_LEVELS]) {
          if ([status, ieoType, certLevel].filter((filter) => filter !== null).length > amount(1, 3)) continue;
          const expected = all.filter(
            (ieo) =>
              (status === null || ieo.status === status) &&
              (ieoType === null || ieo.ieo_type === ieoType) &&
              (certLevel === null || ieo.certification.level === certLevel) &&
              (certLevel === null || certLevel === 'UNCERTIFIED' || ieo.status === 'ACTIVE'),
          );
          const found = await list({ status, ieoType, certLevel, limit: 200 });
          const filters = JSON.stringify({ status, ieoType, certLevel });
          expect([filters, found.count, ids(found.ieos)]).toEqual([filters, expected.length, ids(expected)]);
        }
      }
    }
  });

  test('are returned in pages of any size without gaps or duplicates', async () => {
    for (const limit of [1, 7, 35, 69, 200]) expect(ids(await pages({ limit }))).toEqual(ids(all));
    const suspended = all.filter(({ status }) => status === 'SUSPENDED');
    expect(suspended.length).toBeGreaterThan(8);
    expect(ids(await pages({ limit: 4, status: 'SUSPENDED' }))).toEqual(ids(suspended));
  });

  test('are so during concurrent creations and status changes', async () => {
    const newcomers: string[] = [];
    const seen = await pages({ limit: 6 }, async () => {
      const party = await parties.newInstitution();
      await STATUS_CHANGES[newcomers.length % STATUS_CHANGES.length]?.(party);
      newcomers.push(party.id);
    });
    expect(ids(seen)).toEqual(ids(all));
    expect(ids((await list({ limit: newcomers.length })).ieos)).toEqual(newcomers.toReversed());
  });

  test('are so if several were created at the same time', async () => {
    const before = ids(await pages({ limit: 200 }));
    const created = await Promise.all(
      Array.from({ length: 20 }, () => parties.newInstitution({ ieoType: 'WEARABLE' })),
    );
    const seen = ids(await pages({ limit: 3 }));
    expect(new Set(seen).size).toBe(seen.length);
    expect(new Set(seen.slice(0, 20))).toEqual(new Set(created.map(({ id }) => id)));
    expect(seen.slice(20)).toEqual(before);
  });
});

describe('the counts', () => {
  const counts = async (ieoType: string) => {
    const result: Record<string, number> = { all: (await list({ ieoType })).count };
    for (const status of IEO_STATUSES) result[status] = (await list({ ieoType, status })).count;
    for (const certLevel of CERT_LEVELS) result[certLevel] = (await list({ ieoType, certLevel })).count;
    return result;
  };

  test('are correct immediately after every operation', async () => {
    const party = await parties.newInstitution({ ieoType: 'RESEARCH' });
    let before = await counts('RESEARCH');
    const total = (await list()).count;
    const expectMove = async (change: () => Promise<unknown>, from: string, to: string) => {
      await change();
      const after = await counts('RESEARCH');
      const expected = { ...before, [from]: (before[from] ?? 0) - 1 };
      expect(after).toEqual({ ...expected, [to]: (expected[to] ?? 0) + 1 });
      before = after;
    };
    const { id: ieoId } = party;
    await expectMove(() => parties.ieo(party, 'lock', 'lockIEO'), 'ACTIVE', 'LOCKED');
    await expectMove(() => parties.decide('suspendIEO', { ieoId, reason: 'Late.' }), 'LOCKED', 'SUSPENDED');
    await expectMove(() => parties.decide('reinstateIEO', { ieoId }), 'SUSPENDED', 'ACTIVE');
    await expectMove(() => certify(ieoId, 'BASIC'), 'UNCERTIFIED', 'BASIC');
    await expectMove(
      () => parties.decide('changeCertLevel', { ieoId, level: 'RESEARCH_PARTNER' }),
      'BASIC',
      'RESEARCH_PARTNER',
    );
    await expectMove(() => certify(ieoId, 'UNCERTIFIED'), 'RESEARCH_PARTNER', 'UNCERTIFIED');
    await expectMove(() => parties.decide('revokeIEO', { ieoId, reason: 'Gone.' }), 'ACTIVE', 'REVOKED');
    const second = await parties.newInstitution({ ieoType: 'RESEARCH' });
    before = await counts('RESEARCH');
    await expectMove(() => parties.ieo(second, 'destroy', 'destroyIEO'), 'ACTIVE', 'DESTROYED');
    expect((await list()).count).toBe(total + 1);
  });

  test('do not change with refused or unrelated operations', async () => {
    const party = await parties.newInstitution({ ieoType: 'PHYSICIAN' });
    const before = await counts('PHYSICIAN');
    await parties.ieo(party, 'unlock', 'unlockIEO');
    await parties.ieo(party, 'contacts', 'updateContacts', { apiEndpoint: 'https://a.example', webhookUrl: null });
    expectRefusal(
      await service.post(
        '/api/ieo',
        parties.sign(
          party.person,
          'createIEO',
          parties.ieoFields(party.person, { domain: party.domain, ieoType: 'PHYSICIAN' }),
        ),
      ),
      'DOMAIN_TAKEN',
    );
    expect(await counts('PHYSICIAN')).toEqual(before);
  });
});

describe('a list accepts', () => {
  test('empty filters and a limit above the maximum', async () => {
    const idsOf = ({ ieos }: { readonly ieos: readonly { readonly ieo_id: string }[] }) =>
      ieos.map(({ ieo_id }) => ieo_id);
    const unfiltered = idsOf(await list({ limit: 50 }));
    for (const query of ['status=', 'ieoType=&certLevel=', 'limit=', 'cursor=']) {
      expect(idsOf((await service.get(`/api/ieos?${query}`)).body), query).toEqual(unfiltered);
    }
    const largest = idsOf(await list({ limit: 200 }));
    for (const limit of ['201', '99999999999999999999']) {
      expect(idsOf((await service.get(`/api/ieos?limit=${limit}`)).body)).toEqual(largest);
    }
  });

  test('LABORATORY as an alias of LAB', async () => {
    const labs = await service.get('/api/ieos?ieoType=LABORATORY');
    expect(labs.body.count).toBe((await service.get('/api/ieos?ieoType=LAB')).body.count);
    expect(labs.body.count).toBeGreaterThan(0);
  });
});

describe('a list is refused', () => {
  let cursor: string;
  let filtered: string;
  beforeEach(async () => {
    cursor = (await list({ limit: 2 })).next_cursor ?? '';
    filtered = (await list({ limit: 2, status: 'ACTIVE' })).next_cursor ?? '';
  });

  test.each([
    'status=active',
    'status=DELETED',
    'status=ACTIVE,LOCKED',
    'status=constructor',
    'ieoType=PHARMACY',
    'ieoType=LAB%20',
    'certLevel=NONE',
    'certLevel=BASIC%00',
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=1e2',
    'limit=ten',
    'offset=10',
    'ieo_type=LAB',
    'Status=ACTIVE',
    'toString=1',
    'status=ACTIVE&status=ACTIVE',
    'status=ACTIVE&status=LOCKED',
    'limit=1&limit=2',
    'cursor=null',
    'cursor=0',
    `cursor=${'A'.repeat(5_000)}`,
  ])('with VALIDATION_FAILED: ?%s', async (query) => {
    const answer = await service.get(`/api/ieos?${query}`);
    expectRefusal(answer, 'VALIDATION_FAILED');
    expect(answer.body.details.issues.map(({ path }: { path: string }) => path)).toEqual([query.split('=')[0]]);
  });

  test('with a cursor of which a character was changed, removed or added', async () => {
    expect(cursor).toMatch(/^[\w-]{24,}$/);
    for (let index = 0; index < cursor.length; index += amount(9, 1)) {
      const replacement = cursor[index] === 'A' ? 'B' : 'A';
      const changed = cursor.slice(0, index) + replacement + cursor.slice(index + 1);
      expectRefusal(await service.get(`/api/ieos?limit=2&cursor=${changed}`), 'VALIDATION_FAILED');
      const shorter = cursor.slice(0, index) + cursor.slice(index + 1);
      expectRefusal(await service.get(`/api/ieos?limit=2&cursor=${shorter}`), 'VALIDATION_FAILED');
    }
    for (const more of [`${cursor}A`, `${cursor}=`, `A${cursor}`, cursor + cursor]) {
      expectRefusal(await service.get(`/api/ieos?limit=2&cursor=${more}`), 'VALIDATION_FAILED');
    }
  });

  test('with a cursor of other filters, but not with another page size', async () => {
    expect((await list({ cursor, limit: 1 })).ieos).toHaveLength(1);
    expect((await list({ cursor: filtered, status: 'ACTIVE', limit: 9 })).ieos).toHaveLength(9);
    for (const query of [
      `cursor=${cursor}&status=ACTIVE`,
      `cursor=${cursor}&certLevel=UNCERTIFIED`,
      `cursor=${filtered}`,
      `cursor=${filtered}&status=LOCKED`,
      `cursor=${filtered}&status=ACTIVE&ieoType=LAB`,
    ]) {
      expectRefusal(await service.get(`/api/ieos?${query}`), 'VALIDATION_FAILED');
    }
  });

  test('with a cursor of another list, and of another service', async () => {
    const [holder, clinic] = [await parties.newHolder(), await parties.newInstitution()];
    for (const intent of ['READ_RECORDS', 'SUBMIT_RECORD']) {
      await parties.granted(holder, clinic.id, { intents: [intent], categories: ['*'] });
    }
    const history = (await service.get(`/api/consent/history/${holder.domain}?limit=1`)).body.next_cursor;
    expect(history).not.toBe(null);
    expectRefusal(await service.get(`/api/ieos?cursor=${history}`), 'VALIDATION_FAILED');
    expectRefusal(await service.get(`/api/consent/history/${holder.domain}?cursor=${cursor}`), 'VALIDATION_FAILED');

    const foreign = await startTestService();
    try {
      expectRefusal(await foreign.get(`/api/ieos?cursor=${cursor}`), 'VALIDATION_FAILED');
    } finally {
      await foreign.stop();
    }
  });
});

// Last, because it advances the clock.
describe('the filter by certification', () => {
  const HOUR = 3_600_000;
  const LEVELS = ['BASIC', 'ADVANCED'];

  test('lists and counts the institutions whose certification is valid', async () => {
    const certified = async (level: string, hours: number | null) => {
      const party = await parties.newInstitution({ ieoType: 'PLATFORM' });
      const expiresAt = hours === null ? null : new Date(Date.now() + shift + hours * HOUR).toISOString();
      await parties.institute('certification', { ieoId: party.id, level, expiresAt }, 1);
      return party;
    };
    const members: Party[] = [];
    for (const level of LEVELS) {
      for (const hours of [1, 2, 3, null, null]) members.push(await certified(level, hours));
    }
    const suspended = members[3] as Party;
    const locked = members[4] as Party;
    const certifiedCounts = async () => {
      const platforms = await pages({ ieoType: 'PLATFORM', limit: 200 });
      for (const level of LEVELS) {
        const expected: string[] = [];
        for (const { ieo_id } of platforms) {
          const { body } = await service.get(`/api/ieos/${ieo_id}/certification`);
          if (body.certified && body.level === level) expected.push(ieo_id);
        }
        for (const more of [{ ieoType: 'PLATFORM' }, { ieoType: 'PLATFORM', status: 'ACTIVE' }]) {
          const listed = await list({ ...more, certLevel: level, limit: 200 });
          expect([level, listed.count, ids(listed.ieos)]).toEqual([level, expected.length, expected]);
          expect(ids(await pages({ ...more, certLevel: level, limit: 2 }))).toEqual(expected);
        }
        const suspended = await list({ ieoType: 'PLATFORM', certLevel: level, status: 'SUSPENDED' });
        expect([suspended.count, suspended.ieos]).toEqual([0, []]);
      }
      return Promise.all(LEVELS.map(async (certLevel) => (await list({ ieoType: 'PLATFORM', certLevel })).count));
    };
    const before = await certifiedCounts();
    await parties.decide('suspendIEO', { ieoId: suspended.id, reason: 'Late.' });
    await parties.ieo(locked, 'lock', 'lockIEO');
    expect(await certifiedCounts()).toEqual([(before[0] ?? 0) - 2, before[1]]);
    await parties.decide('reinstateIEO', { ieoId: suspended.id });
    shift += 1.5 * HOUR;
    expect(await certifiedCounts()).toEqual([(before[0] ?? 0) - 2, (before[1] ?? 0) - 1]);
    shift += HOUR;
    expect(await certifiedCounts()).toEqual([(before[0] ?? 0) - 3, (before[1] ?? 0) - 2]);
    await parties.institute('certification', { ieoId: members[0]?.id ?? '', level: 'BASIC' }, 1);
    expect(await certifiedCounts()).toEqual([(before[0] ?? 0) - 2, (before[1] ?? 0) - 2]);
  });
});

test('certifications of active institutions that end within 60 days, or did in the last 60, are listed by their end', async () => {
  const DAY_MS = 86_400_000;
  const certified = async (days: number | null) => {
    const { id } = await parties.newInstitution();
    const end = days === null ? {} : { expiresAt: new Date(Date.now() + shift + days * DAY_MS).toISOString() };
    const answer = await parties.institute('certification', { ieoId: id, level: 'BASIC', ...end }, 1);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return id;
  };
  const [late, soon, endless, far, suspended] = [
    await certified(59),
    await certified(1),
    await certified(null),
    await certified(62),
    await certified(30),
  ];
  await parties.decide('suspendIEO', { ieoId: suspended, reason: 'A complaint.' });
  const own = new Set([late, soon, endless, far, suspended]);
  const ending = async () => ids(await listEndingCertifications(service.service.context)).filter((id) => own.has(id));
  expect(await ending()).toEqual([soon, late]);
  shift += 10 * DAY_MS;
  expect(await ending()).toEqual([soon, late, far]);
  shift += 60 * DAY_MS;
  expect(await ending()).toEqual([late, far]);
});
