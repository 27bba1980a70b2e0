import type { ClientBase } from 'pg';
import type { Language } from '../../../messages/languages.ts';
import { DAY_MS } from '../../../protocol/days.ts';
import type { Beo } from '../../../protocol/entities/beo.ts';
import { recoveryRow } from '../../../protocol/entities/recovery.ts';
import { runAll } from '../../platform/db/statement.ts';
import { type NewMail, saveMails } from '../mail/mail.ts';
import type { Vault } from '../vault/vault.ts';
import { saveVaultKeys, saveVaultRows } from '../vault/vault-rows.ts';
import type { NewLink, NewRequest } from './request-rows.ts';

interface OpenedRequest {
  readonly beo: Beo;
  readonly request: NewRequest;
  readonly links: readonly NewLink[];
  readonly language: Language;
  /** The keyed hash of the client's network. */
  readonly source: Buffer;
}

/** Requests for one identity that are mailed in any 24 hours, each from a different address. Protocol §3. */
const MAX_MAILINGS_PER_DAY = 5;

/**
 * Queues mails to the guardians, unless the identity or the client's address has used up its mailings of the day. A cancellation
 * begins the day anew: the guardians must learn of the request that follows.
 */
export async function mailGuardians(client: ClientBase, vault: Vault, opened: OpenedRequest): Promise<void> {
  const { beo, request, links, language, source } = opened;
  const { requestId, openedAt, requester } = request;
  const cancelledAt = beo.recovery.cancelled?.at(-1)?.at;
  const since = Math.max(Date.parse(openedAt) - DAY_MS, cancelledAt === undefined ? 0 : Date.parse(cancelledAt));
  const { rowCount } = await client.query(
    `WITH since AS (SELECT greatest($5, max(cancelled_at)) AS at FROM recovery_requests
                    WHERE beo_id = $1 AND cancelled_at IS NOT NULL)
     INSERT INTO recovery_mailings AS last (beo_id, requester, mailed_at)
     SELECT $1, $2, $3 WHERE $4 > (SELECT count(*) FROM recovery_mailings
                                   WHERE beo_id = $1 AND mailed_at > (SELECT at FROM since))
     ON CONFLICT (beo_id, requester) DO UPDATE SET mailed_at = EXCLUDED.mailed_at
     WHERE last.mailed_at <= (SELECT at FROM since)`,
    [beo.id, requester, openedAt, MAX_MAILINGS_PER_DAY, new Date(since)],
  );
  if (rowCount === 0) return;
  const secrets = links.map(({ guardianId, token }) => ({
    id: recoveryRow(requestId, guardianId),
    content: { token },
  }));
  const { newKey, rows } = vault.sealRows(await vault.loadKeys(client, [beo.id]), beo.id, secrets);
  const mails = links.map(
    ({ guardianId }): NewMail => ({
      kind: 'recovery',
      ownerId: beo.id,
      guardianId,
      aboutId: requestId,
      language,
      source,
      dueAt: openedAt,
    }),
  );
  if (newKey) await runAll(client, [saveVaultKeys([newKey])]);
  await runAll(client, [saveVaultRows(rows), saveMails(mails)]);
}
