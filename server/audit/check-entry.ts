import { hash } from 'node:crypto';
import type { Json } from '../../protocol/canonical-json.ts';
import { unacceptableDomain } from '../../protocol/domains.ts';
import { isKeyHex } from '../../protocol/ed25519.ts';
import type { LedgerEntry } from '../../protocol/entry.ts';
import { BEGIN_EPOCH, readEpochBeginning } from '../../protocol/epoch.ts';
import { ProtocolError } from '../../protocol/errors.ts';
import { derivedIds, type TransactionId } from '../../protocol/ids.ts';
import { messageBytes, readSignedRequest } from '../../protocol/message.ts';
import { type AnyOperation, operationFor } from '../../protocol/operations.ts';
import { parseTimestamp } from '../../protocol/time.ts';
import { isStrictPublicKeyNatively, signatureBytes, verifyNatively } from '../crypto/ed25519.ts';
import type { Authority, CheckedEntry, Rules } from './checked.ts';
import type { FindingKind, Problem } from './findings.ts';

type Open = Extract<LedgerEntry, { message: unknown }>;
type Sealed = Extract<LedgerEntry, { sealed: unknown }>;
type Report = (kind: FindingKind, sentence: string) => void;
type Meaning = Pick<
  CheckedEntry,
  'authority' | 'signatureGood' | 'operation' | 'known' | 'reference' | 'timestamp' | 'nonce'
>;

/** Everything that can be said of an entry without knowing what came before it. */
export function checkEntry(id: string, entry: LedgerEntry, rules: Rules, problems: Problem[]): CheckedEntry {
  const report: Report = (kind, sentence) => problems.push({ kind, sentence });
  return {
    id: id as TransactionId,
    epoch: entry.epoch,
    seq: entry.seq,
    prev: entry.prev,
    acceptedAt: entry.accepted_at,
    functionName: entry.function,
    entityId: entry.entity_id,
    signer: entry.signer,
    ...('message' in entry ? meaningOfOpen(entry, rules, report) : meaningOfSealed(entry, rules, report)),
  };
}

function meaningOfOpen(entry: Open, rules: Rules, report: Report): Meaning {
  if (entry.signature === null && entry.signer === null) return meaningOfRelayed(entry, rules, report);
  const { message } = entry;
  const { nonce } = message;
  const signatureGood = isSignedByNamedKey(entry);
  if (!signatureGood) report('USER_SIGNATURE', 'The user signature is not the named key’s over the message.');
  if (message.function !== entry.function) {
    report('MESSAGE', `The entry says ${entry.function}, but ${JSON.stringify(message.function)} was signed.`);
  }
  const operation = operationFor(entry.function, message);
  if (!operation) report('UNKNOWN_FUNCTION', `There is no operation "${entry.function}" with these signed fields.`);
  const request = operation ? readRequest(operation, entry, rules, report) : null;
  if (operation?.target === null && derivedIds(rules.ledgerId, entry.signature ?? '').beoId() !== entry.entity_id) {
    report('ENTITY', `The id ${entry.entity_id} does not follow from this ledger and the signature.`);
  }
  return {
    authority: 'user',
    signatureGood,
    operation: operation && request ? operation.name : null,
    known: operation && request ? operation.known(request.fields) : null,
    reference: operation?.target ? textOf(message[operation.target.field]) : null,
    timestamp: request ? request.timestamp : timeOf(message.timestamp),
    nonce: typeof nonce === 'string' ? nonceMark(entry.signer ?? '', nonce) : null,
  };
}

function isSignedByNamedKey({ signer, signature, message }: Open): boolean {
  const bytes = signature === null ? null : signatureBytes(signature);
  if (bytes === null || signer === null || !/^[0-9a-f]{64}$/.test(signer)) return false;
  return verifyNatively(signer, messageBytes(message), bytes);
}

/** The message as the request it was, held against the operation's row as on the day it came in. */
function readRequest(operation: AnyOperation, { message, signature }: Open, rules: Rules, report: Report) {
  const { function: _, ...body } = message;
  try {
    const request = readSignedRequest(operation, { ...body, signature }, suffixFor(rules, message.domain));
    if (Object.keys(request.message).length !== Object.keys(message).length) {
      report('MESSAGE', 'The message holds more than the operation signs.');
    }
    checkKeys(operation.introduces(request.fields).keys, report);
    return request;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    report('MESSAGE', `The message could not have been accepted: ${error.message}`);
    return null;
  }
}

function meaningOfRelayed(entry: Open, { ledgerId }: Rules, report: Report): Meaning {
  const meaning = { ...NOTHING, authority: 'relayer' as const };
  if (entry.function !== BEGIN_EPOCH) {
    const known = operationFor(entry.function, entry.message) !== null;
    if (known) report('USER_SIGNATURE', `The entry carries no user signature, which ${entry.function} needs.`);
    else report('UNKNOWN_FUNCTION', `The relayer alone cannot do "${entry.function}".`);
    return meaning;
  }
  const beginning = readEpochBeginning(entry.message);
  if (!beginning) report('MESSAGE', 'The message is not that of a beginEpoch entry.');
  if (entry.entity_id !== ledgerId) report('ENTITY', 'A beginEpoch entry is about the ledger, and this one is not.');
  return { ...meaning, known: beginning };
}

function meaningOfSealed(entry: Sealed, rules: Rules, report: Report): Meaning {
  const meaning = { ...NOTHING, authority: 'sealed' as Authority };
  const facts = entry.public;
  const operation = operationFor(entry.function, facts);
  if (!operation?.sealedFacts) {
    report(operation ? 'MESSAGE' : 'UNKNOWN_FUNCTION', `There is no operation "${entry.function}" that may be sealed.`);
    return meaning;
  }
  const parsed = operation.sealedFacts.safeParse(facts);
  const time = timeOf(facts.timestamp);
  if (!parsed.success || time === null) {
    report('MESSAGE', 'The public part of the sealed entry does not have the form of its operation.');
    return meaning;
  }
  checkKeys(keysIn(facts), report);
  const domain = textOf(facts.domain);
  const refused = domain === null ? null : unacceptableDomain(domain, suffixFor(rules, domain));
  if (refused) report('MESSAGE', `The message could not have been accepted: ${refused.message}`);
  const reference = operation.target ? textOf(facts[operation.target.field]) : null;
  return { ...meaning, operation: operation.name, known: parsed.data, reference, timestamp: time };
}

const NOTHING = { signatureGood: false, operation: null, known: null, reference: null, timestamp: null, nonce: null };

function checkKeys(keys: readonly string[], report: Report): void {
  for (const key of keys) {
    if (isKeyHex(key) && isStrictPublicKeyNatively(key)) continue;
    report('KEY', `The key ${key} is not the encoding of a point of prime order, and so stands for nobody.`);
  }
}

const KEY_MEMBERS = new Set(['publicKey', 'newPublicKey', 'public_key']);

/** The keys that a sealed entry shows, wherever they stand in its public part. */
function keysIn(facts: Json): string[] {
  if (typeof facts !== 'object' || facts === null) return [];
  return Object.entries(facts).flatMap(([name, value]) =>
    KEY_MEMBERS.has(name) && typeof value === 'string' ? [value] : keysIn(value as Json),
  );
}

const timeOf = (value: Json | undefined): number | null => (typeof value === 'string' ? parseTimestamp(value) : null);

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);

const suffixFor = ({ suffix }: Rules, domain: Json | undefined): string =>
  suffix ?? (typeof domain === 'string' ? domain.slice(domain.lastIndexOf('.') + 1).toLowerCase() : '');

/** 72 bits of a hash: enough to tell nonces apart, and little to remember. */
const nonceMark = (signer: string, nonce: string): string =>
  hash('sha256', `${signer}:${nonce}`, 'base64').slice(0, 12);
