import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { HOUR, hookOf, testDelivery } from './test-delivery.ts';
import { startReceiver } from './test-receiver.ts';

const EVENTS = 10_000;
const HOLDERS = 20;
const MINUTES = 60_000;
const MEGABYTE = 1_000_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test(
  'a receiver that is down for an hour, while 10 000 events accumulate, then gets all of them in order, in constant memory',
  async () => {
    const delivery = await testDelivery({ keep: false });
    const { receiver, advance } = delivery;
    const institution = await delivery.institutionWithWebhook(hookOf(receiver));
    const { port } = receiver;
    await receiver.stop();
    const holders = await Promise.all(Array.from({ length: HOLDERS }, () => delivery.newHolder()));
    await Promise.all(holders.map((holder) => delivery.granted(holder, institution.id)));
    const times = (EVENTS / HOLDERS - 1) / 2;
    await Promise.all(holders.map((holder) => delivery.toggle(holder, Math.ceil(times))));
    await expect.poll(async () => (await delivery.state(institution)).failures).toBeGreaterThan(0);
    expect((await delivery.state(institution)).waiting).toEqual({ events: 1000, more: true });

    const expected = (await delivery.all(institution)).map(({ id }) => id);
    expect(expected.length).toBeGreaterThanOrEqual(EVENTS);
    const back = await startReceiver({ port, keep: false });
    onTestFinished(() => back.stop());
    let count = 0;
    const outOfOrder: string[] = [];
    const heaps: number[] = [];
    back.reply = (response, { headers }) => {
      const id = String(headers['webhook-id']);
      if (id !== expected[count]) outOfOrder.push(id);
      count += 1;
      if (count % 1_000 === 500) {
        collectGarbage();
        heaps.push(process.memoryUsage().heapUsed);
      }
      response.writeHead(204).end();
    };
    advance(HOUR);
    await expect.poll(() => count, { timeout: 10 * MINUTES, interval: 200 }).toBe(expected.length);
    expect(outOfOrder).toEqual([]);
    const [first = 0, ...later] = heaps;
    expect(Math.max(...later) - first).toBeLessThan(10 * MEGABYTE);
    await expect.poll(async () => (await delivery.state(institution)).status).toBe('ACTIVE');
  },
  30 * MINUTES,
);
