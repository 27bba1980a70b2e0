import { hash } from 'node:crypto';
import { assignedIds, createdEntityId } from '../../protocol/apply.ts';
import { domainProblem } from '../../protocol/domains.ts';
import type { Approver } from '../../protocol/entities/proposal.ts';
import { ProtocolError } from '../../protocol/errors.ts';
import { derivedIds, isUuid, type TransactionId } from '../../protocol/ids.ts';
import type { LedgerEntry } from '../../protocol/ledger/entry.ts';
import { BEGIN_EPOCH, readEpochBeginning } from '../../protocol/ledger/epoch.ts';
import type { SubjectIds } from '../../protocol/operation.ts';
import { type AnyOperation, operationFor } from '../../protocol/operations.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { isKeyHex } from '../../protocol/signing/ed25519.ts';
import {
  messageBytes,
  readInstituteRequest,
  readSignedRequest,
  type SignedRequest,
  valueAt,
} from '../../protocol/signing/message.ts';
import { parseTimestamp } from '../../protocol/time.ts';
import { isStrictPublicKeyNatively, signatureBytes, verifyNatively } from '../crypto/ed25519.ts';
import type { Authority, CheckedEntry, Rules } from './checked.ts';
import type { FindingKind, Problem } from './findings.ts';
import { signedFieldOf } from './signed-field.ts';

type Open = Extract<LedgerEntry, { message: unknown }>;
type Sealed = Extract<LedgerEntry, { sealed: unknown }>;
type Report = (kind: FindingKind, sentence: string) => void;
type Meaning = Pick<
  CheckedEntry,
  'authority' | 'signatureGood' | 'operation' | 'publicFacts' | 'references' | 'assigned' | 'timestamp' | 'nonce'
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
  const operation = operationFor(entry.function, entry.message);
  if (operation?.signer === 'institute') return meaningOfInstitute(operation, entry, report);
  if (entry.signature === null && entry.signer === null) return meaningOfRelayed(operation, entry, rules, report);
  const { message } = entry;
  const { nonce } = message;
  const signatureGood = isSignedByNamedKey(entry);
  if (!signatureGood) report('USER_SIGNATURE', 'The user signature is not the named key’s over the message.');
  judgeFunction(entry, report);
  if (!operation) report('UNKNOWN_FUNCTION', `There is no operation "${entry.function}" with these signed fields.`);
  const request = operation ? readRequest(operation, entry, rules, report) : null;
  if (operation && isCreated(operation) && entry.entity_id !== createdId(operation, entry, rules)) {
    report('ENTITY', `The id ${entry.entity_id} does not follow from this ledger and the signature.`);
  }
  const publicFacts = operation && request ? publicFactsOf(operation, request, rules, report) : null;
  return {
    authority: 'user',
    signatureGood,
    ...understood(operation && request ? operation : null, publicFacts, message, entry, report),
    timestamp: request ? request.timestamp : timeOf(message.timestamp),
    nonce: typeof nonce === 'string' ? nonceMark(entry.signer ?? '', nonce) : null,
  };
}

/** Names and contacts must not be public: with them in it a message goes to the network as a digest. */
function publicFactsOf(operation: AnyOperation, request: SignedRequest, { ledgerId }: Rules, report: Report): unknown {
  const ids = derivedIds(ledgerId, request.signature);
  const sealing = operation.sealed?.seal(request.fields, ids, {}, () => new Uint8Array(32));
  if (!sealing) return operation.publicFacts(request);
  report('MESSAGE', 'The message holds what must not be public, and should have been sealed.');
  return sealing.publicFacts;
}

function judgeFunction({ function: said, message }: Open, report: Report): void {
  if (message.function === said) return;
  report('MESSAGE', `The entry says ${said}, and its message ${JSON.stringify(message.function)}.`);
}

const isCreated = ({ about }: AnyOperation): boolean => 'creates' in about;

const createdId = (operation: AnyOperation, { signature }: Open, { ledgerId }: Rules): string =>
  createdEntityId(operation, derivedIds(ledgerId, signature ?? ''));

/** What the replay is given to go on with, or nothing where the entry does not say enough. */
function understood(
  operation: AnyOperation | null,
  publicFacts: unknown,
  facts: Record<string, Json>,
  entry: LedgerEntry,
  report: Report,
): Pick<Meaning, 'operation' | 'publicFacts' | 'references' | 'assigned'> {
  const assigned = operation ? readAssigned(operation, entry, report) : null;
  if (!operation || !assigned) return NOT_UNDERSTOOD;
  const references = Object.keys(operation.subjects).flatMap((role) => {
    const field = signedFieldOf(operation, role);
    const reference = field === null ? undefined : valueAt(facts, field);
    return typeof reference === 'string' ? [[role, reference] as const] : [];
  });
  return { operation: operation.name, publicFacts, references: Object.fromEntries(references), assigned };
}

/** Exactly the subjects that the entry must name besides the one it is about, and what the service chose; null where one is missing. */
function readAssigned(operation: AnyOperation, { assigned }: LedgerEntry, report: Report): SubjectIds | null {
  const roles = [...Object.keys(assignedIds(operation, {})), ...(operation.assigns ?? [])];
  const said = Object.keys(assigned ?? {});
  const ids = roles.flatMap((role) => {
    const id = assigned?.[role];
    return typeof id === 'string' && id !== '' ? [[role, id] as const] : [];
  });
  const exact =
    ids.length === roles.length && said.length === roles.length && (assigned === undefined || said.length > 0);
  if (!exact) {
    const [has, needs] = [said, roles].map((names) => names.join(', ') || 'nothing');
    report('ENTITY', `The entry assigns ${has}, where ${operation.name} assigns ${needs}.`);
  }
  return ids.length === roles.length ? Object.fromEntries(ids) : null;
}

function isSignedByNamedKey({ signer, signature, message }: Open): boolean {
  const bytes = signature === null ? null : signatureBytes(signature);
  if (bytes === null || signer === null || !/^[0-9a-f]{64}$/.test(signer)) return false;
  return verifyNatively(signer, messageBytes(message), bytes);
}

/** The message as the request it was, held against the operation's row as on the day it came in. */
function readRequest(operation: AnyOperation, { message, signature }: Open, rules: Rules, report: Report) {
  const { function: _, ...body } = message;
  const suffix = suffixFor(rules, message.domain);
  const request = readAs(message, report, () =>
    readSignedRequest(operation, { ...body, signature }, { ...rules, suffix, ledgerIdRequired: false }),
  );
  if (request) checkKeys(operation.introduces?.(request.fields).keys ?? [], report);
  return request;
}

function readAs<Request extends { readonly message: object }>(
  message: object,
  report: Report,
  read: () => Request,
): Request | null {
  try {
    const request = read();
    if (Object.keys(request.message).length !== Object.keys(message).length) {
      report('MESSAGE', 'The message holds more than the operation signs.');
    }
    return request;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    report('MESSAGE', `The message could not have been accepted: ${error.message}`);
    return null;
  }
}

/** Nobody signs for the institute: the relayer holds its keys, and says which of them stood behind the request. */
function meaningOfInstitute(operation: AnyOperation, entry: Open, report: Report): Meaning {
  const { function: _, approver, ...body } = entry.message;
  if (entry.signature !== null || entry.signer !== null) {
    report('USER_SIGNATURE', `The entry carries a user signature, but ${entry.function} is the institute’s to decide.`);
  }
  judgeFunction(entry, report);
  if (isCreated(operation) && !isFreshId(entry.entity_id)) {
    report('ENTITY', `The id ${entry.entity_id} is none that is given to what the institute creates.`);
  }
  const named = isApprover(approver) ? approver : null;
  if (named === null)
    report('MESSAGE', `The approver ${JSON.stringify(approver)} is none of the institute’s three keys.`);
  const request =
    named === null ? null : readAs(entry.message, report, () => readInstituteRequest(operation, body, named));
  const publicFacts = request ? operation.publicFacts({ ...request, signature: '' }) : null;
  return {
    ...NOTHING,
    authority: 'institute',
    ...understood(request ? operation : null, publicFacts, entry.message, entry, report),
  };
}

const isApprover = (value: Json | undefined): value is Approver => value === 1 || value === 2 || value === 3;

const isFreshId = (id: string): boolean => isUuid(id) && id === id.toLowerCase();

function meaningOfRelayed(operation: AnyOperation | null, entry: Open, { ledgerId }: Rules, report: Report): Meaning {
  const meaning = { ...NOTHING, authority: 'relayer' as const };
  if (entry.function !== BEGIN_EPOCH) {
    if (operation) report('USER_SIGNATURE', `The entry carries no user signature, which ${entry.function} needs.`);
    else report('UNKNOWN_FUNCTION', `The relayer alone cannot do "${entry.function}".`);
    return meaning;
  }
  const beginning = readEpochBeginning(entry.message);
  if (!beginning) report('MESSAGE', 'The message is not that of a beginEpoch entry.');
  if (entry.assigned) report('MESSAGE', 'A beginEpoch entry assigns nothing, and this one does.');
  if (entry.entity_id !== ledgerId) report('ENTITY', 'A beginEpoch entry is about the ledger, and this one is not.');
  return { ...meaning, publicFacts: beginning };
}

function meaningOfSealed(entry: Sealed, rules: Rules, report: Report): Meaning {
  const meaning = { ...NOTHING, authority: 'sealed' as Authority };
  const facts = entry.public;
  const operation = operationFor(entry.function, facts);
  if (!operation?.sealed) {
    report(operation ? 'MESSAGE' : 'UNKNOWN_FUNCTION', `There is no operation "${entry.function}" that may be sealed.`);
    return meaning;
  }
  const parsed = operation.sealed.publicFacts.safeParse(facts);
  const time = timeOf(facts.timestamp);
  if (!parsed.success || time === null) {
    report('MESSAGE', 'The public part of the sealed entry does not have the form of its operation.');
    return meaning;
  }
  checkKeys(keysIn(facts), report);
  const domain = textOf(facts.domain);
  const refused = domain === null ? null : domainProblem(domain, suffixFor(rules, domain));
  if (refused) report('MESSAGE', `The message could not have been accepted: ${refused.message}`);
  return { ...meaning, ...understood(operation, parsed.data, facts, entry, report), timestamp: time };
}

const NOT_UNDERSTOOD = { operation: null, publicFacts: null, references: {}, assigned: {} };
const NOTHING = { ...NOT_UNDERSTOOD, signatureGood: false, timestamp: null, nonce: null };

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
