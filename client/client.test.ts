import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../protocol/operations.ts';
import { ROUTES, type Route, routesAt } from '../server/http/rest/routes.ts';
import { freshDomain, startTestService, type TestService } from '../server/testing/test-service.ts';
import { createClient } from './client.ts';
import { PerpetuaError } from './errors.ts';
import { generateKey } from './keys.ts';
import { newConsent, newHolder, recordingClient, wholeStory } from './test-story.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ LEDGER_ID_REQUIRED: 'true' });
});

afterAll(() => service.stop());

describe('the client', () => {
  test('has a method for every operation and every read, each accepted by the service', async () => {
    const { client, requests } = recordingClient(service.url);
    await wholeStory(client, service);
    const sent = requests.flatMap((request) => {
      const [method = '', path = ''] = request.split(' ');
      return routesAt(path).flatMap(({ route }) => (route.method === method ? [route] : []));
    });
    // The description of the API is for tools, the stream for mirrors, checkpoints and tiles for clients of C2SP tlog-tiles.
    const forOthers = [
      '/api/openapi.json',
      '/api/ledger/stream',
      '/tlog/checkpoint',
      '/tlog/tile/:tileLevel/*tileIndex',
    ];
    const expected = ROUTES.filter(({ path }) => !forOthers.includes(path));
    const unused = expected.filter((route) => !sent.some((used) => doesTheSame(used, route))).map(({ path }) => path);
    expect(unused, 'client/test-story.ts calls none of these').toEqual([]);
    const names = OPERATIONS.map(({ name }) => name);
    expect(Object.keys(client).filter((name) => names.includes(name))).toEqual(names);
  });

  test('remembers the highest entry, and a second client goes on from there', async () => {
    const stored: string[] = [];
    const client = createClient({ url: service.url, onTrusted: (trusted) => stored.push(JSON.stringify(trusted)) });
    const { key, beoId } = await newHolder(client);
    const { entry } = await client.lockBEO({ beoId }, { key });
    const last = JSON.parse(stored.at(-1) ?? 'null');
    expect(last).toEqual({ ledgerId: entry.ledgerId, head: { epoch: 1, seq: entry.seq, id: entry.id } });
    const next = createClient({ url: service.url, trusted: last });
    const unlocked = await next.unlockBEO({ beoId }, { key });
    expect(unlocked.entry.seq).toBeGreaterThan(entry.seq);
    expect(next.trusted()?.head?.seq).toBe(unlocked.entry.seq);
  });

  test('asks in reads for a state that contains what it wrote', async () => {
    const seqs: (string | null)[] = [];
    const fetch: typeof globalThis.fetch = (url, init) => {
      if (init?.method === 'GET') seqs.push(new Headers(init.headers).get('x-perpetua-seq'));
      return globalThis.fetch(url, init);
    };
    const client = createClient({ url: service.url, fetch });
    await client.getLedger();
    const { key, beoId } = await newHolder(client);
    const { entry } = await client.lockBEO({ beoId }, { key });
    await client.getBEO(beoId);
    expect([seqs[0], seqs.at(-1)]).toEqual([null, String(entry.seq)]);
  });

  test('follows an operation until it is final', async () => {
    const client = createClient({ url: service.url });
    const { key, beoId } = await newHolder(client);
    const { transactionId } = await client.lockBEO({ beoId }, { key });
    const seen: string[] = [];
    const wait = { interval: 50, onStatus: ({ status }: { status: string }) => seen.push(status) };
    const final = await client.waitUntilFinal(transactionId, wait);
    expect([final.status, final.entry.id, seen.at(-1)]).toEqual(['FINAL', transactionId, 'FINAL']);
    const unfinished = client.waitUntilFinal((await client.unlockBEO({ beoId }, { key })).transactionId, {
      timeout: 0,
    });
    await expect(unfinished).rejects.toMatchObject({ code: 'NOT_FINAL_YET' });
  });

  test('reads all events of an institution in order, and later ones from the stored cursor', async () => {
    const client = createClient({ url: service.url });
    const { holder, clinic, tokenId } = await newConsent(client);
    await client.lockBEO({ beoId: holder.beoId }, { key: holder.key });
    let after: string | undefined;
    const take = async () => {
      const taken = [];
      const request = { ieoId: clinic.ieoId, limit: 1, ...(after === undefined ? {} : { after }) };
      const options = { key: clinic.key, onCursor: (cursor: string) => (after = cursor) };
      for await (const event of client.events(request, options)) taken.push(event);
      return taken;
    };
    const first = await take();
    expect(first.map(({ type }) => type)).toEqual(['consent.granted', 'beo.locked']);
    expect(first[0]?.data).toMatchObject({ token_id: tokenId, beo_id: holder.beoId });
    expect(await take()).toEqual([]);
    await client.unlockBEO({ beoId: holder.beoId }, { key: holder.key });
    expect((await take()).map(({ type }) => type)).toEqual(['beo.unlocked']);
  });

  test('signs with an external signer, and refuses one that signs something else', async () => {
    const client = createClient({ url: service.url });
    const key = generateKey();
    const signer = { publicKey: key.publicKey.toUpperCase(), sign: async (message: Uint8Array) => key.sign(message) };
    const fields = { domain: freshDomain(), publicKey: key.publicKey, recovery: null };
    const { beo_id: beoId } = await client.createBEO(fields, { key: signer });
    const other = { ...signer, sign: async () => key.sign(new Uint8Array()) };
    await expect(client.lockBEO({ beoId }, { key: other })).rejects.toMatchObject({ code: 'CANNOT_SIGN' });
    expect((await client.getBEO(beoId)).status).toBe('ACTIVE');
  });

  test('throws the errors of the service with code, status, details and request id', async () => {
    const client = createClient({ url: service.url });
    const { key, beoId } = await newHolder(client);
    const stranger = generateKey();
    const refused = await client.lockBEO({ beoId }, { key: stranger }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PerpetuaError);
    expect(refused).toMatchObject({
      code: 'INVALID_SIGNATURE',
      status: 401,
      details: { expected_key: 'BEO', message_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      requestId: expect.stringMatching(/./),
    });
    await client.lockBEO({ beoId }, { key });
    await expect(client.lockBEO({ beoId }, { key })).rejects.toMatchObject({ code: 'ALREADY_LOCKED', status: 409 });
    await expect(client.getBEO('nobody.bsp')).rejects.toMatchObject({ code: 'BEO_NOT_FOUND', status: 404 });
  });

  test('names the skew of a wrong clock', async () => {
    const behind = createClient({ url: service.url, now: () => Date.now() - 400_000 });
    const refused = await newHolder(behind).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'TIMESTAMP_TOO_OLD' });
    expect(String(refused)).toMatch(/clock is (39\d|40\d) s behind the server's/);
    const skew = (refused as PerpetuaError).details.clock_skew_ms as number;
    const corrected = createClient({ url: service.url, now: () => Date.now() - 400_000 - skew });
    expect((await newHolder(corrected)).beoId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('names what is missing before it sends anything', async () => {
    const { client, requests } = recordingClient(service.url);
    const beoId = crypto.randomUUID();
    // @ts-expect-error: `beo` is not a field
    const misspelt = client.lockBEO({ beo: beoId }, { key: generateKey() });
    await expect(misspelt).rejects.toThrow(/beo is not a field of lockBEO: beoId, reason/);
    await expect(client.acceptGuardian({ invitationId: beoId, beoId, publicKey: '' })).rejects.toThrow(
      /needs the guardian's link/,
    );
    await expect(client.revokeToken({ tokenId: '' })).rejects.toThrow(/tokenId is part of the address/);
    await expect(client.lockBEO({ beoId })).rejects.toMatchObject({ code: 'CANNOT_SIGN' });
    expect(requests).toEqual([]);
  });

  test('ends when its signal is aborted, also while it waits', async () => {
    const client = createClient({ url: service.url });
    const { holder } = await newConsent(client);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(client.lockBEO({ beoId: holder.beoId }, { key: holder.key, signal })).rejects.toThrow('enough');
    const { transactionId } = await client.lockBEO({ beoId: holder.beoId }, { key: holder.key });
    const stop = new AbortController();
    const waiting = client.waitUntilFinal(transactionId, {
      interval: 60_000,
      onStatus: () => stop.abort(),
      signal: stop.signal,
    });
    await expect(waiting).rejects.toThrow(/abort/i);
  });
});

/** The same route, another route of its operation, or another path to the same read. */
function doesTheSame(used: Route, route: Route): boolean {
  if (used === route) return true;
  if (used.kind === 'operation' && route.kind === 'operation') {
    return route.operations.every((operation) => used.operations.includes(operation));
  }
  return used.kind === 'query' && route.kind === 'query' && used.endpoint === route.endpoint;
}
