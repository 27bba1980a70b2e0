import type { ClientBase } from 'pg';
import type { TransactionId } from '../../protocol/ids.ts';
import type { Instant } from '../../protocol/recorded.ts';
import { byteRun } from '../db/byte-run.ts';
import { runAsOne, type Statement } from '../db/statement.ts';
import { keepDestroyedLinks } from '../guardians/lost-link.ts';
import { forgetMails } from '../mail/mail.ts';
import type { SealedRows } from '../vault/vault.ts';
import type { PreparedInvitation } from './submission.ts';

/** What a batch writes beside its entries and entities; all within the committer's transaction. */
export interface NewNonce {
  readonly hash: Buffer;
  /** What it was accepted for; null where the request was refused. */
  readonly transactionId: TransactionId | null;
}

export interface Invited extends PreparedInvitation {
  readonly acceptedAt: Instant;
}

export const saveNonces = (nonces: readonly NewNonce[], at: Instant): Statement => ({
  name: 'save-nonces',
  text: 'INSERT INTO nonces (hash, transaction_id, seen_at) SELECT hash, id, $3::timestamptz FROM unnest($1::bytea[], $2::text[]) AS n (hash, id)',
  values: [nonces.map(({ hash }) => hash), nonces.map(({ transactionId }) => transactionId), at],
});

/** New data keys, each with the sealed totals of the records that come with it. */
type Keys = readonly (NonNullable<SealedRows['newKey']> & { readonly totals?: Buffer | null })[];

export const saveVaultKeys = (keys: Keys): Statement => ({
  name: 'save-vault-keys',
  text: `INSERT INTO vault_keys (owner_id, wrapped, key_id, record_totals)
         SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::bytea[])`,
  values: [
    keys.map(({ ownerId }) => ownerId),
    keys.map(({ wrapped }) => wrapped),
    keys.map(({ keyId }) => keyId),
    keys.map(({ totals }) => totals ?? null),
  ],
});

export function saveVaultRows(rows: SealedRows['rows']): Statement {
  const { bytes, starts, lengths } = byteRun(rows.map(({ ciphertext }) => ciphertext));
  return {
    name: 'save-vault-rows',
    text: `INSERT INTO vault_rows AS kept (id, owner_id, ciphertext)
           SELECT id, owner_id, substring($5::bytea FROM start FOR length)
           FROM unnest($1::text[], $2::uuid[], $3::int[], $4::int[]) AS r (id, owner_id, start, length)
           ON CONFLICT (id) DO UPDATE SET ciphertext = EXCLUDED.ciphertext WHERE kept.owner_id = EXCLUDED.owner_id`,
    values: [rows.map(({ id }) => id), rows.map(({ ownerId }) => ownerId), starts, lengths, bytes],
  };
}

export const saveInvitations = (rows: readonly Invited[]): Statement => ({
  name: 'save-invitations',
  text: `INSERT INTO invitations (token_hash, id, beo_id, guardian_id, role, expires_at)
         SELECT token_hash, id, beo_id, guardian_id, role, accepted_at + interval '72 hours'
         FROM unnest($1::bytea[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[])
           AS i (token_hash, id, beo_id, guardian_id, role, accepted_at)`,
  values: [
    rows.map(({ tokenHash }) => tokenHash),
    rows.map(({ id }) => id),
    rows.map(({ beoId }) => beoId),
    rows.map(({ guardianId }) => guardianId),
    rows.map(({ role }) => role),
    rows.map(({ acceptedAt }) => acceptedAt),
  ],
});

export interface Lapse {
  readonly rowId: string;
  readonly ownerId: string;
  readonly at: Instant;
}

export const saveLapses = (lapses: readonly Lapse[]): Statement => ({
  name: 'save-lapses',
  text: `INSERT INTO vault_lapses (row_id, owner_id, at)
         SELECT row_id, key.owner_id, at FROM unnest($1::text[], $2::uuid[], $3::timestamptz[]) AS l (row_id, owner_id, at)
         JOIN vault_keys key ON key.owner_id = l.owner_id ON CONFLICT DO NOTHING`,
  values: [lapses.map(({ rowId }) => rowId), lapses.map(({ ownerId }) => ownerId), lapses.map(({ at }) => at)],
});

/** Single rows of the vault that serve nothing any more. */
export async function forgetRows(client: ClientBase, ids: readonly string[]): Promise<void> {
  await client.query('DELETE FROM vault_rows WHERE id = ANY($1::text[])', [ids]);
}

/** Deleting the data key takes every vault row of the owner with it. Protocol §7. */
export async function erase(client: ClientBase, ownerIds: readonly string[], at: Instant): Promise<void> {
  await Promise.all([
    runAsOne(client, [keepDestroyedLinks(ownerIds, at)]),
    client.query('DELETE FROM vault_keys WHERE owner_id = ANY($1::uuid[])', [ownerIds]),
    client.query('DELETE FROM invitations WHERE beo_id = ANY($1::uuid[])', [ownerIds]),
    client.query('DELETE FROM recovery_requests WHERE beo_id = ANY($1::uuid[])', [ownerIds]),
    client.query('DELETE FROM recovery_mailings WHERE beo_id = ANY($1::uuid[])', [ownerIds]),
    runAsOne(client, [forgetMails(ownerIds)]),
  ]);
}
