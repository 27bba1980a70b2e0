import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wholeChain } from '../../server/ledger/test-chain.ts';
import { accepted, expectAllFinal, expectOnceOnNetwork } from '../../server/testing/test-load.ts';
import { startTestService, type TestService } from '../../server/testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ DEVNET_BLOCK_MS: '60' });
});
afterAll(() => service.stop());

const ready = async () => (await service.get('/ready')).body;
const expectReady = () => expect.poll(async () => (await ready()).status, { interval: 100 }).toBe('ready');

describe('a gateway', () => {
  test.each([
    [
      'that closes every connection',
      { mode: 'refuse' },
      /^The storage network is not reachable: http\S+ The gateway cannot be reached/,
    ],
    [
      'that returns 500',
      { mode: 'error', status: 500 },
      /^The storage network is not reachable: http\S+ The gateway answered 500/,
    ],
    [
      'that returns 429',
      { mode: 'error', status: 429 },
      /^The storage network is not reachable: http\S+ The gateway answered 429/,
    ],
    ['that hangs', { mode: 'delay' }, /^The storage network is not reachable: no response in time$/],
  ] as const)(
    '%s does not block writes; /ready reports the problem and the service recovers',
    async (_, fault, problem) => {
      await expectReady();
      service.devnet.setFault(fault);
      const ids = await accepted(service, 3);
      await expect.poll(ready, { interval: 200 }).toMatchObject({
        status: 'degraded',
        database: { ok: true },
        network: { ok: false, problem: expect.stringMatching(problem), height: null },
        wallet: { ok: false, problem: 'The balance of the wallet cannot be read.', balance_winston: null },
      });
      expect((await service.get('/ready')).status).toBe(200);
      const { transaction } = (await service.get(`/api/transactions/${ids[0]}`)).body;
      expect(transaction).toMatchObject({ status: 'ACCEPTED', l1_tx: null });
      service.devnet.setFault({ mode: 'none' });
      await expectAllFinal(service);
      await expectOnceOnNetwork(service);
      await expectReady();
    },
  );

  test('that accepts a bundle without a response is paid once', async () => {
    service.devnet.setFault({ mode: 'cut', times: 2 });
    await accepted(service, 3);
    await expectAllFinal(service);
    await expectOnceOnNetwork(service);
  });

  test('that is slow only delays posting', async () => {
    service.devnet.setFault({ mode: 'delay', ms: 150 });
    await accepted(service, 3);
    await expectAllFinal(service);
    service.devnet.setFault({ mode: 'none' });
    await expectOnceOnNetwork(service);
  });

  test('that acknowledges and drops a bundle receives it again', async () => {
    service.devnet.setFault({ mode: 'drop' });
    const [id] = await accepted(service, 3);
    const transaction = async () => (await service.get(`/api/transactions/${id}`)).body.transaction;
    await expect.poll(transaction, { interval: 50 }).toMatchObject({ status: 'POSTED' });
    const { l1_tx } = await transaction();
    expect(await service.service.context.arweave.status(l1_tx)).toEqual({ state: 'unknown' });
    service.devnet.setFault({ mode: 'none' });
    await expectAllFinal(service);
    await expectOnceOnNetwork(service);
  });
});

describe('a reorganisation of six blocks', () => {
  test.each([
    ['that makes transactions pending again', false],
    ['that drops transactions', true],
  ])('%s loses no operation, and each bundle is paid once', async (_, drop) => {
    const [id] = await accepted(service, 2);
    const confirmations = async () => (await service.get(`/api/transactions/${id}`)).body.transaction.confirmations;
    await expect.poll(confirmations, { interval: 20 }).toBeGreaterThan(0);
    await service.devnet.reorganise(6, { drop });
    await accepted(service, 2);
    await expectAllFinal(service);
    await expectOnceOnNetwork(service);
  });
});

test('after a load with continuous network faults every operation is on the network once', async () => {
  const faults = [
    { mode: 'refuse', times: 3 },
    { mode: 'cut', times: 1 },
    { mode: 'error', times: 2 },
    { mode: 'delay', ms: 80, times: 3 },
  ] as const;
  const current = async () => (await (await fetch(`${service.gatewayUrl}/faults`)).json()).mode;
  let over = false;
  let rounds = 0;
  const injectFaults = async () => {
    while (!over) {
      service.devnet.setFault(faults[rounds % faults.length] ?? { mode: 'none' });
      // A fault ends once it has applied as often as it may.
      await expect.poll(async () => over || (await current()) === 'none', { interval: 20 }).toBe(true);
      if (rounds % 5 === 3) await service.devnet.reorganise(2, { drop: rounds % 2 === 0 });
      rounds += 1;
    }
  };
  const running = injectFaults();
  await Promise.all([accepted(service, 60), accepted(service, 60), accepted(service, 60)]);
  while (rounds < 12) await accepted(service, 5);
  over = true;
  await running;
  service.devnet.setFault({ mode: 'none' });
  await expectAllFinal(service);
  await expectOnceOnNetwork(service);
  await wholeChain(service.service.context.pool);
});
