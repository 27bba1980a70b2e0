import type { Pool } from 'pg';
import { z } from 'zod';
import { type SignedHead, signedHead } from '../../server/ledger/read.ts';
import { BEGINNING } from '../audit/replay.ts';
import { EVIDENCE_KINDS, type EvidenceKind } from './evidence.ts';

type Db = Pick<Pool, 'query'>;

const trustShape = z.object({
  /** Of the service; null for a mirror that reads the network alone. */
  url: z.string().nullable(),
  ledger_id: z.string(),
  /** The first key of the relayer; hex. */
  relayer_public_key: z.string(),
  checkpoint_key: z.string().nullable(),
  wallet_address: z.string(),
  gateway_urls: z.array(z.string()),
  /** Whether the service stated them; absent where an earlier version began the mirror. */
  gateways_stated: z.boolean().optional(),
  network_kind: z.enum(['devnet', 'arweave']),
  max_posting_delay_seconds: z.number(),
});

/** What a mirror relies on. It is stored when the mirror begins and does not change. */
export type Trust = z.output<typeof trustShape>;

/** Whether the gateways may be those of another party than the mirror's operator. */
export const areGatewaysStated = ({ gateways_stated, url }: Trust): boolean => gateways_stated ?? url !== null;

const breachShape = z.object({
  kind: z.enum(Object.keys(EVIDENCE_KINDS) as [EvidenceKind, ...EvidenceKind[]]),
  sentence: z.string(),
  file: z.string(),
});

export type StoredBreach = z.output<typeof breachShape>;

export interface MirrorRow {
  readonly trust: Trust;
  readonly head: SignedHead | null;
  readonly breach: StoredBreach | null;
}

const rowShape = z.object({ trust: trustShape, head: signedHead.nullable(), breach: breachShape.nullable() });

/** Null in a database in which no mirror has begun. */
export async function readMirror(db: Db): Promise<MirrorRow | null> {
  const { rows } = await db.query('SELECT trust, head, breach FROM mirror');
  return rows[0] ? rowShape.parse(rows[0]) : null;
}

/** Begins a mirror, with an empty ledger. */
export async function beginMirror(db: Db, trust: Trust): Promise<void> {
  await db.query(
    `WITH begun AS (INSERT INTO mirror (trust, point) VALUES ($1, $2))
     INSERT INTO ledger_head (ledger_id, relayer_public_key, epoch, seq, budget_day, budget_bytes)
     VALUES ($3, $4, 1, 0, current_date, 0)`,
    [JSON.stringify(trust), JSON.stringify(BEGINNING), trust.ledger_id, trust.relayer_public_key],
  );
}

export async function saveServedHead(db: Db, head: SignedHead): Promise<void> {
  await db.query('UPDATE mirror SET head = $1', [JSON.stringify(head)]);
}

export async function saveBreach(db: Db, breach: StoredBreach): Promise<void> {
  await db.query('UPDATE mirror SET breach = $1 WHERE breach IS NULL', [JSON.stringify(breach)]);
}
