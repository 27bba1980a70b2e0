import { z } from 'zod';
import { ledgerStatus } from '../../protocol/entities/views.ts';
import { type Link, MAX_LINKS, PROOF_FORMAT, type Proof } from '../../protocol/ledger/proof.ts';
import * as shapes from '../../protocol/response-shapes.ts';
import { available } from '../platform/db/pool.ts';
import { parseItem } from './ans104.ts';
import { blobDigest, digestBytes } from './deep-hash.ts';
import { type LedgerReadParts, ledgerHead, ledgerState, readTransaction } from './read.ts';

const PAGE = 32;

const link = z.object({ signature: shapes.base64, tags: shapes.base64, data: shapes.base64 });

/** A proof as the API returns it: see protocol/ledger/proof.ts. */
export const proofSchema: z.ZodType<Proof> = z
  .object({
    format: z.literal(PROOF_FORMAT),
    ledger_id: shapes.digest,
    relayer_public_key: shapes.hexKey,
    relayer_keys: ledgerHead.shape.relayer_keys,
    id: shapes.transactionId,
    item: shapes.base64.describe('The signed entry: an ANS-104 data item.'),
    before: link.extend({ prev: shapes.transactionId.nullable() }).nullable(),
    after: shapes.list(link),
    head: ledgerHead.shape.head.extend({ id: shapes.transactionId }),
    network: ledgerHead.shape.network.extend({
      wallet_address: shapes.networkTransactionId,
      status: ledgerStatus,
      l1_tx: shapes.networkTransactionId.nullable(),
    }),
  })
  .meta({ id: 'Proof' });

/**
 * The data to check one operation offline: the item, the following items as links, and the signed head.
 * @throws TRANSACTION_NOT_FOUND
 */
export async function readProof(parts: LedgerReadParts, id: string): Promise<Proof> {
  const { item, seq, status, l1_tx } = await readTransaction(parts, id);
  const { ledger_id, head, relayer_public_key, relayer_keys, network, wallet_address } = await ledgerState(parts);
  const [before, after] = await Promise.all([
    linksAfter(parts, Math.max(seq - 3, 0), seq - 1),
    linksAfter(parts, seq, Math.min(head.seq, seq + MAX_LINKS)),
  ]);
  const previous = before.at(-1);
  return {
    format: PROOF_FORMAT,
    ledger_id,
    relayer_public_key,
    relayer_keys,
    id,
    item,
    before: previous ? { ...previous.link, prev: before.at(-2)?.id ?? null } : null,
    after: after.map(({ link }) => link),
    head: { ...head, id: head.id ?? id },
    network: { ...network, wallet_address, status, l1_tx },
  };
}

/** The entries of a range of seqs, in order, read in pages because items may be large. */
async function linksAfter({ listPool }: Pick<LedgerReadParts, 'listPool'>, after: number, last: number) {
  const links: { id: string; link: Link }[] = [];
  for (let from = after; from < last; from += PAGE) {
    const { rows } = await available(() =>
      listPool.query<{ id: string; item: Buffer }>({
        name: 'proof-links',
        text: 'SELECT id, item FROM ledger_entries WHERE seq > $1 AND seq <= $2 ORDER BY seq',
        values: [from, Math.min(from + PAGE, last)],
      }),
    );
    links.push(...rows.map(({ id, item }) => ({ id, link: linkOf(item) })));
  }
  return links;
}

/** The part of an item that links it to the chain. */
export function linkOf(bytes: Uint8Array): Link {
  const { signature, tagBytes, data } = parseItem(bytes);
  return {
    signature: Buffer.from(signature).toString('base64'),
    tags: digestBytes(blobDigest(tagBytes)).toString('base64'),
    data: digestBytes(blobDigest(data)).toString('base64'),
  };
}
