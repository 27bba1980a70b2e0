import { type KeyObject, sign } from 'node:crypto';
import { refusal } from '../../protocol/errors.ts';
import { ConfigError } from '../config.ts';
import type { KeyPair } from '../platform/data-folder/key-files.ts';
import { createItemSigner, type ItemSigner } from './ans104.ts';

/** One key of the relayer. */
export interface RelayerKey {
  readonly privateKey: KeyObject;
  readonly items: ItemSigner;
  /** 64 bytes. */
  sign(message: Uint8Array): Buffer;
}

/** The relayer's keys in this process. The head of the ledger decides which one signs. */
export interface RelayerSigner {
  /** @param publicKey that of the head, hex. @throws UNAVAILABLE if this process does not have the key */
  with(publicKey: string): RelayerKey;
  /** Why this process cannot sign after a head with this key, and what to do; null if it can. */
  problemWith(publicKey: string): string | null;
}

/** How long a key that was not found is not searched for again. */
const PAUSE_MS = 200;

/**
 * @param load reads the key files. It is called again when the head has another key: a rotation has replaced a file
 * @param onChange receives the public key whenever another one is used or missing
 */
export function createRelayerSigner(
  load: () => readonly KeyPair[],
  onChange: (publicKey: string, found: boolean) => void,
): RelayerSigner {
  let keys = keysOf(load());
  let searched = { publicKey: '', at: Number.NEGATIVE_INFINITY };

  function find(publicKey: string): RelayerKey | null {
    const known = keys.get(publicKey);
    if (known) return known;
    const now = performance.now();
    const repeated = searched.publicKey === publicKey;
    if (repeated && now - searched.at < PAUSE_MS) return null;
    searched = { publicKey, at: now };
    const read = readKeys(load);
    if (read) keys = read;
    const found = keys.get(publicKey) ?? null;
    if (found || !repeated) onChange(publicKey, found !== null);
    return found;
  }

  return {
    with(publicKey) {
      const key = find(publicKey);
      if (key) return key;
      throw refusal('UNAVAILABLE', 'The key that signs the ledger is being replaced; try again shortly.');
    },
    problemWith: (publicKey) =>
      find(publicKey)
        ? null
        : `The key of the ledger was replaced by ${publicKey}, which this process does not have: put the new key into RELAYER_KEY_FILE, or relayer.key in DATA_DIR.`,
  };
}

/** Null while a file is unreadable. */
function readKeys(load: () => readonly KeyPair[]): Map<string, RelayerKey> | null {
  try {
    return keysOf(load());
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

const keysOf = (pairs: readonly KeyPair[]): Map<string, RelayerKey> =>
  new Map(pairs.map((pair) => [pair.publicKey.toString('hex'), relayerKeyOf(pair)]));

export const relayerKeyOf = ({ privateKey, publicKey }: KeyPair): RelayerKey => ({
  privateKey,
  items: createItemSigner(privateKey, publicKey),
  sign: (message) => sign(null, message, privateKey),
});
