import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wholeChain } from '../ledger/test-chain.ts';
import { startTestService, type TestService } from '../test-service.ts';
import { accepted, everythingFinal, expectOnceOnNetwork } from './test-load.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ DEVNET_BLOCK_MS: '60' });
});
afterAll(() => service.stop());

const ready = async () => (await service.get('/ready')).body;
const isReady = () => expect.poll(async () => (await ready()).status, { interval: 100 }).toBe('ready');

describe('a gateway', () => {
  test.each([
    [
      'that cuts every connection',
      { mode: 'refuse' },
      /^The storage network is not reachable: The gateway cannot be reached/,
    ],
    [
      'that answers 500',
      { mode: 'error', status: 500 },
      /^The storage network is not reachable: The gateway answered 500/,
    ],
    [
      'that answers 429',
      { mode: 'error', status: 429 },
      /^The storage network is not reachable: The gateway answered 429/,
    ],
    ['that hangs', { mode: 'delay' }, /^The storage network is not reachable: no response in time$/],
  ] as const)(
    '%s keeps nobody from writing; /ready says what is wrong, and it goes on by itself',
    async (_, fault, problem) => {
      await isReady();
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
      await everythingFinal(service);
      await expectOnceOnNetwork(service);
      await isReady();
    },
  );

  test('that takes a bundle and never says so is not paid twice', async () => {
    service.devnet.setFault({ mode: 'cut', times: 2 });
    await accepted(service, 3);
    await everythingFinal(service);
    await expectOnceOnNetwork(service);
  });

  test('that is slow is waited for', async () => {
    service.devnet.setFault({ mode: 'delay', ms: 150 });
    await accepted(service, 3);
    await everythingFinal(service);
    service.devnet.setFault({ mode: 'none' });
    await expectOnceOnNetwork(service);
  });

  test('that says yes and forgets the bundle gets it again', async () => {
    service.devnet.setFault({ mode: 'drop' });
    const [id] = await accepted(service, 3);
    const transaction = async () => (await service.get(`/api/transactions/${id}`)).body.transaction;
    await expect.poll(transaction, { interval: 50 }).toMatchObject({ status: 'POSTED' });
    const { l1_tx } = await transaction();
    expect(await service.service.context.arweave.status(l1_tx)).toEqual({ state: 'unknown' });
    service.devnet.setFault({ mode: 'none' });
    await everythingFinal(service);
    await expectOnceOnNetwork(service);
  });
});

describe('a reorganisation of six blocks', () => {
  test.each([
    ['that puts transactions back among the pending ones', false],
    ['that loses them', true],
  ])('%s takes nothing that was accepted, and is paid once', async (_, drop) => {
    const [id] = await accepted(service, 2);
    const confirmations = async () => (await service.get(`/api/transactions/${id}`)).body.transaction.confirmations;
    await expect.poll(confirmations, { interval: 20 }).toBeGreaterThan(0);
    await service.devnet.reorganise(6, { drop });
    await accepted(service, 2);
    await everythingFinal(service);
    await expectOnceOnNetwork(service);
  });
});

test('a network in trouble from the first to the last moment of a load ends with every operation there once', async () => {
  let over = false;
  const trouble = async () => {
    const faults = [
      { mode: 'refuse', times: 3 },
      { mode: 'cut', times: 1 },
      { mode: 'error', times: 2 },
      { mode: 'delay', ms: 80, times: 3 },
      { mode: 'none' },
    ] as const;
    for (let round = 0; !over; round++) {
      service.devnet.setFault(faults[round % faults.length] ?? { mode: 'none' });
      if (round % 7 === 3) await service.devnet.reorganise(2, { drop: round % 2 === 0 });
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  };
  const running = trouble();
  await Promise.all([accepted(service, 60), accepted(service, 60), accepted(service, 60)]);
  over = true;
  await running;
  service.devnet.setFault({ mode: 'none' });
  await everythingFinal(service);
  await expectOnceOnNetwork(service);
  await wholeChain(service.service.context.pool);
});
