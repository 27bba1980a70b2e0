import { scryptSync } from 'node:crypto';
import { type KeyFileContent, keyFileName, sealKeyFile } from '../app/_keys/key-file.ts';
import { newSecret, wordsOf } from '../app/_keys/secret.ts';
import { type Key, keyOfWords } from './api.ts';
import type { SavedFile } from './page-actions.ts';

/** The passphrase of every key that these tests encrypt without a browser. */
export const PASSPHRASE = 'a cheap passphrase';

/** The lowest cost that the product accepts. */
const COST = { N: 2 ** 14, r: 8, p: 1 };

/** Encrypts a key under PASSPHRASE. @returns the text of the key file */
export function sealKey(content: KeyFileContent): Promise<string> {
  const derive = async ({ passphrase, salt }: { passphrase: string; salt: Uint8Array }) =>
    scryptSync(passphrase, salt, 32, COST);
  return sealKeyFile(content, PASSPHRASE, { derive, cost: COST });
}

/** A guardian's key with its 24 words. */
export interface GuardianKey {
  readonly key: Key;
  readonly words: readonly string[];
  /** The key file of the guardian of a domain. */
  file(beoDomain: string): Promise<SavedFile>;
}

export async function newGuardianKey(): Promise<GuardianKey> {
  const entropy = newSecret();
  const words = await wordsOf(entropy);
  const key = keyOfWords(words);
  return {
    key,
    words,
    async file(beoDomain) {
      const content = {
        secret: { holds: 'entropy', bytes: entropy },
        publicKey: key.publicKey,
        purpose: 'guardian',
        beoDomain,
        createdAt: new Date(),
      } as const;
      return { name: keyFileName(content), text: await sealKey(content), passphrase: PASSPHRASE };
    },
  };
}
