import { describe, expect, test } from 'vitest';
import { confirmAll } from './confirm.ts';
import { entryLines, readTransaction } from './read.ts';
import { relayNext } from './relay.ts';
import { testRelay } from './test-relay.ts';

describe('the status of an entry', () => {
  test('goes from accepted over posted and confirmed to final', async () => {
    const relay = await testRelay();
    const { pool } = relay;
    const [first = '', second = ''] = await relay.accept(2);
    const read = () => readTransaction({ pool }, second);
    expect(await read()).toMatchObject({ seq: 2, prev: first, status: 'ACCEPTED', l1_tx: null, confirmations: 0 });

    relay.devnet.setFault({ mode: 'cut', times: 1 });
    await relayNext(relay.parts).catch(() => undefined);
    expect(await read()).toMatchObject({ status: 'ACCEPTED', l1_tx: null });

    await confirmAll(relay.parts, new Map());
    const [bundle] = await relay.bundles();
    const l1_tx = bundle?.l1_tx;
    expect(await read()).toMatchObject({ status: 'POSTED', l1_tx, confirmations: 0 });
    await relay.devnet.mine(3);
    await confirmAll(relay.parts, new Map());
    expect(await read()).toMatchObject({ status: 'CONFIRMED', l1_tx, confirmations: 3 });
    await relay.devnet.mine(15);
    await confirmAll(relay.parts, new Map());
    expect(await read()).toMatchObject({ status: 'FINAL', l1_tx, confirmations: 18 });
  });

  test('does not follow the preceding bundle', async () => {
    const relay = await testRelay();
    const { pool } = relay;
    const [, posted = ''] = await relay.accept(2);
    await relayNext(relay.parts);
    const [waiting = ''] = await relay.accept(1);
    expect(await readTransaction({ pool }, posted)).toMatchObject({ seq: 2, status: 'POSTED' });
    expect(await readTransaction({ pool }, waiting)).toMatchObject({ seq: 3, status: 'ACCEPTED' });
  });

  test('is read in lines, page by page, for any limit', async () => {
    const relay = await testRelay();
    const ids = await relay.accept(205);
    const read = async (after: number, limit: number) => {
      let text = '';
      for await (const part of entryLines({ listPool: relay.pool }, after, limit)) text += part;
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).id);
    };
    expect(await read(0, 1_000)).toEqual(ids);
    expect(await read(0, 200)).toEqual(ids.slice(0, 200));
    expect(await read(0, 1)).toEqual(ids.slice(0, 1));
    expect(await read(204, 100)).toEqual(ids.slice(204));
    expect(await read(205, 100)).toEqual([]);
  });
});
