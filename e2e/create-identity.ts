import { randomUUID, sign } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { newSigningKey } from '../server/platform/crypto/signed-request.ts';

export interface Identity {
  readonly domain: string;
  readonly publicKey: string;
  readonly id: string;
  readonly transactionId: string;
}

/** Creates an identity without this project's code: sorted keys, Ed25519, base64, as the protocol document states. */
export async function createIdentity(request: APIRequestContext): Promise<Identity> {
  const { publicKey, privateKey } = newSigningKey();
  const domain = `e2e-${randomUUID().slice(0, 18)}.bsp`;
  const timestamp = new Date().toISOString();
  const nonce = randomUUID();
  const ledgerId = process.env.LEDGER_ID ?? '';
  const fields = { domain, function: 'createBEO', ledgerId, nonce, publicKey, recovery: null, timestamp };
  const message = JSON.stringify(fields);
  const signature = sign(null, Buffer.from(message), privateKey).toString('base64');
  const response = await request.post('/api/relayer/beo', {
    data: { domain, publicKey, recovery: null, ledgerId, nonce, timestamp, signature },
  });
  if (response.status() !== 201)
    throw new Error(`The identity was not created: ${response.status()} ${await response.text()}`);
  const { beo_id: id, transactionId } = (await response.json()) as { beo_id: string; transactionId: string };
  return { domain, publicKey, id, transactionId };
}
