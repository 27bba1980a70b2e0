import type { Pool } from 'pg';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { refusal } from '../../../protocol/errors.ts';
import { available } from '../../platform/db/pool.ts';
import type { AddressHashes } from './address-hashes.ts';

interface Parts {
  readonly pool: Pool;
  readonly addressHashes: AddressHashes;
  readonly now: () => number;
}

export const hasOptedOut = async (db: Pick<Pool, 'query'>, recipient: Buffer): Promise<boolean> => {
  const text = 'SELECT FROM mail_opt_outs WHERE recipient = $1';
  const { rowCount } = await db.query({ name: 'wants-no-mail', text, values: [recipient] });
  return rowCount === 1;
};

/** Whether the recipient of a link receives mail. @throws LINK_NOT_FOUND */
export async function readSubscription({ pool, addressHashes }: Parts, token: string): Promise<boolean> {
  const recipient = recipientOf(addressHashes, token);
  return !(await available(() => hasOptedOut(pool, recipient)));
}

/** @throws LINK_NOT_FOUND */
export async function unsubscribe({ pool, addressHashes, now }: Parts, token: string): Promise<void> {
  const since: Instant = new Date(now()).toISOString();
  const values = [recipientOf(addressHashes, token), since];
  const text = 'INSERT INTO mail_opt_outs (recipient, since) VALUES ($1, $2) ON CONFLICT DO NOTHING';
  await available(() => pool.query(text, values));
}

/** @throws LINK_NOT_FOUND */
export async function resubscribe({ pool, addressHashes }: Parts, token: string): Promise<void> {
  const values = [recipientOf(addressHashes, token)];
  await available(() => pool.query('DELETE FROM mail_opt_outs WHERE recipient = $1', values));
}

function recipientOf(addressHashes: AddressHashes, token: string): Buffer {
  const recipient = addressHashes.recipientOf(token);
  if (!recipient) throw refusal('LINK_NOT_FOUND');
  return recipient;
}

/** The unsubscribe link: a page for a person, one-click POST for a mail program (RFC 8058). */
export const unsubscribeUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}/api/mail/unsubscribe/${token}`;
