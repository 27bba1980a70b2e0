import { Point } from '@noble/ed25519';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sha256 } from '#digests';
import { newVerifierKey } from '../../../protocol/transparency/verifier-key.ts';
import vectors from '../../../protocol/vectors/transparency.json' with { type: 'json' };
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, partiesOf } from '../../write/test-parties.ts';
import { checkFile, checkInProcess } from '../test-proofs.ts';

interface Given {
  readonly log: readonly string[];
  readonly witnesses?: readonly string[];
  readonly quorum?: number;
}

const optionsOf = ({ log, witnesses = [], quorum }: Given): string[] => [
  ...log.flatMap((key) => ['--log', key]),
  ...witnesses.flatMap((key) => ['--witness', key]),
  ...(quorum === undefined ? [] : ['--quorum', String(quorum)]),
];

const [valid] = vectors.proofs;
if (!valid) throw new Error('There are vectors.');
const { file, log, witnesses } = valid;

describe('the script', () => {
  test('accepts and rejects the proofs of the vectors', async () => {
    const statuses: [string, number][] = [];
    for (const vector of vectors.proofs) {
      statuses.push([vector.name, (await checkFile(vector.file, optionsOf(vector))).status]);
    }
    expect(statuses).toEqual(vectors.proofs.map(({ name, result }) => [name, result === 'valid' ? 0 : 1]));
  });

  test('run as a program ends with 0, 1 or 2, and prints what it prints in a thread', async () => {
    const foreign = vectors.proofs.find(({ result }) => result !== 'valid') ?? valid;
    const runs: [number, string, readonly string[]][] = [
      [0, file, optionsOf({ log })],
      [1, foreign.file, optionsOf(foreign)],
      [2, file, optionsOf({ log: [] })],
    ];
    for (const [status, content, options] of runs) {
      const { text } = await checkFile(content, options);
      expect(await checkInProcess(content, options)).toEqual({ status, text });
    }
  });

  test('rejects a checkpoint of another log that this log signed, and base64 that is not canonical', async () => {
    const other = vectors.checkpoints.find(({ name }) => name.endsWith('of another log, signed by this one'));
    const [header = ''] = file.split('\n\n');
    const foreign = await checkFile(`${header}\n\n${other?.checkpoint}`, optionsOf({ log }));
    expect(foreign.text).toMatch(/^FAIL the checkpoint is of the log /m);
    expect(foreign.text).toMatch(/^ok {3}the log signed it$/m);
    // The last character of 32 bytes has two bits that decode to nothing.
    const [hash = ''] = /^.{43}=$/m.exec(header) ?? [];
    const next = `${hash.slice(0, 42)}${String.fromCharCode(hash.charCodeAt(42) + 1)}=`;
    expect(Buffer.from(next, 'base64')).toEqual(Buffer.from(hash, 'base64'));
    expect((await checkFile(file.replace(hash, next), optionsOf({ log }))).status).toBe(1);
  });

  test('names the witnesses that cosigned, and requires all that are given if no number is', async () => {
    const two = await checkFile(file, optionsOf({ log, witnesses: witnesses.slice(0, 2) }));
    expect(two).toMatchObject({ status: 0, text: expect.stringMatching(/\nVALID: every step passed\.\n$/) });
    expect(two.text).toContain(
      '2 of 2 given witnesses cosigned it, 2 are required; witness.example/one at 2025-11-24T16:00:00',
    );
    const three = await checkFile(file, optionsOf({ log, witnesses }));
    expect(three).toMatchObject({
      status: 1,
      text: expect.stringMatching(/\nNOT VALID: do not rely on this proof\.\n$/),
    });
    const half = await checkFile(file, optionsOf({ log, witnesses: witnesses.slice(0, 2), quorum: 1 }));
    expect(half).toMatchObject({
      status: 0,
      text: expect.stringMatching(/ Half of the witnesses or fewer were required: /),
    });
    const none = await checkFile(file, optionsOf({ log }));
    expect([none.status, none.text.trimEnd().split('\n').at(-1)]).toEqual([
      0,
      'VALID: every step passed. No witness was required: that everyone sees the same log is the word of its operator.',
    ]);
  });

  test('checks nothing without the key of the log, or with keys or options that it cannot use', async () => {
    const [key = '', witness = ''] = [log[0], witnesses[0]];
    const sameKey = witness.split('+').at(-1) ?? '';
    const cases: [string, Given | readonly string[]][] = [
      ['no log', { log: [] }],
      ['two logs', { log: [key, key] }],
      ['the key of a witness as that of the log', { log: [witness] }],
      ['the key of the log as that of a witness', { log, witnesses: log }],
      ['a witness twice', { log, witnesses: [witness, witness] }],
      [
        'one key under two names',
        { log, witnesses: [witness, vkeyOf('other', Buffer.from(sameKey, 'base64').subarray(1))] },
      ],
      ['more than there are', { log, witnesses: [witness], quorum: 2 }],
      ['a number of witnesses without witnesses', { log, quorum: 1 }],
      ['no number', ['--log', key, '--quorum', 'x']],
      ['an unknown option', ['--log', key, '--force']],
      ['a relayer key', [key]],
      ...vectors.invalidKeys.map(({ name, vkey }): [string, Given] => [name, { log, witnesses: [vkey] }]),
    ];
    for (const [name, given] of cases) {
      const { status, text } = await checkFile(file, 'log' in given ? optionsOf(given) : given);
      expect([name, status, text.includes('VALID')]).toEqual([name, 2, false]);
    }
    expect((await checkFile('{"format":"perpetua-proof-1"}', optionsOf({ log }))).status).toBe(2);
    expect((await checkFile(Uint8Array.of(0xff), optionsOf({ log }))).status).toBe(2);
  });

  test('rejects keys that are not points of prime order in canonical form', async () => {
    const torsion = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
    expect(torsion.isSmallOrder()).toBe(true);
    const good = Buffer.from(Point.BASE.multiply(7n).toBytes());
    const weak = {
      'the identity': `01${'00'.repeat(31)}`,
      'of order 8': torsion.toHex(),
      'of mixed order': Point.BASE.multiply(7n).add(torsion).toHex(),
      'the identity with y = p + 1': `ee${'ff'.repeat(30)}7f`,
      'the identity with a sign': `01${'00'.repeat(30)}80`,
    };
    expect((await checkFile(file, ['--log', log[0] ?? '', '--witness', vkeyOf('w', good)])).status).toBe(1);
    expect(() => newVerifierKey('w', 4, good.toString('hex'))).not.toThrow();
    for (const [name, hex] of Object.entries(weak)) {
      const { status, text } = await checkFile(file, [
        '--log',
        log[0] ?? '',
        '--witness',
        vkeyOf('w', Buffer.from(hex, 'hex')),
      ]);
      expect([name, status, text]).toEqual([name, 2, expect.stringContaining('prime order')]);
      expect(() => newVerifierKey('w', 4, hex), name).toThrow('prime order');
    }
  });
});

/** The vkey of a witness, for any 32 bytes. */
function vkeyOf(name: string, key: Uint8Array): string {
  const typed = Buffer.from([4, ...key]);
  return `${name}+${sha256(`${name}\n`, typed).slice(0, 8)}+${typed.toString('base64')}`;
}

describe('the proof that a service returns', () => {
  let service: TestService;
  let parties: Parties;
  let id: string;
  let key: string;
  beforeAll(async () => {
    service = await startTestService({ BUNDLE_MAX_AGE_MS: '50', DEVNET_BLOCK_MS: '25' });
    parties = partiesOf(service);
    ({ transactionId: id } = await parties.newHolder());
    key = (await service.get('/api/ledger')).body.checkpoint_key;
  });
  afterAll(() => service.stop());

  const read = async (accept = '*/*') => {
    const { headers, body } = await service.get(`/api/ledger/proof/${id}`, { accept });
    return { type: headers.get('content-type')?.split(';')[0], vary: headers.get('vary'), body };
  };

  test('is the small file once the entry is in the log, the same as below /tlog, and the script accepts it', async () => {
    const { body } = await vi.waitFor(
      async () => {
        const proof = await read();
        expect(proof).toMatchObject({ type: 'text/plain', vary: 'accept' });
        return proof;
      },
      { timeout: 240_000, interval: 100 },
    );
    expect(body.length).toBeLessThan(4_000);
    expect(body.split('\n').slice(0, 3)).toEqual((await service.get(`/tlog/proof/${id}`)).body.split('\n').slice(0, 3));
    const { status, text } = await checkFile(body, ['--log', key]);
    expect({ status, failed: text.match(/^FAIL.*/gm) }).toEqual({ status: 0, failed: null });
    const item = body.replace(/^extra (.{100})./m, (_: string, start: string) => `extra ${start}!`);
    expect((await checkFile(item, ['--log', key])).status).toBe(1);
    const other = vectors.proofs[0]?.log[0] ?? '';
    expect((await checkFile(body, ['--log', other])).status).toBe(1);
  });

  test('is the chain before that, and always for clients that prefer JSON', async () => {
    const { transactionId } = await parties.newHolder();
    const early = await service.get(`/api/ledger/proof/${transactionId}`, { accept: 'text/plain' });
    // The entry may have become FINAL since it was accepted.
    if (typeof early.body === 'object') expect(early.body).toMatchObject({ format: 'perpetua-proof-1' });
    for (const accept of [
      'application/json',
      'application/json, text/plain, */*',
      'text/plain;q=0.5, application/json',
    ]) {
      expect(await read(accept), accept).toMatchObject({ type: 'application/json', vary: 'accept', body: { id } });
    }
    for (const accept of ['text/plain', 'text/html, */*;q=0.8', 'application/json;q=0.1, text/*']) {
      expect(await read(accept), accept).toMatchObject({ type: 'text/plain', vary: 'accept' });
    }
  });
});
