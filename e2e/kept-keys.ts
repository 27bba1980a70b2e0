import { scryptSync } from 'node:crypto';
import { keyFileName, sealKeyFile } from '../app/_keys/key-file.ts';
import { newSecret, wordsOf } from '../app/_keys/secret.ts';
import { type Key, keyOfWords } from './api.ts';
import type { SavedFile } from './steps.ts';

/** A guardian's key as they kept it, made without a browser. */
export interface KeptKey {
  readonly key: Key;
  readonly words: readonly string[];
  /** The file for the guardian of a domain; as cheap to open as the product allows. */
  file(beoDomain: string): Promise<SavedFile>;
}

const PASSPHRASE = 'a cheap passphrase';
const COST = { N: 2 ** 14, r: 8, p: 1 };

export async function newKeptKey(): Promise<KeptKey> {
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
      const derive = async ({ passphrase, salt }: { passphrase: string; salt: Uint8Array }) =>
        scryptSync(passphrase, salt, 32, COST);
      const text = await sealKeyFile(content, PASSPHRASE, { derive, cost: COST });
      return { name: keyFileName(content), text, passphrase: PASSPHRASE };
    },
  };
}
