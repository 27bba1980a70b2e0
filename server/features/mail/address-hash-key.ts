import { hkdfSync, type KeyObject } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { ConfigError } from '../../config.ts';
import { keyIdOf, unwrapKey, wrapKey } from '../vault/data-key.ts';
import { IntegrityFailure } from '../vault/integrity.ts';

/** Its row in service_keys, and what its wrapped form is bound to. */
const NAME = 'address hashes';

interface Keys {
  /** 32 bytes. */
  readonly vaultKey: Uint8Array;
  readonly relayerKey: KeyObject;
}

/** Derived from the relayer's key (RFC 5869), because VAULT_KEY can be rotated. */
export function derivedAddressHashKey(relayerKey: KeyObject): Uint8Array {
  const { d = '' } = relayerKey.export({ format: 'jwk' });
  return new Uint8Array(hkdfSync('sha256', Buffer.from(d, 'base64url'), '', 'perpetua mail correspondents', 32));
}

/**
 * The key of the hashes of mail addresses: the stored one, or the one that follows from the relayer's key as long as that was never
 * committed to a successor.
 * @throws {ConfigError} if VAULT_KEY does not open it
 */
export async function loadAddressHashKey(db: Pick<Pool, 'query'>, { vaultKey, relayerKey }: Keys): Promise<Uint8Array> {
  const { rows } = await db.query<{ wrapped: Buffer }>('SELECT wrapped FROM service_keys WHERE name = $1', [NAME]);
  if (!rows[0]) return derivedAddressHashKey(relayerKey);
  try {
    return unwrapKey(vaultKey, NAME, rows[0].wrapped);
  } catch (error) {
    if (!(error instanceof IntegrityFailure)) throw error;
    throw new ConfigError(
      'VAULT_KEY does not open the key of the mail addresses in this database; nothing was changed.',
    );
  }
}

/** Stores the key before the relayer's key is replaced, because unsubscriptions and their links depend on it. */
export async function keepAddressHashKey(
  client: Pick<ClientBase, 'query'>,
  { vaultKey, relayerKey }: Keys,
): Promise<void> {
  const wrapped = wrapKey(vaultKey, NAME, derivedAddressHashKey(relayerKey));
  await client.query('INSERT INTO service_keys (name, wrapped, key_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    NAME,
    wrapped,
    keyIdOf(vaultKey),
  ]);
}
