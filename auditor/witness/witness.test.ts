import { fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  acceptCheckpoint,
  checkNote,
  readNote,
  readVkey,
  SecondLog,
  signLine,
  vkeyOf,
} from '../../protocol/transparency/test-second-implementation.ts';
import { MALFORMED_TARGETS, rawRequest } from '../../server/http/rest/test-requests.ts';
import { newSigningKey } from '../../server/platform/crypto/signed-request.ts';
import { linesOfLogFile, readLogList } from './log-list.ts';
import { type RunningWitness, startWitness } from './start-witness.ts';

const SEED = randomBytes(32);
const honest = new SecondLog('log.example/one', SEED, 'entry');
/** Another history, signed with the same key. */
const forked = new SecondLog('log.example/one', SEED, 'forged entry');
const other = new SecondLog('log.example/two', randomBytes(32), 'entry');
const stranger = new SecondLog('log.example/unknown', randomBytes(32), 'entry');
const impostor = new SecondLog('log.example/one', randomBytes(32), 'entry');
/** A third history. */
const another = new SecondLog('log.example/one', SEED, 'another entry');
/** An object has a member of this name from the start. */
const proto = new SecondLog('__proto__', SEED, 'entry');
const forkedProto = new SecondLog('__proto__', SEED, 'forked entry');
const quiet = { warn: () => undefined, error: () => undefined };
const LOGS = readLogList([honest.vkey, other.vkey, proto.vkey]);

const parent = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-`));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
const newDirectory = () => mkdtempSync(join(parent, 'witness-'));

const start = (directory: string, log: Parameters<typeof startWitness>[1] = quiet): Promise<RunningWitness> =>
  startWitness({ name: 'witness.example/one', logs: LOGS, directory, host: '127.0.0.1', port: 0 }, log);

async function started(directory = newDirectory(), log = quiet): Promise<RunningWitness> {
  const witness = await start(directory, log);
  onTestFinished(() => witness.stop());
  return witness;
}

async function post(port: number, body: string | Buffer) {
  const response = await fetch(`http://127.0.0.1:${port}/add-checkpoint`, { method: 'POST', body: body as string });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
}

/** What the monitors of a log read. */
async function lastCheckpoint(port: number, origin: string, init?: RequestInit) {
  const digest = createHash('sha256').update(origin).digest('hex');
  const response = await fetch(`http://127.0.0.1:${port}/${digest}/checkpoint`, init);
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
}

/** The end of a connection, with an error or without. */
const closed = (socket: Socket) => new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));

/** Whether the body has a valid cosignature of the witness for the tree. */
function isCosigned(log: SecondLog, size: number, lines: string, vkey: string): boolean {
  const note = readNote(Buffer.from(`${log.text(size)}\n${lines}`));
  const key = readVkey(vkey);
  return note !== null && key !== null && checkNote(note, key) === 'good';
}

describe('the witness', () => {
  test('cosigns what extends the last tree, also the same one again, and answers others with its size', async () => {
    const { port, vkey } = await started();
    for (const [oldSize, size] of [
      [0, 0],
      [0, 7],
      [7, 7],
      [7, 200],
      [200, 256],
    ] as const) {
      const { status, body } = await post(port, honest.request(oldSize, size));
      expect([oldSize, size, status]).toEqual([oldSize, size, 200]);
      expect(isCosigned(honest, size, body, vkey)).toBe(true);
    }
    for (const [oldSize, size] of [
      [0, 300],
      [7, 300],
      [7, 7],
      [0, 0],
    ] as const) {
      expect(await post(port, honest.request(oldSize, size))).toEqual({
        status: 409,
        type: 'text/x.tlog.size',
        body: '256\n',
      });
    }
    expect((await post(port, other.request(0, 3))).status).toBe(200);
  });

  test('refuses forks, smaller trees, wrong proofs, unknown logs, wrong keys and what is malformed', async () => {
    const { port, vkey } = await started();
    expect((await post(port, honest.request(0, 100))).status).toBe(200);
    const [head, ...rest] = honest.request(100, 200).split('\n');
    const refused = {
      'a fork with a proof of its own': [forked.request(100, 200), 422],
      'a fork of the same size': [forked.request(100, 100), 422],
      'a fork with the proof of the honest tree': [
        `${honest.request(100, 200).split('\n\n')[0]}\n\n${forked.checkpoint(200)}`,
        422,
      ],
      'a smaller tree': [honest.request(100, 99), 400],
      'a smaller tree from its size': [honest.request(99, 99), 409],
      'a proof without a hash': [[head, ...rest.slice(1)].join('\n'), 422],
      'a proof from the empty tree': [honest.request(1, 200).replace('old 1\n', 'old 0\n'), 409],
      'an unknown log': [stranger.request(0, 5), 404],
      'a key that is not that of the log': [impostor.request(100, 200), 403],
      'a changed signature': [honest.request(100, 200).replace(/.{8}\n$/, 'AAAAAAA=\n'), 403],
      'no checkpoint': ['old 100\n\n', 400],
      nothing: ['', 400],
      'a size with a leading zero': [honest.request(100, 200).replace('old 100', 'old 0100'), 400],
    } as const;
    for (const [what, [body, status]] of Object.entries(refused)) {
      const answer = await post(port, body);
      expect([what, answer.status]).toEqual([what, status]);
      expect(answer.body, what).not.toContain('\u2014');
    }
    const { status, body } = await post(port, honest.request(100, 200));
    expect([status, isCosigned(honest, 200, body, vkey)]).toEqual([200, true]);
  });

  test('cosigns one of twenty different trees that are sent at once', async () => {
    const { port } = await started();
    await post(port, honest.request(0, 10));
    const bodies = Array.from({ length: 20 }, (_, n) => (n % 2 ? honest : forked).request(10, 11 + n));
    const statuses = (await Promise.all(bodies.map((body) => post(port, body)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 409, 422].includes(status))).toBe(true);
  });

  test('keeps its key and what it cosigned over a restart', async () => {
    const directory = newDirectory();
    const first = await start(directory);
    await post(first.port, honest.request(0, 50));
    await first.stop();
    expect(statSync(join(directory, 'witness.key')).mode & 0o777).toBe(0o600);
    const second = await started(directory);
    expect(second.vkey).toBe(first.vkey);
    expect((await post(second.port, forked.request(50, 50))).status).toBe(422);
    expect(await post(second.port, honest.request(0, 60))).toMatchObject({ status: 409, body: '50\n' });
  });

  test('remembers a log with any name, also from the state of an earlier version', async () => {
    const directory = newDirectory();
    const first = await start(directory);
    for (const log of [honest, proto]) expect((await post(first.port, log.request(0, 50))).status).toBe(200);
    await first.stop();
    const refuses = async () => {
      const { port, stop } = await start(directory);
      for (const fork of [forked, forkedProto]) expect((await post(port, fork.request(50, 50))).status).toBe(422);
      for (const log of [honest, proto]) expect((await post(port, log.request(0, 60))).body).toBe('50\n');
      await stop();
    };
    await refuses();
    const head = (log: SecondLog) => `{ "size": 50, "root": "${log.text(50).split('\n')[2]}" }`;
    const earlier = `{ "version": 1, "logs": { "log.example/one": ${head(honest)}, "__proto__": ${head(proto)} } }`;
    writeFileSync(join(directory, 'state.json'), earlier);
    await refuses();
    const { port } = await started(directory);
    expect((await lastCheckpoint(port, '__proto__')).status).toBe(404);
    expect((await post(port, proto.request(50, 50))).status).toBe(200);
    expect((await lastCheckpoint(port, '__proto__')).body).toContain(proto.checkpoint(50));
    expect((await lastCheckpoint(port, 'log.example/one')).status).toBe(404);
  });

  test('serves the last checkpoint that it cosigned, with the signatures that it verified and its own, also after a restart', async () => {
    const directory = newDirectory();
    const { port, vkey, stop } = await start(directory);
    expect((await lastCheckpoint(port, 'log.example/one')).status).toBe(404);
    expect((await post(port, impostor.request(0, 3))).status).toBe(403);
    expect((await lastCheckpoint(port, 'log.example/one')).status).toBe(404);
    const [, foreign] = stranger.checkpoint(3).split('\n\n');
    for (const size of [3, 70]) {
      expect((await post(port, honest.request(size === 3 ? 0 : 3, size) + foreign)).status).toBe(200);
      const served = await lastCheckpoint(port, 'log.example/one');
      expect([served.status, served.type]).toEqual([200, 'text/plain; charset=utf-8']);
      const [own = '', ...more] = served.body.slice(honest.checkpoint(size).length).trimEnd().split('\n');
      expect([served.body.startsWith(honest.checkpoint(size)), own.startsWith('— witness.example/'), more]).toEqual([
        true,
        true,
        [],
      ]);
      expect(acceptCheckpoint(Buffer.from(served.body), honest.vkey, [vkey], 1)?.size).toBe(BigInt(size));
    }
    expect((await post(port, honest.request(0, 80))).status).toBe(409);
    expect((await lastCheckpoint(port, 'log.example/two')).status).toBe(404);
    expect((await lastCheckpoint(port, 'log.example/one', { method: 'POST', body: '' })).status).toBe(405);
    await stop();
    const { body } = await lastCheckpoint((await started(directory)).port, 'log.example/one');
    expect(acceptCheckpoint(Buffer.from(body), honest.vkey, [vkey], 1)?.size).toBe(70n);
  });

  test('keeps the first proof of a fork, and logs doubts about a log without hiding others', async () => {
    const directory = newDirectory();
    const lines: { readonly origin: string; readonly note: string; readonly msg: string }[] = [];
    const record = (line: object, msg: string) => void lines.push({ ...line, msg } as (typeof lines)[number]);
    const { port } = await started(directory, { warn: record, error: record } as never);
    for (const log of [honest, other]) expect((await post(port, log.request(0, 100))).status).toBe(200);
    const unproven = `old 100\n\n${honest.checkpoint(200)}`;
    for (const _ of [1, 2, 3]) expect((await post(port, unproven)).status).toBe(422);
    // The last one asks for a size that the witness knows: it is refused before its root is compared.
    for (const fork of [forked.request(100, 100), another.request(100, 100), another.request(0, 100)]) {
      expect([409, 422]).toContain((await post(port, fork)).status);
    }
    expect((await post(port, honest.request(0, 60))).status).toBe(409);
    expect((await post(port, honest.request(0, 0))).status).toBe(409);
    expect((await post(port, honest.request(0, 200))).status).toBe(409);
    expect((await post(port, other.request(100, 60))).status).toBe(400);

    const files = readdirSync(directory).filter((name) => name.startsWith('fork-'));
    expect(files).toEqual([`fork-${createHash('sha256').update('log.example/one').digest('hex')}.json`]);
    const proof = JSON.parse(readFileSync(join(directory, files[0] ?? ''), 'utf8'));
    expect(proof).toEqual({
      origin: 'log.example/one',
      keys: [honest.vkey],
      checkpoints: [honest.checkpoint(100), forked.checkpoint(100)],
      found_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const read = proof.checkpoints.map((note: string) => acceptCheckpoint(Buffer.from(note), honest.vkey, [], 0));
    expect([read[0].size, read[1].size, read[0].root.equals(read[1].root)]).toEqual([100n, 100n, false]);
    const sentences = lines.filter(({ origin }) => origin === 'log.example/one').map(({ msg }) => msg);
    expect([...new Set(sentences)]).toEqual([
      expect.stringContaining('not shown to extend'),
      expect.stringContaining('two trees of one size'),
      expect.stringContaining('older than the last one'),
    ]);
    expect(lines.filter(({ origin }) => origin === 'log.example/two').map(({ note }) => note)).toEqual([
      other.checkpoint(60),
    ]);
  });

  test('records a fork that is sent with another old size', async () => {
    const directory = newDirectory();
    const { port } = await started(directory);
    expect((await post(port, honest.request(0, 100))).status).toBe(200);
    expect((await post(port, forked.request(0, 100))).status).toBe(409);
    const [file = ''] = readdirSync(directory).filter((name) => name.startsWith('fork-'));
    expect(JSON.parse(readFileSync(join(directory, file), 'utf8')).checkpoints[1]).toBe(forked.checkpoint(100));
  });

  test('does not start twice on one state, nor on a damaged or missing one', async () => {
    const directory = newDirectory();
    const first = await start(directory);
    await post(first.port, honest.request(0, 50));
    await expect(start(directory)).rejects.toThrow('Another process uses');
    await first.stop();
    const file = join(directory, 'state.json');
    const content = readFileSync(file, 'utf8');
    for (const damaged of ['', content.slice(0, -10), '{}', content.replace('"size": 50', '"size": -1')]) {
      writeFileSync(file, damaged);
      await expect(start(directory)).rejects.toThrow('is damaged');
    }
    rmSync(file);
    await expect(start(directory)).rejects.toThrow('is missing, but the witness has a key');
    writeFileSync(file, content);
    expect(await post((await started(directory)).port, honest.request(0, 60))).toMatchObject({ body: '50\n' });
  });

  test('serves nothing else, and reads no more than 128 KiB', async () => {
    const { port } = await started();
    const url = `http://127.0.0.1:${port}`;
    const statusOf = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).status;
    expect(await statusOf('/health')).toBe(200);
    expect(await statusOf('/add-checkpoint')).toBe(405);
    expect(await statusOf('/', { method: 'POST', body: honest.request(0, 1) })).toBe(404);
    expect((await post(port, honest.request(0, 3) + 'x'.repeat(140_000))).status).toBe(413);
    const endless = connect(port, '127.0.0.1');
    endless.write('POST /add-checkpoint HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000\r\n\r\n');
    const timer = setInterval(() => endless.write(Buffer.alloc(65_536, 'a')), 5);
    await closed(endless);
    clearInterval(timer);
    expect(endless.bytesWritten).toBeLessThan(50_000_000);
  });

  test('closes the connection of a client that sends too slowly', async () => {
    const { port } = await started();
    const slow = connect(port, '127.0.0.1');
    slow.resume();
    slow.write('POST /add-checkpoint HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n');
    const timer = setInterval(() => slow.write('a'), 500);
    await closed(slow);
    clearInterval(timer);
    expect((await post(port, honest.request(0, 3))).status).toBe(200);
  });
});

describe('the list of logs', () => {
  const keyed = vkeyOf('key.example', 1, SEED);
  const requestOf = (origin: string) => {
    const text = `${origin}\n${honest.text(5).split('\n').slice(1).join('\n')}`;
    return `old 0\n\n${text}\n${signLine('key.example', SEED, text)}`;
  };

  test('names the origin of a log whose key has another name; such a key can sign for several logs', async () => {
    const logs = readLogList(linesOfLogFile(`# Two logs\nlog.example/a ${keyed}\n\n A log with spaces  ${keyed} \r\n`));
    expect([...logs.keys()]).toEqual(['log.example/a', 'A log with spaces']);
    const options = { name: 'witness.example/one', logs, directory: newDirectory(), host: '127.0.0.1', port: 0 };
    const { port, stop } = await startWitness(options, quiet);
    onTestFinished(stop);
    for (const origin of logs.keys()) expect((await post(port, requestOf(origin))).status).toBe(200);
    for (const origin of ['key.example', 'log.example/b']) {
      expect((await post(port, requestOf(origin))).status).toBe(404);
    }
  });

  test('has each key once for a log, and only Ed25519 keys of logs', () => {
    expect(() => readLogList([keyed, `key.example ${keyed}`])).toThrow('listed twice');
    expect(() => readLogList([vkeyOf('witness.example', 4, SEED)])).toThrow('not that of a log');
    expect(() => readLogList([`log.example/a ${keyed} more`])).toThrow('A verifier key has the form');
    expect(() => readLogList([vkeyOf('key.example', 6, SEED)])).toThrow('signature type 6');
    expect(readLogList([keyed, vkeyOf('key.example', 1, randomBytes(32))]).get('key.example')).toHaveLength(2);
  });
});

describe('a witness that is killed', () => {
  let program: string;

  beforeAll(async () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    // Next to the packages of this checkout, which the program imports.
    const directory = join(root, 'node_modules/.cache/perpetua', `killed-witness-${process.pid}`);
    program = join(directory, 'killed.js');
    await build({
      cwd: root,
      input: { killed: 'auditor/witness/test-killed-witness-process.ts' },
      platform: 'node',
      external: /^[^./#]/,
      tsconfig: false,
      output: { dir: directory, format: 'esm' },
    });
    return () => rmSync(directory, { recursive: true, force: true });
  });

  test('between storing and responding has not lost the tree that it was about to cosign', async () => {
    const directory = newDirectory();
    const { publicKey } = newSigningKey();
    const child = fork(program, [JSON.stringify({ directory, vkey: honest.vkey, publicKey })]);
    const [port] = await once(child, 'message');
    const [answer] = await Promise.allSettled([post(port as number, honest.request(0, 70)), once(child, 'exit')]);
    expect(answer.status).toBe('rejected');
    const { port: next, vkey } = await started(directory);
    expect((await post(next, forked.request(0, 70))).body).toBe('70\n');
    expect((await post(next, forked.request(70, 70))).status).toBe(422);
    const again = await post(next, honest.request(70, 70));
    expect([again.status, isCosigned(honest, 70, again.body, vkey)]).toEqual([200, true]);
  });
});

test('a witness answers requests whose target is no path', async () => {
  const { port } = await started();
  for (const path of MALFORMED_TARGETS)
    expect(await rawRequest(`http://127.0.0.1:${port}`, { path }), path).toMatchObject({ status: 404 });
});
