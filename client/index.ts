// The entry of the package: what it exports.
export { type Client, type ClientOptions, createClient } from './client.ts';
export { type ClientCode, IntegrityError, PerpetuaError } from './errors.ts';
export { generateKey, type Key, keyFromSeed, type Signer } from './keys.ts';
export type { LedgerState, Transaction, WaitOptions } from './ledger.ts';
export { type LoggedEntry, type ProofPolicy, verifyInclusionProof, verifyProof } from './proofs.ts';
export { type Entry, readReceipt } from './receipts.ts';
export { type NewShare, type OpenOptions, readShareLink, type SharedFile, type ShareLink } from './shares.ts';
export { type SignedRequest, signRequest } from './sign.ts';
export { strictJson } from './strict-json.ts';
export type { Trusted } from './trust.ts';
export type * from './types.ts';
export { verifyWebhook, type WebhookRequest } from './webhooks.ts';
export {
  type Accepted,
  type Unanswered,
  UnansweredError,
  type WithoutEntry,
  type WriteOptions,
  type Written,
} from './write.ts';
