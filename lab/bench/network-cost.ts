import { z } from 'zod';
import type { Figure } from './figures.ts';
import type { LedgerState } from './ledger-state.ts';

const WINSTON_PER_AR = 1e12;

/** What a range of entries costs on the network, from the bundles that hold these entries only. */
export async function networkFigures(
  ledger: LedgerState,
  range: { readonly firstSeq: number; readonly lastSeq: number },
): Promise<Figure[]> {
  const all = await readBundles(ledger);
  const bundles = all.filter(({ firstSeq, lastSeq }) => firstSeq >= range.firstSeq && lastSeq <= range.lastSeq);
  const operations = sum(bundles, ({ firstSeq, lastSeq }) => lastSeq - firstSeq + 1);
  const fees = sum(bundles, ({ feeWinston }) => feeWinston);
  return [
    {
      name: 'createBEO: bytes on the network, including its share of the bundle',
      unit: 'bytes',
      rounds: [sum(bundles, ({ bytes }) => bytes) / operations],
      targets: [{ of: 'value', atMost: 1_000 }],
    },
    {
      name: `operations per L1 transaction at full load (${bundles.length} transactions)`,
      unit: '',
      rounds: [operations / bundles.length],
      targets: [{ of: 'value', atLeast: 200 }],
    },
    {
      name: 'cost of a million operations at the gateway’s prices',
      unit: 'AR',
      rounds: [(fees / operations / WINSTON_PER_AR) * 1e6],
    },
  ];
}

const sum = (bundles: readonly Bundle[], value: (bundle: Bundle) => number): number =>
  bundles.reduce((total, bundle) => total + value(bundle), 0);

/** An Arweave transaction that holds entries. */
interface Bundle {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: number;
  readonly feeWinston: number;
}

const QUERY = `query ($owner: String!, $after: String) {
  transactions(owners: [$owner], tags: [{ name: "Bundle-Format", values: ["binary"] }], first: 500, after: $after) {
    pageInfo { hasNextPage }
    edges { cursor node { tags { name value } data { size } fee { winston } } }
  }
}`;

const pageShape = z.object({
  data: z.object({
    transactions: z.object({
      pageInfo: z.object({ hasNextPage: z.boolean() }),
      edges: z.array(
        z.object({
          cursor: z.string(),
          node: z.object({
            tags: z.array(z.object({ name: z.string(), value: z.string() })),
            data: z.object({ size: z.coerce.number() }),
            fee: z.object({ winston: z.coerce.number() }),
          }),
        }),
      ),
    }),
  }),
});

type Page = z.infer<typeof pageShape>['data']['transactions'];

/** Lists every bundle of the wallet from the gateway; the service is not asked. */
async function readBundles({ network, wallet_address }: LedgerState): Promise<Bundle[]> {
  const bundles: Bundle[] = [];
  let after: string | null = null;
  for (;;) {
    const response: Response = await fetch(new URL('/graphql', network.gateway_url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: QUERY, variables: { owner: wallet_address, after } }),
    });
    const { edges, pageInfo }: Page = pageShape.parse(await response.json()).data.transactions;
    for (const { node } of edges) {
      const tag = (name: string) => Number(node.tags.find((tag) => tag.name === name)?.value);
      bundles.push({
        firstSeq: tag('First-Seq'),
        lastSeq: tag('Last-Seq'),
        bytes: node.data.size,
        feeWinston: node.fee.winston,
      });
    }
    after = edges.at(-1)?.cursor ?? null;
    if (!pageInfo.hasNextPage || after === null) return bundles;
  }
}
