// biome-ignore lint/style/noRestrictedImports: the key is encoded before it is an object
import { constants, createPrivateKey, generateKeyPair, hash, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { z } from 'zod';
import {
  encodeTransactionTags,
  type SignedTransaction,
  signatureMessage,
  splitData,
  type TransactionTag,
} from './arweave-transaction.ts';

const KEY_BITS = 4_096;
const signOnPool = promisify(sign);
const component = z.string().regex(/^[A-Za-z0-9_-]+$/);
const jwkShape = z.object({
  kty: z.literal('RSA'),
  e: z.literal('AQAB'),
  n: component,
  d: component,
  p: component,
  q: component,
  dp: component,
  dq: component,
  qi: component,
});

/** An Arweave key file: an RSA private key of 4 096 bits as a JSON Web Key (RFC 7517). */
export type Jwk = z.infer<typeof jwkShape>;

export type Wallet = {
  /** 43 characters of base64url: the SHA-256 of the public modulus. */
  readonly address: string;
  /** The public modulus, base64url: the `owner` of its transactions. */
  readonly owner: string;
  readonly privateKey: KeyObject;
};

/** A key that is not an Arweave wallet. The message never contains the key. */
export class WalletError extends Error {
  override readonly name = 'WalletError';
}

/** The address of a key, private or public, or of the `owner` of a transaction. */
export function walletAddress({ n }: { n: string }): string {
  return hash('sha256', Buffer.from(n, 'base64url'), 'base64url');
}

/**
 * Loads a key, or the key file at a path.
 * @throws {WalletError}
 */
export function loadWallet(source: Jwk | string): Wallet {
  const parsed = jwkShape.safeParse(typeof source === 'string' ? readKeyFile(source) : source);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.');
    throw new WalletError(`The wallet is not an RSA private key in JWK form${field ? ` (see "${field}")` : ''}.`);
  }
  const jwk = parsed.data;
  if (Buffer.from(jwk.n, 'base64url').byteLength !== KEY_BITS / 8) {
    throw new WalletError(`The wallet's key does not have ${KEY_BITS} bits.`);
  }
  try {
    return {
      address: walletAddress(jwk),
      owner: jwk.n,
      privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
    };
  } catch {
    throw new WalletError("The wallet's numbers are not a valid RSA private key.");
  }
}

function readKeyFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason =
      error instanceof SyntaxError ? 'is not JSON' : `cannot be read (${(error as { code?: string }).code})`;
    throw new WalletError(`The wallet file ${path} ${reason}.`);
  }
}

/** Generates a key, which takes some seconds on libuv's thread pool. */
export async function generateWallet(): Promise<Jwk> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: KEY_BITS,
    publicExponent: 0x10001,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  const key = createPrivateKey({ key: privateKey, type: 'pkcs8', format: 'der' });
  return jwkShape.parse(key.export({ format: 'jwk' }));
}

/**
 * Signs a data transaction of format 2 (RSA-PSS with SHA-256, salt of 32 bytes). The signing runs on the thread pool:
 * its 4 ms would otherwise block the event loop.
 * @param input.anchor from GET /tx_anchor; valid for 50 blocks.
 * @param input.reward winston, at least the result of GET /price for the size of the data.
 */
export async function signTransaction(
  wallet: Wallet,
  input: { data: Uint8Array; tags: readonly TransactionTag[]; anchor: string; reward: bigint },
): Promise<{ id: string; json: SignedTransaction }> {
  const { dataRoot } = await splitData(input.data);
  const unsigned = {
    format: 2 as const,
    last_tx: input.anchor,
    owner: wallet.owner,
    tags: encodeTransactionTags(input.tags),
    target: '',
    quantity: '0',
    data_size: String(input.data.byteLength),
    data_root: dataRoot,
    reward: input.reward.toString(),
  };
  const signature = await signOnPool('sha256', Buffer.from(await signatureMessage(unsigned)), {
    key: wallet.privateKey,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  });
  const id = hash('sha256', signature, 'base64url');
  return { id, json: { ...unsigned, id, signature: signature.toString('base64url') } };
}
