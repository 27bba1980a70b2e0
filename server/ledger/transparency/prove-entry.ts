import type { Pool } from 'pg';
import { leafIndexOf, ledgerIdOfOrigin } from '../../../protocol/transparency/ledger-log.ts';
import { inclusionProof, inclusionSubtrees } from '../../../protocol/transparency/merkle-proof.ts';
import { encodeProofFile } from '../../../protocol/transparency/proof-file.ts';
import { available } from '../../platform/db/pool.ts';
import { itemsUpToKeyOf } from '../key-entries.ts';
import { readTransaction } from '../read.ts';
import { readCheckpointOver } from './checkpoints.ts';
import type { PublicLog } from './log-identity.ts';
import { readHashes } from './tiles.ts';

/**
 * The proof that an entry is in the published tree, as a C2SP tlog-proof: see protocol/transparency/proof-file.ts. Null until the
 * entry is FINAL and in a checkpoint.
 * @throws TRANSACTION_NOT_FOUND
 */
export async function proveEntry(pool: Pool, log: PublicLog, id: string): Promise<string | null> {
  const { item, seq } = await readTransaction({ pool }, id);
  const index = leafIndexOf(seq);
  return available(async () => {
    const checkpoint = await readCheckpointOver(pool, log, index);
    if (!checkpoint) return null;
    const { size, note } = checkpoint;
    const succession = await itemsUpToKeyOf(pool, ledgerIdOfOrigin(log.key.name) ?? '', seq);
    const hashes = await readHashes(pool, inclusionSubtrees(index, size), size);
    return encodeProofFile({
      item: Buffer.from(item, 'base64'),
      succession,
      index,
      path: inclusionProof(index, size, hashes),
      checkpoint: note,
    });
  });
}
