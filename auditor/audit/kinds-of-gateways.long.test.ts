import { expect, test } from 'vitest';
import { restore } from '../../commands/restore/rebuild-database.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { badGateway, type Misbehaviour } from './test-bad-gateway.ts';
import { createIdentities, query, testOperator } from './test-operator.ts';
import { verify } from './verify.ts';

const isData = (url = ''): boolean => /^\/(raw\/)?[\w-]{43}$/.test(url);
const refusing =
  (concerns: (url?: string) => boolean, status: number, text: string): Misbehaviour =>
  ({ url }, response) =>
    concerns(url) && Boolean(response.writeHead(status).end(text));

/** Lists transactions, and asks for payment before it gives data. */
const withPayment = refusing(isData, 402, 'Payment required.');
const altering = refusing(isData, 200, 'another page');
const lacking = refusing(isData, 404, 'Not Found.');
const isUnknownToNodes = (url = '') => url.startsWith('/raw/') || url === '/graphql';
const node = refusing(isUnknownToNodes, 400, 'Request type not found.');
const withoutRaw = refusing((url = '') => url.startsWith('/raw/'), 421, 'Misdirected.');

async function relayerKeyOf(databaseUrl: string): Promise<string> {
  const [head] = await query<{ relayer_public_key: string }>(databaseUrl, 'SELECT relayer_public_key FROM ledger_head');
  return head?.relayer_public_key ?? '';
}

test.each<[string, readonly Misbehaviour[]]>([
  ['a gateway', [() => false]],
  ['a gateway that has no /raw', [withoutRaw]],
  ['a gateway that wants payment for data, and a node', [withPayment, node]],
])('a ledger is verified and restored from %s', async (_, misbehaviours) => {
  const operator = await testOperator();
  const lost = await operator.database();
  const service = await operator.serve(lost);
  await createIdentities(service, 12);
  const relayerKey = await relayerKeyOf(lost);
  await operator.settle(lost);
  await service.stop();
  const gateways = await Promise.all(misbehaviours.map((one) => badGateway(one, operator.devnet.url)));
  const gateway = gateways.map(({ url }) => url);
  const wallet = loadWallet(operator.devnet.wallet).address;
  const verified = await operator.run((parts) => verify({ gateway, wallet, relayerKey }, parts), lost);
  expect(verified.text).toContain('No breach was found.');
  expect(verified.isClean).toBe(true);
  const database = await operator.database();
  const restored = await operator.run((parts) => restore({ gateway, wallet }, parts), database);
  expect(restored.text).toMatch(/^Epoch 2 begins/m);
  expect(restored.isClean).toBe(true);
});

test.each<[string, readonly Misbehaviour[], string]>([
  ['a gateway that wants payment for data', [withPayment], 'The gateway answered 402 (Payment required.) to GET /raw/'],
  ['a node, which has no list,', [node], 'The gateway answered 400 (Request type not found.) to POST /graphql.'],
  [
    'a gateway that alters data, and one that lacks them,',
    [altering, lacking],
    'The gateway gives bytes for transaction',
  ],
])('from %s alone neither is possible, and no breach is reported', async (_, misbehaviours, sentence) => {
  const operator = await testOperator();
  const lost = await operator.database();
  const service = await operator.serve(lost);
  await createIdentities(service, 3);
  const relayerKey = await relayerKeyOf(lost);
  await operator.settle(lost);
  await service.stop();
  const gateways = await Promise.all(misbehaviours.map((one) => badGateway(one, operator.devnet.url)));
  const gateway = gateways.map(({ url }) => url);
  const [url] = gateway;
  const wallet = loadWallet(operator.devnet.wallet).address;
  const lines: string[] = [];
  const verifying = operator.run((parts) => verify({ gateway, wallet, relayerKey }, parts), lost, lines);
  await expect(verifying).rejects.toThrow(`${url}: ${sentence}`);
  const database = await operator.database();
  const restoring = operator.run((parts) => restore({ gateway, wallet }, parts), database, lines);
  await expect(restoring).rejects.toThrow(`${url}: ${sentence}`);
  expect(lines.join('\n')).not.toMatch(/BREACH/);
});
