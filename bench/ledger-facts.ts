import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const ledgerShape = z.object({
  head: z.object({ seq: z.number() }),
  wallet_address: z.string(),
  relayer_public_key: z.string(),
  network: z.object({ gateway_url: z.string() }),
  entries_final: z.number(),
});

const readyShape = z.object({ backlog: z.object({ entries: z.number() }) });

export type LedgerFacts = z.infer<typeof ledgerShape>;

/** GET /api/ledger of the server under test. */
export async function readLedger(url: string): Promise<LedgerFacts> {
  return ledgerShape.parse(await (await fetch(`${url}/api/ledger`)).json());
}

const PAUSE_MS = 100;

/** Waits until every accepted entry is posted, so that the relay of one load is not measured with the next. */
export async function untilPosted(url: string, maxSeconds: number): Promise<void> {
  await until('every entry was posted', maxSeconds, async () => {
    const { backlog } = readyShape.parse(await (await fetch(`${url}/ready`)).json());
    return backlog.entries === 0;
  });
}

/** Waits until every accepted entry is final on the network. */
export async function untilFinal(url: string, maxSeconds: number): Promise<void> {
  await until('every entry was final', maxSeconds, async () => {
    const { head, entries_final } = await readLedger(url);
    return head.seq === entries_final;
  });
}

async function until(what: string, maxSeconds: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + maxSeconds * 1000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It took longer than ${maxSeconds} seconds until ${what}.`);
    await sleep(PAUSE_MS);
  }
}

/** One Arweave transaction of the wallet that carries entries. */
export interface BundleFacts {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: number;
  readonly feeWinston: bigint;
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
            fee: z.object({ winston: z.coerce.bigint() }),
          }),
        }),
      ),
    }),
  }),
});

type Page = z.infer<typeof pageShape>['data']['transactions'];

/** Every bundle on the network, as its gateway lists them; nothing is taken from the service's own word. */
export async function readBundles({ network, wallet_address }: LedgerFacts): Promise<BundleFacts[]> {
  const bundles: BundleFacts[] = [];
  let after: string | null = null;
  for (;;) {
    const answer: Response = await fetch(new URL('/graphql', network.gateway_url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: QUERY, variables: { owner: wallet_address, after } }),
    });
    const { edges, pageInfo }: Page = pageShape.parse(await answer.json()).data.transactions;
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
