import type { Figure } from '../figures.ts';
import { type BundleFacts, type LedgerFacts, readBundles } from '../ledger-facts.ts';

const WINSTON_PER_AR = 1e12;

/** What a range of entries takes on the network, from the bundles that carry them and nothing else. */
export async function networkFigures(
  ledger: LedgerFacts,
  range: { readonly firstSeq: number; readonly lastSeq: number },
): Promise<Figure[]> {
  const all = await readBundles(ledger);
  const bundles = all.filter(({ firstSeq, lastSeq }) => firstSeq >= range.firstSeq && lastSeq <= range.lastSeq);
  const operations = sum(bundles, ({ firstSeq, lastSeq }) => lastSeq - firstSeq + 1);
  const fees = sum(bundles, ({ feeWinston }) => Number(feeWinston));
  return [
    {
      name: 'network bytes of a createBEO, its part of the bundle included',
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
      name: 'cost of a million operations, at the prices of the gateway',
      unit: 'AR',
      rounds: [(fees / operations / WINSTON_PER_AR) * 1e6],
    },
  ];
}

const sum = (bundles: readonly BundleFacts[], value: (bundle: BundleFacts) => number): number =>
  bundles.reduce((total, bundle) => total + value(bundle), 0);
