import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { jwks, webhookKeys } from '../../../../protocol/read-responses.ts';
import { ConfigError } from '../../../config.ts';
import { createSigner } from '../../../platform/crypto/ed25519.ts';
import { privateKeyObject } from '../../../platform/crypto/node-ed25519.ts';

/** The keys that sign webhooks: the current one, then the previous one while both sign. Protocol §9. */
export type WebhookKeys = readonly ReturnType<typeof createSigner>[];

/** @param seeds 32 bytes each */
export const signersOf = (seeds: readonly Buffer[]): WebhookKeys =>
  seeds.map((seed) => createSigner(privateKeyObject(seed)));

/**
 * The headers of Standard Webhooks 1.0.0: every key signs `id.timestamp.body`, in base64 after its version `v1a`.
 * @param id of the event, without a full stop
 * @param at of the attempt, in ms since 1970
 */
export function signatureHeaders(keys: WebhookKeys, id: string, at: number, body: Buffer): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map(({ sign }) => `v1a,${sign(signed).toString('base64')}`).join(' '),
  };
}

/** The public keys as Standard Webhooks writes them, the current one first. */
export const publishedKeys = (keys: WebhookKeys): z.output<typeof webhookKeys> => ({
  keys: keys.map(({ publicKey }) => `whpk_${publicKey.toString('base64')}`),
});

/** The public keys as a JWK set (RFC 7517, RFC 8037), each named by its thumbprint (RFC 7638). */
export const publishedJwks = (keys: WebhookKeys): z.output<typeof jwks> => ({
  keys: keys.map(({ publicKey }) => {
    const x = publicKey.toString('base64url');
    const thumbprint = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url');
    return { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint, use: 'sig', alg: 'EdDSA' };
  }),
});

/**
 * Records the keys of this process in the database.
 * @throws {ConfigError} if the process that started last has none of them: receivers would verify with other keys
 */
export async function agreeOnWebhookKeys(pool: Pool, keys: WebhookKeys): Promise<void> {
  const own = keys.map(({ publicKey }) => publicKey.toString('hex'));
  const { rowCount } = await pool.query(
    `INSERT INTO webhook_keys AS agreed (public_keys) VALUES ($1)
     ON CONFLICT (single) DO UPDATE SET public_keys = $1 WHERE agreed.public_keys && $1`,
    [own],
  );
  if (rowCount === 1) return;
  throw new ConfigError(
    'The webhook key is not the one that this database was used with. Give every process the same WEBHOOK_KEY_FILE; ' +
      'for a new key after a loss, run "npm run forget-key -- webhook" first (docs/operations.md). Nothing was changed.',
  );
}
