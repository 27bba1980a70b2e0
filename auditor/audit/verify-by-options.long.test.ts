import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startTestService, type TestService } from '../../server/testing/test-service.ts';
import type { Verdict } from './report.ts';
import { createServiceApi } from './service-api.ts';
import { badGateway, sampleLedger } from './test-bad-gateway.ts';
import { createGuardians } from './test-guardians.ts';
import { createConsents, grant, newInstitution, submit } from './test-institutions.ts';
import { createIdentities, newHolder, query, settle } from './test-operator.ts';
import { builtWorker } from './test-worker.ts';
import { type CommandParts, type VerifyOptions, verify } from './verify.ts';

async function runVerify(options: VerifyOptions): Promise<{ isClean: boolean; verdict: Verdict; text: string }> {
  const lines: string[] = [];
  const steps: (() => Promise<unknown>)[] = [];
  const parts: CommandParts = {
    env: {},
    progress: { at: () => undefined, end: () => undefined },
    print: (line) => lines.push(line),
    note: (line) => lines.push(line),
    addStep: (_, step) => steps.push(step),
    workerFile: await builtWorker('check.worker'),
  };
  try {
    const verdict = await verify({ allowPrivate: true, ...options }, parts);
    return { isClean: verdict === 'clean', verdict, text: lines.join('\n') };
  } finally {
    for (const step of steps.reverse()) await step();
  }
}

async function service(env: Record<string, string> = {}): Promise<TestService> {
  const started = await startTestService(env);
  onTestFinished(started.stop);
  return started;
}

test('a gateway, a wallet and a key are sufficient; the report states that no service was compared', async () => {
  const { service: running, gatewayUrl, databaseUrl } = await service();
  await createIdentities(running, 20);
  await settle(databaseUrl);
  const { network, relayerKey } = await factsOf(running, databaseUrl);
  const { isClean, text } = await runVerify({ gateway: [gatewayUrl], wallet: network.walletAddress, relayerKey });
  expect(text).toContain('No breach was found.');
  expect(text).toContain('not compared with a service');
  expect(isClean).toBe(true);
});

test('a missing gateway, wallet or key is an error', async () => {
  const wallet = 'w'.repeat(43);
  await expect(runVerify({ gateway: ['http://127.0.0.1:9'], wallet })).rejects.toThrow(
    'all three of --gateway, --wallet',
  );
});

test('a running service supplies the missing options and the entries that are not posted yet', async () => {
  const { service: running, url } = await service({ BUNDLE_MAX_AGE_MS: '2000000000' });
  const holders = await createIdentities(running, 30);
  const { isClean, text } = await runVerify({ api: url });
  expect(text).toContain('On the network: 0 entries');
  expect(text).toContain('Not on the network when it was read:');
  expect(text).toContain(`compared with ${url}: `);
  expect(text).toContain(`of ${holders.length} live identities`);
  expect(isClean).toBe(true);
});

test('a service that serves another state than its ledger is detected', async () => {
  const { service: running, url, databaseUrl } = await service();
  const [holder] = await createIdentities(running, 20);
  await settle(databaseUrl);
  await query(databaseUrl, "UPDATE beos SET status = 'LOCKED', locked_at = now() WHERE id = $1", [holder?.beoId]);
  const { isClean, text } = await runVerify({ api: url });
  expect(isClean).toBe(false);
  expect(text).toMatch(
    /STATE: The service shows another state of \S+: status is "LOCKED" instead of "ACTIVE"; locked_at is/,
  );
});

test('live and ended institutions and consents are compared too', async () => {
  const { service: running, url, databaseUrl } = await service();
  const { lab, kept, suspended } = await createConsents(running);
  const clean = await runVerify({ api: url });
  expect(clean.text).toContain('No breach was found.');
  expect(clean.text).toContain('5 of 5 live identities and 1 ended, 3 of 3 live institutions and 2 ended');
  expect(clean.isClean).toBe(true);

  await query(databaseUrl, "UPDATE ieos SET status = 'ACTIVE' WHERE id = $1", [suspended.ieoId]);
  await query(databaseUrl, "UPDATE ieos SET contacts = '{}' WHERE id = $1", [lab.ieoId]);
  await query(databaseUrl, 'UPDATE tokens SET revoked_at = now() WHERE id = $1', [kept.tokenId]);
  const { text } = await runVerify({ api: url, sample: 200 });
  expect(text).toMatch(/The service shows another state of \S+: status is "ACTIVE" instead of "SUSPENDED"/);
  expect(text).toMatch(/The service shows another state of \S+: contacts is {} instead of/);
  expect(text).toContain(
    `The service shows another state of ${kept.tokenId}: valid is false instead of true; reason is "TOKEN_REVOKED"`,
  );
  expect(text).toMatch(/The service shows another state of tok_\S+: valid is true instead of false; reason is absent/);
});

test.each(['commitment', 'ciphertext'])(
  'consents with submitted records are compared; the network has a %s of each record',
  async (form) => {
    const { service: running, url, databaseUrl } = await service({ RECORDS_ON_NETWORK: form });
    const [holder, lab] = await Promise.all([newHolder(running), newInstitution(running)]);
    const consent = await grant(running, holder, lab.ieoId, ['SUBMIT_RECORD']);
    await submit(running, lab, holder, consent, 2);
    await submit(running, lab, holder, consent, 100);
    await settle(databaseUrl);
    const clean = await runVerify({ api: url });
    expect(clean.text).toContain('2 sealed');
    expect(clean.text).toContain('No breach was found.');
    expect(clean.isClean).toBe(true);

    await query(databaseUrl, 'UPDATE tokens SET seq = seq - 1 WHERE id = $1', [consent.tokenId]);
    const { text } = await runVerify({ api: url });
    expect(text).toContain(`The service shows another state of ${consent.tokenId}: ledger_seq is 4 instead of 5.`);
  },
);

test('entries that are too large for one response are requested in smaller pages', async () => {
  const line = (seq: number) => `${JSON.stringify({ id: 'i'.repeat(43), seq, item: 'A'.repeat(512 * 1024) })}\n`;
  const limits: string[] = [];
  const large = createServer(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://localhost');
    limits.push(searchParams.get('limit') ?? '');
    const after = Number(searchParams.get('after'));
    const count = Math.min(Number(searchParams.get('limit')), 100);
    response.end(Array.from({ length: count }, (_, n) => line(after + n + 1)).join(''));
  });
  await new Promise<void>((resolve) => large.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void large.close());
  const api = createServiceApi(`http://127.0.0.1:${(large.address() as AddressInfo).port}`);
  const entries = await api.entriesAfter(7);
  expect(limits).toEqual(['1000', '125', '16']);
  expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 16 }, (_, n) => 8 + n));
});

test('guardians are compared too, removed ones and open requests included', async () => {
  const { service: running, url, databaseUrl } = await service();
  const { withRemoved, withRequest } = await createGuardians(running);
  const first = await runVerify({ api: url });
  expect(first.text).toContain('1 recovery is asserted by the relayer alone.');
  expect(first.text).toContain('5 of 5 live identities and 1 ended');
  expect(first.verdict).toBe('asserted');

  const removed = (path: string, { beoId }: { beoId: string }) =>
    query(databaseUrl, 'UPDATE beos SET recovery = jsonb_set(recovery, $1, $2) WHERE id = $3', [path, '[]', beoId]);
  await removed('{guardians}', withRemoved);
  await removed('{requests}', withRequest);
  const { text, verdict } = await runVerify({ api: url });
  expect(text).toMatch(
    /The service shows another state of \S+: recovery is {"enabled":true,"threshold":2,"confirmed_only":false,"guardians":\[]}/,
  );
  expect(text).toMatch(/The service shows another state of \S+: active_recovery is null instead of {"request_id":/);
  expect(text.split('\n').at(-1)).toBe('Also: 1 recovery is asserted by the relayer alone.');
  expect(verdict).toBe('breach');
});

test('a service with another head than its ledger is detected', async () => {
  const { service: running, url, databaseUrl } = await service();
  await newHolder(running);
  const earlier = await (await fetch(`${url}/api/ledger`)).text();
  await newHolder(running);
  await settle(databaseUrl);
  const stale = await badGateway(({ url: path }, response) => path === '/api/ledger' && Boolean(response.end(earlier)));
  const { isClean, text } = await runVerify({ api: stale.url });
  expect(isClean).toBe(false);
  expect(text).toContain('HEAD: The service’s head is entry 1');
});

test('after a 429 the verification waits and tries again', async () => {
  const { service: running, url } = await service();
  await createIdentities(running, 5);
  const refusals: string[] = [];
  const limited = createServer((request, response) => {
    if (refusals.length < 1 && request.url?.startsWith('/api/beos/')) {
      refusals.push(request.url);
      response.writeHead(429, { 'retry-after': '1' }).end('{}');
      return;
    }
    void fetch(`${url}${request.url}`).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => limited.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void limited.close());
  const { isClean } = await runVerify({
    api: `http://127.0.0.1:${(limited.address() as AddressInfo).port}`,
    sample: 4,
  });
  expect(refusals).toHaveLength(1);
  expect(isClean).toBe(true);
});

async function factsOf({ context }: TestService['service'], databaseUrl: string) {
  const [head] = await query<{ relayer_public_key: string }>(databaseUrl, 'SELECT relayer_public_key FROM ledger_head');
  return { network: context.network, relayerKey: head?.relayer_public_key ?? '' };
}

test('the gateway that a service states is not asked at a private address', async () => {
  const { url } = await service();
  const internal = await badGateway(() => false);
  const lying = await badGateway(async (request, response) => {
    if (request.url !== '/api/ledger') return false;
    const served = await fetch(`${url}/api/ledger`).then((answer) => answer.json());
    response.end(JSON.stringify({ ...served, network: { ...served.network, gateway_url: internal.url } }));
    return true;
  }, url);
  await expect(runVerify({ api: lying.url, allowPrivate: false })).rejects.toThrow('has no public address');
  expect(internal.asked).toEqual([]);
});

/** A ledger with an operation that a stranger signed; its last bundle is not served if `isPartial`. */
async function forgedLedger({ isPartial }: { readonly isPartial: boolean }) {
  const { devnet, relayer, beoId, wallet } = await sampleLedger(randomBytes(32));
  const { person: stranger, draft } = relayer.create('berta.bsp');
  const posted: string[] = [];
  for (const next of [relayer.act(stranger, beoId, 'lockBEO'), draft]) {
    posted.push(await relayer.post([relayer.write(next)]));
    await devnet.mine();
  }
  const [, last = ''] = posted;
  const gateway = await badGateway(({ url }, response) => {
    return isPartial && url === `/raw/${last}` ? Boolean(response.writeHead(503).end()) : false;
  }, devnet.url);
  return { gateway: [gateway.url], wallet: wallet.address, relayerKey: relayer.relayerKey };
}

describe('a breach is reported although', () => {
  test('a gateway does not answer for a later bundle', async () => {
    const { verdict, text } = await runVerify(await forgedLedger({ isPartial: true }));
    expect(text).toMatch(/Not everything could be checked: .*answered 503 to GET.*\n\d+ BREACH(ES were| was) found:/);
    expect(verdict).toBe('breach');
  });

  test('the service to compare with does not answer', async () => {
    const options = { ...(await forgedLedger({ isPartial: false })), api: 'http://127.0.0.1:9' };
    const { verdict, text } = await runVerify(options);
    expect(text).toContain('Not everything could be checked: The service at http://127.0.0.1:9 does not respond');
    expect(verdict).toBe('breach');
  });

  test('the service fails while it is compared', async () => {
    const { service: running, gatewayUrl, databaseUrl, url } = await service();
    await createIdentities(running, 5);
    await settle(databaseUrl);
    const failing = await badGateway((request, response) => {
      return request.url?.startsWith('/api/beos') ? Boolean(response.writeHead(500).end()) : false;
    }, url);
    const { verdict, text } = await runVerify({ api: failing.url, gateway: [gatewayUrl], relayerKey: 'ab'.repeat(32) });
    expect(text).toMatch(/Not everything could be checked: The service at \S+ responds 500 to GET \/api\/beos/);
    expect(text).toContain('is none of the relayer’s keys of this ledger');
    expect(verdict).toBe('breach');
  });
});

test('a service that does not answer leaves a ledger without breaches undecided', async () => {
  const { devnet, relayer, wallet } = await sampleLedger(randomBytes(32));
  const options = { gateway: [devnet.url], wallet: wallet.address, relayerKey: relayer.relayerKey };
  await expect(runVerify({ ...options, api: 'http://127.0.0.1:9' })).rejects.toThrow('does not respond');
});
