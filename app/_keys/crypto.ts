/** Everything that needs cryptography, as one module that is imported when the first key is needed. */
export { entropyToMnemonic, mnemonicToEntropy, mnemonicToSeed } from '@scure/bip39';
export { wordlist } from '@scure/bip39/wordlists/english.js';
export { publicKeyOf, signBytes } from '../../protocol/signing/ed25519.ts';
export { toBase64Url } from '../../protocol/signing/encoding.ts';
export {
  completions,
  guardianWords,
  isListWord,
  recoveryWords,
  sameWords,
} from '../../protocol/signing/fingerprint.ts';
