import { formatSignatures, type NoteSignature } from '../../../protocol/transparency/note.ts';
import { formatVerifierKey } from '../../../protocol/transparency/verifier-key.ts';
import type { Witness } from '../../settings/witness-list.ts';
import type { WitnessProblem } from './ask-witness.ts';
import type { Db } from './tiles.ts';

/** After this time a checkpoint without a cosignature is a problem even if no request failed: the leader may be missing. */
const GRACE_SECONDS = 30;

/** Stores what a witness returned for the checkpoint of this size; a later cosignature replaces an earlier one. */
export async function storeCosignature(
  db: Db,
  { key }: Witness,
  size: number,
  signatures: readonly NoteSignature[],
): Promise<void> {
  await db.query({
    name: 'store-cosignature',
    text: `WITH solved AS (DELETE FROM witness_problems WHERE witness = $1)
      INSERT INTO cosignatures (witness, size, signature, received_at) VALUES ($1, $2, $3, clock_timestamp())
      ON CONFLICT (witness, size) DO UPDATE SET signature = excluded.signature, received_at = excluded.received_at`,
    values: [formatVerifierKey(key), size, formatSignatures(signatures)],
  });
}

export async function storeProblem(db: Db, { key }: Witness, { message, isAlarm }: WitnessProblem): Promise<void> {
  await db.query({
    name: 'store-witness-problem',
    text: `INSERT INTO witness_problems (witness, problem, is_alarm, reported_at) VALUES ($1, $2, $3, clock_timestamp())
      ON CONFLICT (witness) DO UPDATE SET problem = excluded.problem, is_alarm = excluded.is_alarm,
        reported_at = excluded.reported_at`,
    values: [formatVerifierKey(key), message, isAlarm],
  });
}

/** The size of the last checkpoint that the witness cosigned, as far as this database knows; 0 if there is none. */
export async function lastCosignedSize(db: Db, { key }: Witness): Promise<number> {
  const { rows } = await db.query<{ size: number | null }>({
    name: 'last-cosigned-size',
    text: 'SELECT max(size) AS size FROM cosignatures WHERE witness = $1',
    values: [formatVerifierKey(key)],
  });
  return rows[0]?.size ?? 0;
}

/** The size of the largest tree that was or may have been signed. */
export async function storedTreeSize(db: Db): Promise<number> {
  const { rows } = await db.query<{ size: number | null }>('SELECT max(size) AS size FROM checkpoints');
  return rows[0]?.size ?? 0;
}

export interface WitnessState {
  readonly name: string;
  /** Its verifier key. */
  readonly vkey: string;
  /** The size of the last checkpoint that it cosigned; null if there is none. */
  readonly cosignedSize: number | null;
  /** Whether it cosigned the newest published checkpoint. */
  readonly hasNewest: boolean;
  /** Why it is missing, as a sentence; null if it is not, or not yet. */
  readonly problem: string | null;
}

/** The state of each witness, in the order of the setting. */
export async function readWitnessStates(db: Db, witnesses: readonly Witness[]): Promise<WitnessState[]> {
  if (witnesses.length === 0) return [];
  const { rows } = await db.query<{
    cosigned: number | null;
    newest: number | null;
    overdue: boolean | null;
    problem: string | null;
    is_alarm: boolean | null;
  }>({
    name: 'witness-states',
    text: `SELECT (SELECT max(size) FROM cosignatures s WHERE s.witness = asked.witness) AS cosigned, newest.size AS newest,
        newest.published_at < clock_timestamp() - make_interval(secs => $2) AS overdue, problem, is_alarm
      FROM unnest($1::text[]) WITH ORDINALITY AS asked (witness, place)
      LEFT JOIN witness_problems USING (witness)
      LEFT JOIN LATERAL (SELECT size, published_at FROM checkpoints WHERE published_at IS NOT NULL ORDER BY size DESC LIMIT 1)
        AS newest ON true
      ORDER BY place`,
    values: [witnesses.map(({ key }) => formatVerifierKey(key)), GRACE_SECONDS],
  });
  return witnesses.map(({ key }, at) => {
    const row = rows[at];
    const cosignedSize = row?.cosigned ?? null;
    const hasNewest = cosignedSize !== null && row?.newest !== null && cosignedSize >= (row?.newest ?? 0);
    const isLate = !hasNewest && row?.overdue === true;
    const reported = hasNewest && !row?.is_alarm ? null : (row?.problem ?? null);
    const problem = reported ?? (isLate ? 'It has not cosigned the newest checkpoint.' : null);
    return { name: key.name, vkey: formatVerifierKey(key), cosignedSize, hasNewest, problem };
  });
}
