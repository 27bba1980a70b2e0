import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import { describe, expect, test } from 'vitest';
import { testWallet } from '../test-wallet.ts';
import { walletAddress } from '../wallet.ts';
import type { Devnet } from './devnet.ts';
import { clientOf, postSigned, testDevnet } from './test-devnet.ts';

async function query(devnet: Devnet, text: string, variables?: object) {
  const response = await fetch(`${devnet.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  });
  return { status: response.status, ...(await response.json()) };
}

/** Five bundles in blocks 1, 1, 2 and 3, the last one pending, each with its number as First-Seq. */
async function fiveBundles() {
  const devnet = await testDevnet();
  const client = clientOf(devnet);
  const ids: string[] = [];
  for (const [number, mines] of [false, true, true, true, false].entries()) {
    const tags = [
      { name: 'App-Name', value: 'Perpetua' },
      { name: 'Content-Type', value: 'application/octet-stream' },
      { name: 'First-Seq', value: String(number) },
    ];
    ids.push((await postSigned(client, Buffer.alloc(100 + number), { tags })).id);
    if (mines) await devnet.mine();
  }
  const [a = '', b = '', c = '', d = '', e = ''] = ids;
  return { devnet, client, ids: [a, b, c, d, e] as const, owner: walletAddress(await testWallet()) };
}

type Edges = { edges: { cursor: string; node: { id: string } }[] };
const idsOf = ({ edges }: Edges) => edges.map(({ node }) => node.id);

describe('GraphQL', () => {
  test('accepts inline arguments, as explorers write them', async () => {
    const { devnet, ids, owner } = await fiveBundles();
    const { data } = await query(
      devnet,
      `query {
        transactions(
          owners: ["${owner}"]
          tags: [{ name: "App-Name", values: ["Perpetua", "Other"] }, { name: "First-Seq", values: "3" }]
        ) {
          pageInfo { hasNextPage }
          edges {
            cursor
            node {
              id anchor signature recipient
              owner { address key }
              fee { winston ar }
              quantity { winston ar }
              data { size type }
              tags { name value }
              block { id timestamp height previous }
              parent { id }
              bundledIn { id }
            }
          }
        }
      }`,
    );
    expect(idsOf(data.transactions)).toEqual([ids[3]]);
    const { node } = data.transactions.edges[0];
    const header = await fetch(`${devnet.url}/tx/${ids[3]}`).then((response) => response.json());
    const block = await fetch(`${devnet.url}/block/height/3`).then((response) => response.json());
    expect(node).toMatchObject({
      anchor: header.last_tx,
      signature: header.signature,
      recipient: '',
      owner: { address: owner, key: header.owner },
      fee: { winston: header.reward, ar: '0.000570000000' },
      quantity: { winston: '0', ar: '0.000000000000' },
      data: { size: '103', type: 'application/octet-stream' },
      block: { id: block.indep_hash, timestamp: block.timestamp, height: 3, previous: block.previous_block },
      parent: null,
      bundledIn: null,
    });
  });

  test('pages with variables in both orders; pending transactions come after the newest', async () => {
    const { devnet, ids, owner } = await fiveBundles();
    const paged = `query Bundles($owners: [String!]!, $tags: [TagFilter!], $sort: SortOrder, $after: String) {
      transactions(owners: $owners, tags: $tags, sort: $sort, first: 2, after: $after) {
        pageInfo { hasNextPage } edges { cursor node { id block { height } } }
      }
    }`;
    for (const sort of ['HEIGHT_ASC', 'HEIGHT_DESC']) {
      const variables = { owners: [owner], tags: [{ name: 'App-Name', values: ['Perpetua'] }], sort };
      const seen: string[] = [];
      let after: string | undefined;
      for (let page = 0; page < 3; page++) {
        const { data } = await query(devnet, paged, { ...variables, after });
        seen.push(...idsOf(data.transactions));
        after = data.transactions.edges.at(-1)?.cursor;
        expect(data.transactions.pageInfo.hasNextPage).toBe(page < 2);
      }
      expect(seen).toEqual(sort === 'HEIGHT_ASC' ? ids : [...ids].reverse());
    }
  });

  test('filters by block, id, recipient and excluded tag', async () => {
    const { devnet, ids } = await fiveBundles();
    const found = async (filter: string) => {
      const filtered = `{ transactions(${filter} sort: HEIGHT_ASC) { edges { cursor node { id } } } }`;
      return idsOf((await query(devnet, filtered)).data.transactions);
    };
    expect(await found('block: { min: 2 }')).toEqual([ids[2], ids[3]]);
    expect(await found('block: { max: 1 }')).toEqual([ids[0], ids[1]]);
    expect(await found('block: { min: 2, max: 2 }')).toEqual([ids[2]]);
    expect(await found(`ids: ["${ids[4]}", "${ids[0]}"]`)).toEqual([ids[0], ids[4]]);
    expect(await found(`recipients: ["${ids[0]}"]`)).toEqual([]);
    expect(await found('tags: { name: "First-Seq", values: ["0", "1"], op: NEQ }')).toEqual(ids.slice(2));
    expect(await found('bundledIn: ["x"]')).toEqual([]);
    expect(await found('first: 0')).toEqual([]);
    expect(await found('owners: ["unknown"]')).toEqual([]);
  });

  test('returns single transactions, blocks and the schema', async () => {
    const { devnet, ids } = await fiveBundles();
    const { data } = await query(
      devnet,
      `query ($id: ID!) {
        transaction(id: $id) { id block { height } }
        waiting: transaction(id: "${ids[4]}") { block { height } }
        missing: transaction(id: "missing") { id }
        blocks(height: { min: 1 }, sort: HEIGHT_ASC, first: 2) { pageInfo { hasNextPage } edges { node { id height } } }
      }`,
      { id: ids[2] },
    );
    expect(data).toMatchObject({
      transaction: { id: ids[2], block: { height: 2 } },
      waiting: { block: null },
      missing: null,
      blocks: { pageInfo: { hasNextPage: true }, edges: [{ node: { height: 1 } }, { node: { height: 2 } }] },
    });
    const { id } = data.blocks.edges[0].node;
    expect((await query(devnet, `{ block(id: "${id}") { height } }`)).data.block).toEqual({ height: 1 });
    const introspection = await query(devnet, getIntrospectionQuery());
    expect(buildClientSchema(introspection.data).getType('Transaction')).toBeDefined();
  });

  test('keeps a cursor valid over a reorganisation, without skipping remaining transactions', async () => {
    const { devnet, ids } = await fiveBundles();
    const paged =
      'query ($after: String) { transactions(sort: HEIGHT_ASC, first: 1, after: $after) { edges { cursor node { id } } } }';
    const first = await query(devnet, paged);
    const after = first.data.transactions.edges[0].cursor;
    await devnet.reorganise(3);
    await devnet.mine();
    expect(idsOf((await query(devnet, paged, { after })).data.transactions)).toEqual([ids[1]]);
  });

  test('reports what is wrong with an invalid query', async () => {
    const { devnet } = await fiveBundles();
    const errorOf = async (invalid: string) => {
      const { status, errors } = await query(devnet, invalid);
      return `${status} ${errors[0].message}`;
    };
    expect(await errorOf('{ transactions {')).toMatch(/^400 Syntax Error/);
    expect(await errorOf('{ transactions { nodes { id } } }')).toMatch(/^400 Cannot query field "nodes"/);
    expect(await errorOf(`{ ${'a: transaction(id: "x") { id } '.repeat(1_000)} }`)).toMatch(
      /^400 Syntax Error: Document contains more/,
    );
    expect(await errorOf('{ transactions(after: "invalid") { edges { cursor } } }')).toMatch(
      /^200 The cursor was not issued/,
    );
    const response = await fetch(`${devnet.url}/graphql`, { method: 'POST', body: 'not json' });
    expect(response.status).toBe(400);
  });
});
