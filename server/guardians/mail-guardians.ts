import type { ClientBase } from 'pg';
import type { Beo } from '../../protocol/beo.ts';
import type { Instant } from '../../protocol/recorded.ts';
import { runAsOne } from '../db/statement.ts';
import type { Language } from '../language.ts';
import { type NewMail, saveMails } from '../mail/mail.ts';
import { saveVaultKeys, saveVaultRows } from '../registry/batch-rows.ts';
import type { Vault } from '../vault/vault.ts';
import type { NewLink } from './request-rows.ts';
import { recoveryRow } from './tokens.ts';

interface Opened {
  readonly beo: Beo;
  readonly requestId: string;
  readonly openedAt: Instant;
  readonly links: readonly NewLink[];
  readonly language: Language;
}

/** Queues the request to the guardians, at most once a day for one identity, whoever asks. Protocol §3. */
export async function mailGuardians(client: ClientBase, vault: Vault, opened: Opened): Promise<void> {
  const { beo, requestId, openedAt, links, language } = opened;
  const { rowCount } = await client.query(
    `INSERT INTO recovery_mailings AS last (beo_id, mailed_at) VALUES ($1, $2)
     ON CONFLICT (beo_id) DO UPDATE SET mailed_at = EXCLUDED.mailed_at
     WHERE last.mailed_at <= EXCLUDED.mailed_at - interval '24 hours'`,
    [beo.id, openedAt],
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
      dueAt: openedAt,
    }),
  );
  if (newKey) await runAsOne(client, [saveVaultKeys([newKey])]);
  await runAsOne(client, [saveVaultRows(rows), saveMails(mails)]);
}
