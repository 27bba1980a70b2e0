import { expect, test } from 'vitest';
import type { LedgerId } from '../../protocol/ids.ts';
import { BEGIN_EPOCH, epochBeginning } from '../../protocol/ledger/epoch.ts';
import { originOf } from '../../protocol/transparency/ledger-log.ts';
import { testKey } from '../../protocol/transparency/test-keys.ts';
import { formatVerifierKey, NOTE_TYPE } from '../../protocol/transparency/verifier-key.ts';
import { freshDomain, newPerson } from '../../server/testing/test-service.ts';
import type { Forgery, Written } from '../audit/test-relayer.ts';
import { checkEvidence, type EvidenceKind } from './evidence.ts';
import {
  type FalseService,
  falseService,
  type MirrorPlace,
  mirrorPlace,
  type TestMirror,
  testMirror,
} from './test-mirror.ts';

const POLL = { timeout: 240_000 };

const create = ({ relayer }: FalseService, forgery?: Forgery): Written =>
  relayer.write(relayer.create(freshDomain()).draft, forgery);

/** A service with three entries, and a mirror that has verified them. */
async function mirrored(): Promise<{ service: FalseService; mirror: TestMirror; place: MirrorPlace }> {
  const service = await falseService();
  service.entries = [create(service), create(service), create(service)];
  const place = await mirrorPlace();
  const mirror = await testMirror({ of: service.url }, place);
  await mirror.reached(3);
  return { service, mirror, place };
}

/** Lets the relayer continue after an earlier entry, as if the later ones did not exist. */
function rewind({ relayer, entries }: FalseService, seq: number): void {
  const last = entries[seq - 1];
  Object.assign(relayer.head, { epoch: 1, seq, id: last?.id ?? null });
}

/** The entry that begins an epoch after the entry `lastSeq`. */
const beginning = ({ relayer }: FalseService, epoch: number, lastSeq: number): Written =>
  relayer.write(
    {
      ...{ function: BEGIN_EPOCH, entity_id: relayer.ledgerId, signer: null, signature: null },
      message: { ...epochBeginning(epoch, lastSeq) },
    },
    { entry: { epoch } },
  );

async function expectBreach(mirror: TestMirror, kind: EvidenceKind, verdict: 'proven' | 'unproven', verifiedTo = 3) {
  await expect.poll(() => mirror.following.breach()?.kind, { message: mirror.notes.join('\n') }).toBe(kind);
  const [file = '', ...more] = mirror.evidence();
  expect(more).toEqual([]);
  expect(checkEvidence(file)).toMatchObject({ verdict });
  const ready = await mirror.get('/ready');
  expect([ready.status, ready.body.ledger.ok]).toEqual([503, false]);
  expect(ready.body.ledger.problem).toContain(mirror.following.breach()?.sentence);
  const read = await mirror.get('/api/ledger/entries');
  expect([read.status, read.headers.get('x-perpetua-verified-to')]).toEqual([200, String(verifiedTo)]);
  expect(read.body.trim().split('\n')).toHaveLength(verifiedTo);
  return file;
}

test('a service that streams one entry and posts another is detected, also after a restart of the mirror', async () => {
  const { service, mirror, place } = await mirrored();
  rewind(service, 2);
  const other = create(service);
  await service.relayer.post([...service.entries.slice(0, 2), other]);
  await service.devnet.mine();
  const file = await expectBreach(mirror, 'equivocation', 'proven');
  expect(checkEvidence(file).sentence).toContain(other.id);
  await mirror.stop();
  const again = await testMirror({ of: service.url }, place);
  service.entries = [...service.entries, create(service)];
  expect(again.following.breach()?.kind).toBe('equivocation');
  expect((await again.get('/ready')).status).toBe(503);
});

test('a service that replaces an entry after it was mirrored is detected', async () => {
  const { service, mirror } = await mirrored();
  rewind(service, 2);
  const other = create(service);
  service.entries = [...service.entries.slice(0, 2), other, create(service)];
  await expectBreach(mirror, 'fork', 'proven');
});

test('a service that goes back is detected once its head is clearly later than the lost entry', async () => {
  const { service, mirror } = await mirrored();
  const [, second, third] = service.entries;
  const sendSecond = (laterMs: number) =>
    service.sendHead(
      { epoch: 1, seq: 2, id: second?.id ?? null },
      Date.parse(third?.entry.accepted_at ?? '') + laterMs,
    );
  sendSecond(10_000);
  await expect.poll(() => mirror.following.problems().service ?? '', POLL).toContain('ends with entry 2');
  expect(mirror.following.breach()).toBeNull();
  sendSecond(60_000);
  await expectBreach(mirror, 'rollback', 'proven');
});

test('a head that names another entry than the mirrored one is detected', async () => {
  const { service, mirror } = await mirrored();
  rewind(service, 2);
  service.sendHead({ epoch: 1, seq: 3, id: create(service).id });
  await expectBreach(mirror, 'head', 'proven');
});

test('two heads for one place are detected before its entry is sent', async () => {
  const { service, mirror } = await mirrored();
  rewind(service, 3);
  const [one, other] = [create(service), create(service)];
  service.sendHead({ epoch: 1, seq: 5, id: one.id });
  service.sendHead({ epoch: 1, seq: 5, id: other.id });
  const file = await expectBreach(mirror, 'head', 'proven');
  expect(JSON.parse(file).heads).toHaveLength(2);
});

test('an operation of a later version stops the mirror without an accusation', async () => {
  const { service, mirror } = await mirrored();
  const { draft } = service.relayer.create(freshDomain());
  service.entries = [...service.entries, service.relayer.write({ ...draft, function: 'renewBEO' } as typeof draft)];
  await expect.poll(() => mirror.following.problems().service ?? '', POLL).toContain('update the mirror');
  expect([mirror.following.verifiedTo(), mirror.following.breach()]).toEqual([3, null]);
});

test('an entry that a person did not sign is detected and not stored', async () => {
  const { service, mirror } = await mirrored();
  const stranger = newPerson();
  const { draft } = service.relayer.create(freshDomain());
  const signature = stranger.sign('createBEO', {}).signature;
  service.entries = [
    ...service.entries,
    create(service),
    service.relayer.write({ ...draft, signature } as typeof draft),
  ];
  await expectBreach(mirror, 'entry', 'proven', 4);
});

test('an entry that the state does not allow is detected; only the whole ledger proves it', async () => {
  const { service, mirror } = await mirrored();
  const { beoId, draft } = service.relayer.create(freshDomain());
  const created = service.relayer.write(draft);
  const stranger = newPerson();
  service.entries = [
    ...service.entries,
    created,
    service.relayer.write(service.relayer.act(stranger, beoId, 'lockBEO')),
  ];
  const file = await expectBreach(mirror, 'state', 'unproven', 4);
  expect(JSON.parse(file).finding).toBe('WRONG_SIGNER');
});

test('entries in an order that contradicts their times are detected', async () => {
  const { service, mirror } = await mirrored();
  service.entries = [...service.entries, create(service, { entry: { accepted_at: new Date(0).toISOString() } })];
  await expectBreach(mirror, 'backdated', 'proven');
});

test('a new epoch that leaves out acknowledged entries is detected, however the service continues', async () => {
  const { service, mirror } = await mirrored();
  rewind(service, 1);
  service.entries = [
    ...service.entries.slice(0, 1),
    beginning(service, 2, 1),
    create(service),
    create(service),
    create(service),
  ];
  await expectBreach(mirror, 'abandoned', 'proven');
});

test('a new epoch that leaves out many entries is detected although no page begins at it', async () => {
  const { service, mirror } = await mirrored();
  for (let seq = 4; seq <= 10; seq++) service.entries = [...service.entries, create(service)];
  await mirror.reached(10);
  service.pageSize = 2;
  rewind(service, 5);
  service.entries = [...service.entries.slice(0, 5), beginning(service, 2, 5)];
  service.sendHead({ epoch: 2, seq: 6, id: service.entries.at(-1)?.id ?? null });
  await expectBreach(mirror, 'abandoned', 'proven', 10);
});

test('what the relayer did not sign accuses nobody, and the mirror goes on once the service is honest again', async () => {
  const { service, mirror } = await mirrored();
  const honest = create(service);
  const bytes = Buffer.from(honest.bytes);
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
  service.entries = [...service.entries, { ...honest, bytes }];
  await expect.poll(() => mirror.following.problems().service ?? '', POLL).toContain('has not signed');
  expect((await mirror.get('/ready')).body).toMatchObject({ ledger: { ok: true }, backlog: { ok: false } });
  service.entries = [...service.entries.slice(0, 3), honest];
  await mirror.reached(4);
  await expect.poll(() => mirror.following.problems().service).toBeNull();
  expect(mirror.following.breach()).toBeNull();
});

test('a service that leaves an entry out of its stream is not followed past it', async () => {
  const { service, mirror } = await mirrored();
  const left = create(service);
  service.entries = [...service.entries, create(service)];
  await expect.poll(() => mirror.following.problems().service ?? '', POLL).toContain('after entry 3');
  await service.relayer.post([...service.entries.slice(0, 3), left, ...service.entries.slice(3)]);
  await service.devnet.mine();
  await mirror.reached(5);
  expect(mirror.following.breach()).toBeNull();
});

test('a checkpoint with another root than that of the entries is detected; only the whole ledger proves it', async () => {
  const { service, mirror } = await mirrored();
  service.checkpoint = service.signCheckpoint(service.entries, Buffer.alloc(32, 7));
  const file = await expectBreach(mirror, 'checkpoint', 'unproven');
  expect(JSON.parse(file)).toMatchObject({ finding: 'CHECKPOINT', checkpoints: [service.checkpoint] });
});

test('two checkpoints of one size with different roots are detected', async () => {
  const { service, mirror } = await mirrored();
  service.checkpoint = service.signCheckpoint(service.entries);
  await expect.poll(async () => (await mirror.get('/tlog/checkpoint')).body, POLL).toBe(service.checkpoint);
  service.checkpoint = service.signCheckpoint(service.entries, Buffer.alloc(32, 7));
  const file = await expectBreach(mirror, 'split', 'proven');
  const { checkpoints } = JSON.parse(file);
  expect(checkpoints).toHaveLength(2);
  for (const changed of [
    { checkpoints: [checkpoints[0], checkpoints[0]] },
    { checkpoints: checkpoints.slice(0, 1) },
    { checkpoints: [checkpoints[0], service.signCheckpoint(service.entries.slice(0, 2))] },
    { checkpoint_key: null },
    { checkpoint_key: formatVerifierKey(testKey('perpetua/other', NOTE_TYPE).key) },
    { checkpoint_key: formatVerifierKey(testKey(originOf('0'.repeat(64) as LedgerId), NOTE_TYPE).key) },
  ]) {
    expect(checkEvidence(JSON.stringify({ ...JSON.parse(file), ...changed })).verdict).toBe('invalid');
  }
});

test('a checkpoint of fewer entries, without a signature, or of entries that the mirror does not have accuses nobody', async () => {
  const { service, mirror } = await mirrored();
  const problem = () => mirror.following.problems().log;
  service.checkpoint = service.signCheckpoint(service.entries);
  await expect.poll(async () => (await mirror.get('/tlog/checkpoint')).status, POLL).toBe(200);
  const newest = service.checkpoint;
  service.checkpoint = service.signCheckpoint(service.entries.slice(0, 2));
  await expect.poll(problem, POLL).toContain('a checkpoint of 2 entries, after one of 3');
  service.checkpoint = newest.replace(/.{8}\n$/, 'AAAAAAA=\n');
  await expect.poll(problem, POLL).toContain('not valid');
  service.checkpoint = service.signCheckpoint([...service.entries, create(service)], Buffer.alloc(32, 7));
  await expect.poll(problem, POLL).toBeNull();
  expect((await mirror.get('/tlog/checkpoint')).body).toBe(newest);
  expect(mirror.following.breach()).toBeNull();
});

test('a checkpoint ahead of the mirror is compared once its entries arrive, even if it is no longer served', async () => {
  const { service, mirror } = await mirrored();
  const later = create(service);
  const ahead = service.signCheckpoint([...service.entries, later], Buffer.alloc(32, 7));
  let asked = 0;
  Object.defineProperty(service, 'checkpoint', { get: () => (asked++ === 0 ? ahead : null) });
  await expect.poll(() => asked, POLL).toBeGreaterThan(1);
  service.entries = [...service.entries, later];
  const file = await expectBreach(mirror, 'checkpoint', 'unproven', 4);
  expect(JSON.parse(file).checkpoints).toEqual([ahead]);
});

test('two checkpoints of one size are detected before their entries come', async () => {
  const { service, mirror } = await mirrored();
  const all = [...service.entries, create(service)];
  const [one, other] = [7, 8].map((byte) => service.signCheckpoint(all, Buffer.alloc(32, byte)));
  let asked = 0;
  Object.defineProperty(service, 'checkpoint', { get: () => (asked++ === 0 ? one : other) });
  await expectBreach(mirror, 'split', 'proven');
});

test('an entry that was posted after the published maximum, or dated after its block, is reported and followed', async () => {
  const service = await falseService();
  const createdIn = (ms: number) => {
    service.relayer.head.at = Date.now() + ms;
    return create(service);
  };
  service.entries = [createdIn(-90_000_000), createdIn(3_600_000)];
  const place = await mirrorPlace();
  const mirror = await testMirror({ of: service.url }, place);
  await mirror.reached(2);
  await service.relayer.post(service.entries);
  await service.devnet.mine();
  const found = 'LATE_POSTING (1), POSTDATED (1)';
  await expect.poll(() => mirror.following.problems().postings ?? '', POLL).toContain(found);
  expect(mirror.evidence().map((file) => [JSON.parse(file).finding, checkEvidence(file).verdict])).toEqual(
    expect.arrayContaining([
      ['LATE_POSTING', 'unproven'],
      ['POSTDATED', 'unproven'],
    ]),
  );
  expect((await mirror.get('/ready')).body).toMatchObject({ status: 'degraded', ledger: { ok: true } });
  await mirror.stop();
  const again = await testMirror({ of: service.url }, place);
  service.entries = [...service.entries, create(service)];
  await again.reached(3);
  expect(again.following.problems().postings).toContain(found);
  expect(again.evidence()).toHaveLength(2);
});
