import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { isKeyHex, isStrictPublicKey } from '../../../protocol/signing/ed25519.ts';

const SECRET_NAME = /secret|private|seed|mnemonic|passphrase|password/i;
const KEY_NAME = /public_?key$/i;
const PEM = /PRIVATE KEY/;
/** Recovery words: 12 or more English words of the lengths that BIP-39 has. */
const WORDS = /^\s*([a-z]{3,8}\s+){11,}[a-z]{3,8}\s*$/i;

const ADVICE = 'Never enter a key of your own: this form signs with the disposable key.';

/** Why a value may contain a secret key, as a sentence; null if it does not look like one. */
export function secretProblem(value: Json, path = ''): string | null {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (SECRET_NAME.test(name)) return `${path} is named like a secret. ${ADVICE}`;
  if (typeof value === 'string') return textProblem(value, path, KEY_NAME.test(name));
  if (typeof value !== 'object' || value === null) return null;
  const members = Array.isArray(value)
    ? value.map((element: Json) => [path, element] as const)
    : Object.entries(value).map(([member, one]) => [path ? `${path}.${member}` : member, one] as const);
  for (const [at, member] of members) {
    const problem = secretProblem(member, at);
    if (problem) return problem;
  }
  return null;
}

function textProblem(text: string, path: string, isKey: boolean): string | null {
  if (PEM.test(text)) return `${path} contains a private key. ${ADVICE}`;
  if (WORDS.test(text)) return `${path} looks like recovery words. ${ADVICE}`;
  // Fifteen of sixteen seeds are no public key.
  if (isKey && isKeyHex(text) && !isStrictPublicKey(text)) {
    return `${path} is not an Ed25519 public key; it may be a secret one. ${ADVICE}`;
  }
  return null;
}
