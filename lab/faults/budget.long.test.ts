import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClock } from '../../server/platform/db/clock.ts';
import { accepted, creation, expectAllFinal, expectOnceOnNetwork } from '../../server/testing/test-load.ts';
import { freshDomain, newPerson, startTestService, type TestService } from '../../server/testing/test-service.ts';

const ready = async (service: TestService) => (await service.get('/ready')).body;

describe('operations queue and /ready reports the reason', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const expectReadiness = (expected: object) =>
    expect.poll(() => ready(service), { interval: 100 }).toMatchObject({ status: 'degraded', ...expected });
  const posted = async () => {
    const { rows } = await service.service.context.pool.query('SELECT max(last_seq) AS seq FROM bundles');
    return rows[0].seq as number | null;
  };

  test('while the price is above the cap; they are posted when it falls', async () => {
    const before = await posted();
    service.devnet.setFault({ mode: 'price', factor: 100 });
    await accepted(service, 2);
    const problem = "The network's price of 57000000000 winston for a bundle is above the cap of 20000000000.";
    await expectReadiness({ backlog: { ok: false, problem, entries: 2 } });
    await accepted(service, 1);
    expect(await posted()).toBe(before);
    service.devnet.setFault({ mode: 'none' });
    await expectAllFinal(service);
    await expectOnceOnNetwork(service);
    await expect.poll(async () => (await ready(service)).status, { interval: 100 }).toBe('ready');
  });

  test('while the wallet is empty; they are posted when it is funded', async () => {
    const { network, arweave } = service.service.context;
    const before = await posted();
    const balance = await arweave.balance(network.walletAddress);
    await service.devnet.mint(network.walletAddress, -balance);
    await accepted(service, 2);
    await expectReadiness({
      wallet: {
        ok: false,
        problem: 'The wallet is nearly empty; operations queue until it is funded.',
        balance_winston: '0',
      },
      backlog: { ok: false, problem: 'The wallet holds 0 winston, but the next bundle costs 570000000.' },
    });
    expect(await posted()).toBe(before);
    await service.devnet.mint(network.walletAddress, 1_000_000_000n);
    await expectAllFinal(service);
    await expectOnceOnNetwork(service, 1_000_000_000n - balance);
    const nearlyEmpty = { wallet: { ok: false, balance_winston: '430000000' } };
    await expectReadiness(nearlyEmpty);
  });
});

test('with a cap below every price, operations are accepted but not posted', async () => {
  const service = await startTestService({ MAX_WINSTON_PER_BUNDLE: '1' });
  try {
    const [id] = await accepted(service, 3);
    const problem = "The network's price of 570000000 winston for a bundle is above the cap of 1.";
    await expect
      .poll(() => ready(service), { interval: 100 })
      .toMatchObject({ status: 'degraded', backlog: { ok: false, problem, entries: 3 } });
    expect((await service.get(`/api/transactions/${id}`)).body.transaction.status).toBe('ACCEPTED');
  } finally {
    await service.stop();
  }
});

test('beyond the daily byte budget operations are accepted until the backlog is full, then refused until the next day', async () => {
  let shift = 0;
  const clock = createClock(Date.now, () => shift);
  const service = await startTestService({ DAILY_BYTES: '3000', MAX_BACKLOG: '6' }, { clock });
  try {
    let refused = null;
    let acceptedCount = 0;
    for (const stop = Date.now() + 240_000; refused === null && Date.now() < stop; ) {
      const answer = await service.post('/api/relayer/beo', creation());
      if (answer.status === 201) acceptedCount += 1;
      else refused = answer;
    }
    expect(acceptedCount).toBeGreaterThanOrEqual(6);
    expect([refused?.status, refused?.body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(refused?.body.error).toBe(
      'The network budget for today is used up and the backlog is full; try again later.',
    );
    expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/);
    // A bundle that was on its way when the backlog was full still leaves it, and makes room for one more operation.
    const fill = () => service.post('/api/relayer/beo', creation());
    await expect
      .poll(() => fill().then(() => ready(service)), { interval: 100 })
      .toMatchObject({
        status: 'unavailable',
        backlog: {
          ok: false,
          problem:
            "Today's 3000 bytes of network space are used up; posting continues tomorrow. " +
            'The backlog is full; operations beyond the daily byte budget are refused.',
          max_entries: 6,
        },
      });

    shift = 24 * 3_600_000;
    const person = newPerson();
    const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
    const timestamp = new Date(Date.now() + shift).toISOString();
    const tomorrow = await service.post('/api/relayer/beo', person.sign('createBEO', fields, { timestamp }));
    expect([tomorrow.status, tomorrow.body.code]).toEqual([201, undefined]);
  } finally {
    await service.stop();
  }
});
