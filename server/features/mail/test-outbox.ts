import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Language } from '../../../messages/languages.ts';
import type { Guardian } from '../../../protocol/entities/guardian.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { NO_SOCIAL_RECOVERY, type SocialRecovery } from '../../../protocol/entities/social-recovery.ts';
import { shortLink } from '../../../protocol/guardian-links.ts';
import type { GuardianId, InvitationId } from '../../../protocol/ids.ts';
import type { PrivateRow } from '../../../protocol/operation.ts';
import { createClock } from '../../platform/db/clock.ts';
import { createPool } from '../../platform/db/pool.ts';
import { runAll } from '../../platform/db/statement.ts';
import { migratedDatabase } from '../../platform/db/test-database.ts';
import { newLinkToken } from '../guardians/link-tokens.ts';
import { createVault } from '../vault/vault.ts';
import { saveVaultKeys, saveVaultRows } from '../vault/vault-rows.ts';
import { createAddressHashes } from './address-hashes.ts';
import { type GuardianMailKind, saveMails } from './mail.ts';
import { type OutboxParts, startOutbox } from './outbox.ts';

export const PUBLIC_URL = 'https://id.example';
export const FROM = { name: 'Perpetua', address: 'guardians@id.example' };
export const HOUR_MS = 3_600_000;

export interface GuardianOptions {
  readonly name?: string;
  readonly contact?: string;
  readonly accepted?: boolean;
}

/** No limits that a busy machine exceeds. */
const LONG_MS = 120_000;

/** A database with a vault, and outboxes on it; `advance` moves their clock. */
export async function testOutbox({ idleInTransactionMs = LONG_MS } = {}) {
  const database = await migratedDatabase();
  const open = () => createPool(database.url, 6, () => undefined, { idleInTransactionMs });
  const pools = [open()];
  const pool = pools[0] as Pool;
  const vault = createVault(randomBytes(32));
  const addressHashes = createAddressHashes(randomBytes(32));
  let shift = 0;
  const clock = createClock(Date.now, () => shift);
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  const stops: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await Promise.all(pools.map((each) => each.end()));
    await database.drop();
  });
  const now = (): Instant => new Date(clock.now()).toISOString();

  async function store(ownerId: string, rows: readonly PrivateRow[]): Promise<void> {
    const client = await pool.connect();
    const sealed = vault.sealRows(await vault.loadKeys(client, [ownerId]), ownerId, rows);
    await runAll(client, [saveVaultKeys(sealed.newKey ? [sealed.newKey] : [])]);
    await runAll(client, [saveVaultRows(sealed.rows)]);
    client.release();
  }

  async function change(ownerId: string, edit: (recovery: SocialRecovery) => SocialRecovery): Promise<void> {
    const { rows } = await pool.query<{ recovery: SocialRecovery }>('SELECT recovery FROM beos WHERE id = $1', [
      ownerId,
    ]);
    const recovery = edit(rows[0]?.recovery ?? NO_SOCIAL_RECOVERY);
    await pool.query('UPDATE beos SET recovery = $2 WHERE id = $1', [ownerId, JSON.stringify(recovery)]);
  }

  return {
    pool,
    vault,
    addressHashes,
    logged,
    now,
    change,
    advance(ms: number) {
      shift += ms;
    },

    /** An identity with one guardian and all data that mails need. */
    async guardian(
      domain: string,
      { name = 'Ana Sá', contact = 'ana@mail.example', accepted = false }: GuardianOptions = {},
    ) {
      const [ownerId, guardianId, invitationId, requestId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
      const guardian: Guardian = {
        guardianId: guardianId as GuardianId,
        invitationId: invitationId as InvitationId,
        role: 'primary',
        publicKey: accepted ? 'ab'.repeat(32) : null,
        status: accepted ? 'ACTIVE' : 'PENDING',
        addedAt: now(),
        acceptedAt: accepted ? now() : null,
        confirmedAt: null,
        namedAt: null,
        removedAt: null,
        countsUntil: null,
      };
      await pool.query(
        `INSERT INTO beos (id, domain, public_key, key_version, status, created_at, updated_at, recovery, transaction_id, seq)
         VALUES ($1, $2, $3, 1, 'ACTIVE', now(), now(), $4, 'tx', 1)`,
        [
          ownerId,
          domain,
          'cd'.repeat(32),
          JSON.stringify({ ...NO_SOCIAL_RECOVERY, enabled: true, guardians: [guardian] }),
        ],
      );
      await pool.query(
        'INSERT INTO recovery_requests (id, beo_id, new_public_key, opened_at) VALUES ($1, $2, $3, $4)',
        [requestId, ownerId, 'ef'.repeat(32), now()],
      );
      const [invitationToken, recoveryToken] = [newLinkToken(1), newLinkToken(1)];
      await store(ownerId, [
        { id: `guardian:${guardianId}`, content: { name, contact } },
        { id: `invitation:${invitationId}`, content: { token: invitationToken } },
        { id: `recovery:${requestId}:${guardianId}`, content: { token: recoveryToken } },
      ]);
      const invitationLink = shortLink(PUBLIC_URL, 'invitation', invitationToken);
      const recoveryLink = shortLink(PUBLIC_URL, 'recovery', recoveryToken);
      return { ownerId, guardianId, invitationId, requestId, invitationLink, recoveryLink };
    },

    async queue(
      kind: GuardianMailKind,
      to: { ownerId: string; guardianId: string; invitationId: string; requestId: string },
      language: Language = 'en',
      { inMs = 0, from = null }: { readonly inMs?: number; readonly from?: string | null } = {},
    ): Promise<void> {
      const aboutId = kind === 'invitation' || kind === 'reminder' ? to.invitationId : to.requestId;
      const { ownerId, guardianId } = to;
      const source = from === null ? null : addressHashes.source(from);
      const dueAt = new Date(clock.now() + inMs).toISOString();
      const client = await pool.connect();
      await runAll(client, [saveMails([{ kind, ownerId, guardianId, aboutId, language, dueAt, source }])]);
      client.release();
    },

    async waiting(): Promise<{ kind: GuardianMailKind; attempts: number }[]> {
      return (await pool.query('SELECT kind, attempts FROM mails ORDER BY due_at, id')).rows;
    },

    /** An outbox with its own connections, as in another process. */
    start(port: number, more: Partial<OutboxParts> = {}) {
      const own = open();
      pools.push(own);
      const outbox = startOutbox({
        pool: own,
        vault,
        addressHashes,
        perDay: 1_000,
        clock,
        log,
        publicUrl: () => PUBLIC_URL,
        server: { host: '127.0.0.1', port, secure: false, credentials: null },
        from: FROM,
        pauseMs: 20,
        timeouts: { connectMs: LONG_MS, responseMs: LONG_MS, messageMs: LONG_MS },
        ...more,
      });
      stops.push(outbox.stop);
      return outbox;
    },
  };
}
