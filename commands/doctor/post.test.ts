import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listBundles } from '../../auditor/audit/bundle-list.ts';
import { badGateway } from '../../auditor/audit/test-bad-gateway.ts';
import { readConfig } from '../../server/config.ts';
import type { Devnet } from '../../server/network/devnet/devnet.ts';
import { clientOf, collect, temporaryDirectory, testDevnet } from '../../server/network/devnet/test-devnet.ts';
import { testWallet } from '../../server/network/test-wallet.ts';
import { walletAddress } from '../../server/network/wallet.ts';
import { describePost, isReadBackEverywhere, postOnce } from './post.ts';

async function configOf(urls: readonly string[], more: Record<string, string> = {}) {
  const directory = await temporaryDirectory();
  const wallet = join(directory, 'wallet.json');
  writeFileSync(wallet, JSON.stringify(await testWallet()), { mode: 0o600 });
  return readConfig({
    DATA_DIR: directory,
    ARWEAVE_GATEWAY_URL: urls.join(','),
    ARWEAVE_WALLET_FILE: wallet,
    ...more,
  });
}

/** Mines a block instead of each pause. */
const parts = (devnet: Devnet, notes: string[] = [], longestMs = 600_000) => ({
  note: (line: string) => void notes.push(line),
  now: () => performance.now(),
  pause: () => devnet.mine(),
  longestMs,
});

describe.each(['gateway', 'node'] as const)('a transaction posted to a %s', (kind) => {
  test('is followed until its data are read back, is paid once, and is no bundle of a ledger', async () => {
    const devnet = await testDevnet({ kind });
    const address = walletAddress(await testWallet());
    const before = await clientOf(devnet).balance(address);
    const notes: string[] = [];
    const result = await postOnce(await configOf([devnet.url]), parts(devnet, notes));
    if ('refused' in result) throw new Error(result.refused);
    expect(result).toMatchObject({ winston: '570000000', postedTo: devnet.url });
    expect(result.gateways).toMatchObject([{ gateway: devnet.url, block: 1, problem: null }]);
    expect(isReadBackEverywhere(result)).toBe(true);
    expect(before - (await clientOf(devnet).balance(address))).toBe(570_000_000n);
    expect(notes.map((line) => line.replace(devnet.url, 'G').replace(/[\w-]{43}|\d+ s\b/g, '…'))).toEqual([
      'Posting transaction …: 49 bytes for 570000000 winston (0.00057 AR).',
      'G took it. It is followed on this gateway.',
      'G shows it as pending after ….',
      'G shows it in block 1 after ….',
      'G returns its data after ….',
    ]);
    expect(describePost(result).join('\n')).toMatch(
      /^Transaction \S{43} cost 570000000 winston \(0\.00057 AR\) and was posted to http\S+\.\n {2}http\S+: mined after \d+ s in block 1, data read back after \d+ s$/,
    );
    devnet.setKind('gateway');
    const { bundles, pending } = await listBundles(clientOf(devnet), address);
    expect([...bundles, ...pending]).toEqual([]);
    expect(await collect(clientOf(devnet).bundles({ owner: address, tags: [] }))).toMatchObject([{ id: result.id }]);
  });

  test('and lost there is reported, after the time that it is followed', async () => {
    const devnet = await testDevnet({ kind });
    devnet.setFault({ mode: 'lose', times: 1 });
    let asked = 0;
    const result = await postOnce(await configOf([devnet.url]), {
      ...parts(devnet),
      now: () => asked * 1_000,
      pause: async () => {
        asked += 1;
        await devnet.mine();
      },
      longestMs: 5_000,
    });
    if ('refused' in result) throw new Error(result.refused);
    expect(isReadBackEverywhere(result)).toBe(false);
    expect(describePost(result)[1]).toMatch(
      /mined after 1 s in block 1, data NOT read back \(The gateway answered 404/,
    );
  });
});

test('every gateway is followed, the one that cannot take it, too; a gateway that is done is not asked again', async () => {
  const devnet = await testDevnet();
  const refusing = await badGateway(
    ({ url }, response) => url === '/tx' && Boolean(response.writeHead(402).end('Pay.')),
    devnet.url,
  );
  let blocks = 0;
  const late = await badGateway(
    ({ url = '' }, response) => /^\/(raw|tx)\//.test(url) && blocks < 3 && Boolean(response.writeHead(404).end()),
    devnet.url,
  );
  const notes: string[] = [];
  const result = await postOnce(await configOf([refusing.url, devnet.url, late.url]), {
    ...parts(devnet, notes),
    pause: async () => {
      blocks += 1;
      await devnet.mine();
    },
  });
  if ('refused' in result) throw new Error(result.refused);
  expect(result.postedTo).toBe(devnet.url);
  expect(isReadBackEverywhere(result)).toBe(true);
  expect(notes[1]).toBe(`${refusing.url} did not take it: The gateway answered 402 (Pay.) to POST /tx.`);
  expect(refusing.asked.filter((path) => path.startsWith('/raw/'))).toHaveLength(1);
  expect(late.asked).not.toContain('/tx');
});

describe('nothing is posted', () => {
  const refused = async (devnet: Devnet, more: Record<string, string> = {}) => {
    const result = await postOnce(await configOf([devnet.url], more), parts(devnet));
    const address = walletAddress(await testWallet());
    expect(await collect(clientOf(devnet).bundles({ owner: address, tags: [] }))).toEqual([]);
    return 'refused' in result ? result.refused : '';
  };

  test('without a wallet and a gateway', async () => {
    const config = readConfig({ DATA_DIR: await temporaryDirectory() });
    const devnet = await testDevnet();
    expect(await postOnce(config, parts(devnet))).toEqual({
      refused: 'ARWEAVE_GATEWAY_URL and ARWEAVE_WALLET_FILE are not set: there is no network to post to.',
    });
  });

  test('above the cap, or with too small a balance', async () => {
    const devnet = await testDevnet();
    expect(await refused(devnet, { MAX_WINSTON_PER_BUNDLE: '569999999' })).toBe(
      'The price of 570000000 winston is above MAX_WINSTON_PER_BUNDLE (569999999).',
    );
    const address = walletAddress(await testWallet());
    await devnet.mint(address, -(10n ** 18n) + 5n);
    expect(await refused(devnet)).toBe(`The wallet ${address} holds 5 winston, and the transaction costs 570000000.`);
  });

  test('if no gateway takes it', async () => {
    const devnet = await testDevnet();
    const full = await badGateway(
      ({ url }, response) => url === '/tx' && Boolean(response.writeHead(400).end('Mempool is full.')),
      devnet.url,
    );
    const posting = postOnce(await configOf([full.url]), parts(devnet));
    await expect(posting).rejects.toThrow(/^No gateway took transaction \S{43}\. http\S+ .*Mempool is full/);
  });
});
