import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import { describe, expect, test } from 'vitest';
import { testWallet } from '../../network/test-wallet.ts';
import { walletAddress } from '../../network/wallet.ts';
import type { Devnet } from './devnet.ts';
import { clientOf, postSigned, testDevnet } from './test-devnet.ts';

async function ask(devnet: Devnet, query: string, variables?: object) {
  const response = await fetch(`${devnet.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, ...(await response.json()) };
}

/** Five bundles in blocks 1, 1, 2, 3 and none yet, each with its number as First-Seq. */
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

describe('an auditor with queries of their own', () => {
  test('writes arguments inline, as the explorers do', async () => {
    const { devnet, ids, owner } = await fiveBundles();
    const { data } = await ask(
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

  test('pages through with variables, up or down, and what is pending comes after the newest', async () => {
    const { devnet, ids, owner } = await fiveBundles();
    const query = `query Bundles($owners: [String!]!, $tags: [TagFilter!], $sort: SortOrder, $after: String) {
      transactions(owners: $owners, tags: $tags, sort: $sort, first: 2, after: $after) {
        pageInfo { hasNextPage } edges { cursor node { id block { height } } }
      }
    }`;
    for (const sort of ['HEIGHT_ASC', 'HEIGHT_DESC']) {
      const variables = { owners: [owner], tags: [{ name: 'App-Name', values: ['Perpetua'] }], sort };
      const seen: string[] = [];
      let after: string | undefined;
      for (let page = 0; page < 3; page++) {
        const { data } = await ask(devnet, query, { ...variables, after });
        seen.push(...idsOf(data.transactions));
        after = data.transactions.edges.at(-1)?.cursor;
        expect(data.transactions.pageInfo.hasNextPage).toBe(page < 2);
      }
      expect(seen).toEqual(sort === 'HEIGHT_ASC' ? ids : [...ids].reverse());
    }
  });

  test('narrows by blocks, ids, recipients and tags that must not be there', async () => {
    const { devnet, ids } = await fiveBundles();
    const found = async (filter: string) => {
      const query = `{ transactions(${filter} sort: HEIGHT_ASC) { edges { cursor node { id } } } }`;
      return idsOf((await ask(devnet, query)).data.transactions);
    };
    expect(await found('block: { min: 2 }')).toEqual([ids[2], ids[3]]);
    expect(await found('block: { max: 1 }')).toEqual([ids[0], ids[1]]);
    expect(await found('block: { min: 2, max: 2 }')).toEqual([ids[2]]);
    expect(await found(`ids: ["${ids[4]}", "${ids[0]}"]`)).toEqual([ids[0], ids[4]]);
    expect(await found(`recipients: ["${ids[0]}"]`)).toEqual([]);
    expect(await found('tags: { name: "First-Seq", values: ["0", "1"], op: NEQ }')).toEqual(ids.slice(2));
    expect(await found('bundledIn: ["x"]')).toEqual([]);
    expect(await found('first: 0')).toEqual([]);
    expect(await found('owners: ["somebody"]')).toEqual([]);
  });

  test('asks for one transaction, for blocks, and for the schema', async () => {
    const { devnet, ids } = await fiveBundles();
    const { data } = await ask(
      devnet,
      `query ($id: ID!) {
        transaction(id: $id) { id block { height } }
        waiting: transaction(id: "${ids[4]}") { block { height } }
        nothing: transaction(id: "nothing") { id }
        blocks(height: { min: 1 }, sort: HEIGHT_ASC, first: 2) { pageInfo { hasNextPage } edges { node { id height } } }
      }`,
      { id: ids[2] },
    );
    expect(data).toMatchObject({
      transaction: { id: ids[2], block: { height: 2 } },
      waiting: { block: null },
      nothing: null,
      blocks: { pageInfo: { hasNextPage: true }, edges: [{ node: { height: 1 } }, { node: { height: 2 } }] },
    });
    const { id } = data.blocks.edges[0].node;
    expect((await ask(devnet, `{ block(id: "${id}") { height } }`)).data.block).toEqual({ height: 1 });
    const introspection = await ask(devnet, getIntrospectionQuery());
    expect(buildClientSchema(introspection.data).getType('Transaction')).toBeDefined();
  });

  test('who keeps a cursor while a reorganisation passes goes on without missing what stayed', async () => {
    const { devnet, ids } = await fiveBundles();
    const query =
      'query ($after: String) { transactions(sort: HEIGHT_ASC, first: 1, after: $after) { edges { cursor node { id } } } }';
    const first = await ask(devnet, query);
    const after = first.data.transactions.edges[0].cursor;
    await devnet.reorganise(3);
    await devnet.mine();
    expect(idsOf((await ask(devnet, query, { after })).data.transactions)).toEqual([ids[1]]);
  });

  test('is told what is wrong with a query', async () => {
    const { devnet } = await fiveBundles();
    const wrong = async (query: string) => {
      const { status, errors } = await ask(devnet, query);
      return `${status} ${errors[0].message}`;
    };
    expect(await wrong('{ transactions {')).toMatch(/^400 Syntax Error/);
    expect(await wrong('{ transactions { nodes { id } } }')).toMatch(/^400 Cannot query field "nodes"/);
    expect(await wrong(`{ ${'a: transaction(id: "x") { id } '.repeat(1_000)} }`)).toMatch(
      /^400 Syntax Error: Document contains more/,
    );
    expect(await wrong('{ transactions(after: "made up") { edges { cursor } } }')).toMatch(
      /^200 The cursor is not one/,
    );
    const response = await fetch(`${devnet.url}/graphql`, { method: 'POST', body: 'not json' });
    expect(response.status).toBe(400);
  });
});
