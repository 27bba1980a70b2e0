import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { MAX_SHARE_CHARACTERS } from '../../../protocol/share-files.ts';
import { createClock } from '../../platform/db/clock.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, type Party, partiesOf } from '../../write/test-parties.ts';
import { END_ALL_SHARES } from './share-rows.ts';
import { encryptedFile, sharesOf } from './test-shares.ts';

let one: TestService;
let other: TestService;
let parties: Parties;
let shares: ReturnType<typeof sharesOf>;
beforeAll(async () => {
  one = await startTestService();
  other = await startTestService({ DATA_DIR: one.dataDir }, { databaseUrl: one.databaseUrl });
  parties = partiesOf(one);
  shares = sharesOf(one, parties, Date.now);
});
afterAll(async () => {
  await other?.stop();
  await one?.stop();
});

test('of guesses at two services at once ten are compared, and a right one among them opens at most once each', async () => {
  const holder = await parties.newHolder();
  for (let round = 0; round < 10; round++) {
    const id = await shares.shared(holder, { passcode: 'abacate', more: { openings: 5 } });
    const guesses = Array.from({ length: 60 }, (_, n) =>
      shares.open(id, { passcode: n % 6 === 0 ? 'abacate' : `guess ${n}` }, n % 2 ? one : other),
    );
    const answers = await Promise.all(guesses);
    const left = answers.filter(({ status }) => status === 401).map(({ body }) => body.remainingAttempts);
    const opened = answers.filter(({ status }) => status === 200).length;
    expect(opened).toBeLessThanOrEqual(5);
    expect(left.length).toBeLessThanOrEqual(10);
    expect(new Set(left).size).toBe(left.length);
    expect(answers.every(({ status }) => [200, 401, 404].includes(status))).toBe(true);
    // It ended in one of the two ways.
    expect(opened === 5 || left.length === 10).toBe(true);
    const [{ openings, attempts_left: attempts }] = await shares.list(holder);
    expect([openings.length, attempts]).toEqual([opened, 10 - left.length]);
    await shares.stop(holder, id);
  }
});

test('a share has five MiB, and an identity twenty MB', async () => {
  const holder = await parties.newHolder();
  const overhead = encryptedFile('').length;
  const largest = Math.floor(((MAX_SHARE_CHARACTERS - overhead) * 3) / 4) - 3;
  const files = Array.from({ length: 3 }, () => encryptedFile('x'.repeat(largest)));
  for (const file of files) {
    const id = await shares.shared(holder, { files: [file] });
    const { body } = await shares.open(id);
    const location = body.files[0].location as string;
    expect((await one.get(location.slice(one.url.length))).body === file).toBe(true);
  }
  const full = await shares.create(holder, { files: [encryptedFile('x'.repeat(largest))] });
  expect([full.status, full.body.code, full.body.details.quota]).toEqual([403, 'STORAGE_LIMIT_REACHED', 'BEO']);
  const tooLong = await shares.create(holder, { files: [encryptedFile('x'.repeat(largest + 40_000))] });
  expect([tooLong.status, tooLong.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
});

test('identities in their first 30 days share a part of the space, and /ready names it', async () => {
  const [limit, part] = [400_000, 25_000];
  let shift = 0;
  const now = () => Date.now() + shift;
  const clock = createClock(Date.now, () => shift);
  const service = await startTestService({ MAX_STORED_BYTES: String(limit) }, { clock });
  onTestFinished(() => service.stop());
  const [people, sharing] = [partiesOf(service, now), sharesOf(service, partiesOf(service, now), now)];
  const [old, late] = [await people.newHolder(), () => people.newHolder()];
  const files = () => [encryptedFile('x'.repeat((part * 7) / 10))];
  const bytes = files()[0]?.length ?? 0;
  const full = async (holder: Party) => {
    const { status, body } = await sharing.create(holder, { files: files() });
    return [status, body.code, body.details?.quota, body.details?.limit, body.details?.used];
  };
  await sharing.shared(old, { files: files() });
  expect(await full(await late())).toEqual([403, 'STORAGE_LIMIT_REACHED', 'SERVICE', part, bytes]);
  shift += 31 * 86_400_000;
  const young = await late();
  await sharing.shared(young, { files: files() });
  expect(await full(await late())).toEqual([403, 'STORAGE_LIMIT_REACHED', 'SERVICE', part, bytes]);
  for (let n = 0; n < 3; n++) await sharing.shared(old, { files: files() });
  expect(await full(old)).toEqual([403, 'STORAGE_LIMIT_REACHED', 'SERVICE', 4 * part, 4 * bytes]);
  expect((await service.get('/ready')).body.storage.problem).toContain(
    `Shares have used ${Math.floor((bytes * 100) / part)} % of their quarter`,
  );
});

test('a body of five GB is refused unread', async () => {
  const { status, sent } = await new Promise<{ status: number; sent: number }>((resolve, reject) => {
    const length = 5 * 10 ** 9;
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let sent = 0;
    const headers = { 'content-type': 'application/json', 'content-length': length };
    const request = httpRequest(`${one.url}/api/shares`, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, sent });
      request.destroy();
    });
    request.on('error', reject);
    const write = () => {
      while (!request.destroyed && sent < length) {
        sent += chunk.length;
        if (!request.write(chunk)) break;
      }
    };
    request.on('drain', write);
    write();
  });
  expect(status).toBe(413);
  expect(sent).toBeLessThan(50 * 10 ** 6);
});

test('creations at two services at once stay within twenty', async () => {
  const holder = await parties.newHolder();
  const atOther = sharesOf(other, partiesOf(other), Date.now);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 ? shares : atOther).create(holder)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
});

test('a destruction at the same moment leaves nothing of a share', async () => {
  for (let round = 0; round < 10; round++) {
    const holder = await parties.newHolder();
    await shares.shared(holder);
    const creations = Array.from({ length: 5 }, () => shares.create(holder));
    const [, ...answers] = await Promise.all([parties.beo(holder, 'destroy', 'destroyBEO'), ...creations]);
    expect(answers.every(({ status }) => [200, 410, 503].includes(status))).toBe(true);
    const { rows } = await one.service.context.pool.query('SELECT count(*) AS shares FROM shares WHERE owner_id = $1', [
      holder.id,
    ]);
    expect(rows).toEqual([{ shares: 0 }]);
  }
  const { rows } = await one.service.context.pool.query(
    'SELECT FROM share_files WHERE hash NOT IN (SELECT hash FROM shares)',
  );
  expect(rows).toEqual([]);
});

test('of guesses at a share ten are compared, and then it has ended', async () => {
  const holder = await parties.newHolder();
  const id = await shares.shared(holder, { passcode: 'abacate' });
  for (let n = 0; n < 10; n++) await shares.open(id, { passcode: `guess ${n}` });
  expect((await shares.open(id, { passcode: 'abacate' })).status).toBe(404);
  expect(await shares.list(holder)).toMatchObject([{ status: 'GUESSED', attempts_left: 0 }]);
});

test('after a restore every share has ended and stays in the list', async () => {
  const holder = await parties.newHolder();
  const id = await shares.shared(holder);
  for (const text of END_ALL_SHARES) await one.service.context.pool.query(text);
  expect((await shares.open(id)).status).toBe(404);
  expect(await shares.list(holder)).toMatchObject([{ share_id: id, status: 'STOPPED' }]);
});
