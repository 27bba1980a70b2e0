import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClock } from '../../platform/db/clock.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Fields, type Parties, partiesOf } from '../../write/test-parties.ts';
import { encryptedFile, sharesOf } from './test-shares.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

let shift = 0;
let service: TestService;
let parties: Parties;
let shares: ReturnType<typeof sharesOf>;
const now = () => Date.now() + shift;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  parties = partiesOf(service, now);
  shares = sharesOf(service, parties, now);
});
afterAll(() => service.stop());

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const pathOf = (url: string) => url.slice(service.url.length);
const openings = async (holder: Parameters<typeof shares.list>[0]) => (await shares.list(holder))[0].openings;

test('a share is opened by its manifest, and the holder sees by whom', async () => {
  const holder = await parties.newHolder();
  expect(await shares.list(holder)).toEqual([]);
  const [small, large] = [encryptedFile('{}'), encryptedFile('x'.repeat(1_000), { zip: 'DEF' })];
  const { status, body } = await shares.create(holder, { files: [small, large] });
  const { share, url } = body;
  const id = share.share_id;
  expect([status, url]).toEqual([200, `${service.url}/api/shares/${id}/manifest`]);
  expect(share).toMatchObject({ label: 'Dr. Lima', status: 'ACTIVE', max_openings: 3, attempts_left: null });

  const opened = await shares.open(id, { recipient: ' <b>Clinic\u202e\n', embeddedLengthMax: small.length, more: 1 });
  expect(opened.headers.get('cache-control')).toBe('no-store');
  expect(opened.headers.get('access-control-allow-origin')).toBe('*');
  const file = {
    contentType: 'application/fhir+json',
    lastUpdated: share.created_at,
    status: 'finalized',
    fhirVersion: '4.0.1',
  };
  const location = expect.stringContaining('/api/shares/files/');
  expect(opened.body).toEqual({
    files: [
      { ...file, embedded: small },
      { ...file, location },
    ],
  });
  const address = pathOf(opened.body.files[1].location);
  const fetched = await service.get(address);
  expect([fetched.status, fetched.body, fetched.headers.get('content-type')]).toEqual([200, large, 'application/jose']);
  expect(fetched.headers.get('access-control-allow-origin')).toBe('*');

  // The default is to embed what is short.
  expect((await shares.open(id, { recipient: 'x'.repeat(5_000) })).body.files).toMatchObject([
    { embedded: small },
    { embedded: large },
  ]);
  const seen = [{ recipient: 'x'.repeat(100) }, { recipient: '<b>Clinic' }];
  expect(await shares.list(holder)).toMatchObject([{ share_id: id, openings: seen }]);
  expect(codeOf(await service.get(`${address.slice(0, -1)}_`))).toEqual([404, 'NOT_FOUND']);
  shift += 10 * MINUTE;
  expect(codeOf(await service.get(address))).toEqual([404, 'NOT_FOUND']);
});

test('a share ends by its time, by its openings and when its holder stops it', async () => {
  const holder = await parties.newHolder();
  const exp = Math.floor(now() / 1_000) + 16 * 60;
  const [once, short] = [
    await shares.shared(holder, { more: { openings: 1 } }),
    await shares.shared(holder, { more: { exp } }),
  ];
  const large = await shares.shared(holder, { files: [encryptedFile('x'.repeat(100))] });
  expect(codeOf(await shares.open(once))).toEqual([200, undefined]);
  expect(codeOf(await shares.open(once))).toEqual([404, 'NOT_FOUND']);
  const { location } = (await shares.open(large, { embeddedLengthMax: 0 })).body.files[0];
  const stopped = await shares.stop(holder, large);
  expect(stopped.body.share).toMatchObject({ status: 'STOPPED', stopped_at: expect.any(String) });
  expect((await shares.stop(holder, large)).body).toEqual(stopped.body);
  expect(codeOf(await shares.open(large))).toEqual([404, 'NOT_FOUND']);
  expect(codeOf(await service.get(pathOf(location)))).toEqual([404, 'NOT_FOUND']);
  shift += 17 * MINUTE;
  expect(codeOf(await shares.open(short))).toEqual([404, 'NOT_FOUND']);
  const states = (await shares.list(holder)).map(({ share_id: id, status }: Fields) => [id, status]);
  expect(Object.fromEntries(states)).toEqual({ [once]: 'USED_UP', [short]: 'EXPIRED', [large]: 'STOPPED' });
  expect(codeOf(await shares.stop(await parties.newHolder(), once))).toEqual([404, 'NOT_FOUND']);
  expect(codeOf(await shares.open('A'.repeat(43)))).toEqual([404, 'NOT_FOUND']);
});

test('parallel guesses of a passcode are counted each', async () => {
  const holder = await parties.newHolder();
  const id = await shares.shared(holder, { passcode: 'abacate' });
  const asked = await shares.open(id);
  expect(codeOf(asked)).toEqual([401, 'PASSCODE_INVALID']);
  expect(asked.body.remainingAttempts).toBe(10);
  const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => shares.open(id, { passcode: `guess ${n}` })));
  expect(answers.map(({ body }) => body.remainingAttempts).toSorted()).toEqual([5, 6, 7, 8, 9]);
  expect((await shares.open(id, { passcode: 'abacate' })).status).toBe(200);
  expect(await shares.list(holder)).toMatchObject([{ status: 'ACTIVE', attempts_left: 5, openings: [{}] }]);
});

test('a share of one file without a passcode is opened directly, and counts it', async () => {
  const holder = await parties.newHolder();
  const [jwe, other] = [encryptedFile('{}'), encryptedFile('{}')];
  const id = await shares.shared(holder, { files: [jwe] });
  const direct = (of: string, query = '?recipient=A+clinic&more=1') =>
    service.get(`/api/shares/${of}/manifest${query}`);
  const { status, body, headers } = await direct(id);
  expect([status, body, headers.get('content-type')]).toEqual([200, jwe, 'application/jose']);
  expect(codeOf(await direct(id, ''))).toEqual([400, 'VALIDATION_FAILED']);
  expect(await openings(holder)).toMatchObject([{ recipient: 'A clinic' }]);
  const hidden = await shares.shared(holder, { passcode: 'abacate' });
  const several = await shares.shared(holder, { files: [other, encryptedFile('[]')] });
  for (const one of [hidden, several]) expect(codeOf(await direct(one))).toEqual([404, 'NOT_FOUND']);
});

test('what is wrong with a share is refused with its code, and stores nothing', async () => {
  const [holder, stranger] = [await parties.newHolder(), await parties.newHolder()];
  const seconds = Math.floor(now() / 1_000);
  const jwe = encryptedFile('{}');
  const wrong: Parameters<typeof shares.create>[1][] = [
    { more: { exp: seconds + 14 * 60 } },
    { more: { exp: seconds + 30 * 86_400 + 60 } },
    { more: { openings: 0 } },
    { more: { openings: 101 } },
    { more: { label: '' } },
    { more: { label: 'x'.repeat(81) } },
    { more: { passcodeDigest: 'abacate' } },
    { more: { fileDigests: ['a'.repeat(64)] } },
    { more: { fileDigests: [] } },
    { files: [] },
    { files: ['{"resourceType":"Bundle"}'] },
    { files: [encryptedFile('{}', { alg: 'A256KW' })] },
    { files: [encryptedFile('{}', { enc: 'A128GCM' })] },
    { files: [encryptedFile('{}', { cty: 'text/html' })] },
    { files: [jwe, jwe] },
    { files: Array.from({ length: 11 }, () => encryptedFile('{}')) },
  ];
  for (const sharing of wrong) {
    expect(codeOf(await shares.create(holder, sharing)), JSON.stringify(sharing)).toEqual([400, 'VALIDATION_FAILED']);
  }
  const forged = { ...holder, person: stranger.person };
  expect(codeOf(await shares.create(forged))).toEqual([401, 'INVALID_SIGNATURE']);
  const used = parties.sign(holder.person, 'listShares', { beoId: holder.id });
  expect((await service.post('/api/shares/list', used)).body.shares).toEqual([]);
  expect(codeOf(await service.post('/api/shares/list', used))).toEqual([409, 'NONCE_REUSED']);
  const id = await shares.shared(holder);
  for (const body of [{ recipient: 7 }, { passcode: 7 }, { embeddedLengthMax: -1 }, { embeddedLengthMax: '9' }]) {
    expect(codeOf(await shares.open(id, body as Fields))).toEqual([400, 'VALIDATION_FAILED']);
  }
  expect(await openings(holder)).toEqual([]);
});

test('a repetition returns the same share, and what differs or has ended is refused', async () => {
  const holder = await parties.newHolder();
  const files = [encryptedFile('{}')];
  const more = { exp: Math.floor(now() / 1_000) + 3_600 };
  const copies = await Promise.all(Array.from({ length: 3 }, () => shares.shared(holder, { files, more })));
  expect(new Set(copies).size).toBe(1);
  const others = [
    { files, more: { ...more, label: 'Dr. Rocha' } },
    { files, more: { exp: more.exp + 1 } },
    { files, more: { ...more, openings: 4 } },
    { files, more, passcode: 'abacate' },
    { files: [...files, encryptedFile('[]')], more },
  ];
  for (const other of others) expect(codeOf(await shares.create(holder, other))).toEqual([400, 'VALIDATION_FAILED']);
  await shares.stop(holder, copies[0] ?? '');
  expect(codeOf(await shares.create(holder, { files, more }))).toEqual([400, 'VALIDATION_FAILED']);
  expect(await shares.list(holder)).toMatchObject([{ label: 'Dr. Lima', max_openings: 3 }]);
});

test('an identity has at most fifty shares before their end, used up ones included', async () => {
  const holder = await parties.newHolder();
  const id = await shares.shared(holder);
  await service.service.context.pool.query(
    `INSERT INTO shares (hash, owner_id, digest, created_at, expires_at, bytes, owner_created_on, max_openings, openings, details)
     SELECT sha256(hash || n::text::bytea), owner_id, sha256(n::text::bytea), created_at, expires_at, 1, owner_created_on, 1, 1, details
     FROM shares, generate_series(1, 49) AS n WHERE owner_id = $1`,
    [holder.id],
  );
  expect(codeOf(await shares.create(holder))).toEqual([403, 'SHARE_LIMIT_REACHED']);
  await shares.stop(holder, id);
  expect((await shares.create(holder)).status).toBe(200);
});

test('a locked identity shares nothing, stops what it shares, and its destruction erases all', async () => {
  const holder = await parties.newHolder();
  const [id, other] = [await shares.shared(holder), await shares.shared(holder)];
  await shares.open(id);
  await parties.beo(holder, 'lock', 'lockBEO');
  expect(codeOf(await shares.create(holder))).toEqual([423, 'BEO_LOCKED']);
  expect(codeOf(await shares.open(id))).toEqual([404, 'NOT_FOUND']);
  expect((await shares.stop(holder, other)).body.share.status).toBe('STOPPED');
  await parties.beo(holder, 'unlock', 'unlockBEO');
  expect((await shares.open(id)).status).toBe(200);
  await parties.beo(holder, 'destroy', 'destroyBEO');
  expect(codeOf(await shares.open(id))).toEqual([404, 'NOT_FOUND']);
  const { rows } = await service.service.context.pool.query(
    'SELECT hash FROM shares WHERE owner_id = $1 UNION ALL SELECT hash FROM share_files WHERE hash NOT IN (SELECT hash FROM shares)',
    [holder.id],
  );
  expect(rows).toEqual([]);
});

test('the files of an ended share are deleted, and after 30 days the share', async () => {
  const holder = await parties.newHolder();
  const stored = async () => {
    const { rows } = await service.service.context.pool.query<{ files: number; shares: number }>(
      `SELECT count(DISTINCT s.hash) AS shares, count(f.hash) AS files FROM shares s LEFT JOIN share_files f USING (hash)
       WHERE owner_id = $1`,
      [holder.id],
    );
    return rows[0];
  };
  await shares.shared(holder);
  expect(await stored()).toEqual({ shares: 1, files: 1 });
  shift += DAY;
  await expect.poll(stored, { timeout: 60_000 }).toEqual({ shares: 1, files: 0 });
  shift += 30 * DAY;
  await expect.poll(stored, { timeout: 90_000 }).toEqual({ shares: 0, files: 0 });
});
