import { hash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { ADDRESS_LINK_MS } from '../../../protocol/alerts.ts';
import { refusal } from '../../../protocol/errors.ts';
import { available } from '../../platform/db/pool.ts';

interface Parts {
  readonly pool: Pool;
  readonly now: () => number;
}

/** The secret of the link in the mail to a new address: 256 random bits, 43 base64url characters. */
export const newAddressToken = (): string => randomBytes(32).toString('base64url');

const TOKEN = /^[\w-]{43}$/;

/** The stored hash of a link. */
export const addressTokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

export interface AddressLink {
  readonly confirmed: boolean;
  /** Of the identity whose alerts the address is to receive. */
  readonly beo_domain: string;
}

/** What a link confirms. Reading it changes nothing: link scanners follow links. @throws LINK_NOT_FOUND */
export async function readAddressLink({ pool, now }: Parts, token: string): Promise<AddressLink> {
  if (!TOKEN.test(token)) throw refusal('LINK_NOT_FOUND');
  const { rows } = await available(() =>
    pool.query<{ confirmed: boolean; domain: string }>({
      name: 'find-alert-address',
      text: `SELECT a.confirmed_at IS NOT NULL AS confirmed, b.domain FROM alert_addresses a JOIN beos b ON b.id = a.owner_id
             WHERE a.token_hash = $1 AND b.domain IS NOT NULL AND a.leaves_at IS NULL
               AND (a.confirmed_at IS NOT NULL OR a.added_at > $2)`,
      values: [addressTokenHash(token), new Date(now() - ADDRESS_LINK_MS)],
    }),
  );
  const [found] = rows;
  if (!found) throw refusal('LINK_NOT_FOUND');
  return { confirmed: found.confirmed, beo_domain: found.domain };
}

/** Confirms the address of a link; once more changes nothing. @throws LINK_NOT_FOUND */
export async function confirmAddress(parts: Parts, token: string): Promise<AddressLink> {
  const link = await readAddressLink(parts, token);
  const { rowCount } = await available(() =>
    parts.pool.query({
      name: 'confirm-alert-address',
      text: 'UPDATE alert_addresses SET confirmed_at = coalesce(confirmed_at, $2) WHERE token_hash = $1',
      values: [addressTokenHash(token), new Date(parts.now())],
    }),
  );
  // It was removed meanwhile.
  if (rowCount === 0) throw refusal('LINK_NOT_FOUND');
  return { ...link, confirmed: true };
}
