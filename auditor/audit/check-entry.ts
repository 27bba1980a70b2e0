import { hash } from 'node:crypto';
import { assignedIds, createdEntityId } from '../../protocol/apply.ts';
import { domainProblem } from '../../protocol/domains.ts';
import type { Approver } from '../../protocol/entities/proposal.ts';
import { ProtocolError } from '../../protocol/errors.ts';
import { derivedIds, isUuid, type TransactionId } from '../../protocol/ids.ts';
import type { LedgerEntry } from '../../protocol/ledger/entry.ts';
import { BEGIN_EPOCH, readEpochBeginning } from '../../protocol/ledger/epoch.ts';
import { COMMIT_RELAYER_KEY, ROTATE_RELAYER_KEY, readKeyMessage } from '../../protocol/ledger/relayer-keys.ts';
import type { Role, SubjectIds } from '../../protocol/operation.ts';
import { type AnyOperation, operationFor } from '../../protocol/operations.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { isKeyHex } from '../../protocol/signing/ed25519.ts';
import {
  readInstituteRequest,
  readSignedRequest,
  type SignedRequest,
  valueAt,
} from '../../protocol/signing/message.ts';
import { messageBytes } from '../../protocol/signing/message-bytes.ts';
import { parseTimestamp } from '../../protocol/time.ts';
import { isStrictPublicKeyNatively, signatureBytes, verifyNatively } from '../../server/platform/crypto/ed25519.ts';
import type { Authority, CheckedEntry, Rules } from './checked.ts';
import type { FindingKind, Problem } from './findings.ts';

type Open = Extract<LedgerEntry, { message: unknown }>;
type Sealed = Extract<LedgerEntry, { sealed: unknown }>;
type Report = (kind: FindingKind, sentence: string) => void;
type Meaning = Pick<
  CheckedEntry,
  'authority' | 'signatureGood' | 'operation' | 'publicFacts' | 'references' | 'assigned' | 'timestamp' | 'nonce'
>;

/** The checks of an entry that need no earlier entry. */
export function checkEntry(
  { id, owner }: { readonly id: string; readonly owner: string },
  entry: LedgerEntry,
  rules: Rules,
  problems: Problem[],
): CheckedEntry {
  const report: Report = (kind, sentence) => problems.push({ kind, sentence });
  return {
    id: id as TransactionId,
    owner,
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
  if (!signatureGood) report('USER_SIGNATURE', 'The user signature does not verify under the named key.');
  checkFunction(entry, report);
  if (!operation) report('UNKNOWN_FUNCTION', `There is no operation "${entry.function}" with these signed fields.`);
  const request = operation ? readRequest(operation, entry, rules, report) : null;
  if (operation && isCreated(operation) && entry.entity_id !== createdId(operation, entry, rules)) {
    report('ENTITY', `The id ${entry.entity_id} does not follow from this ledger and the signature.`);
  }
  const publicFacts = operation && request ? publicFactsOf(operation, request, rules, report) : null;
  return {
    authority: 'user',
    signatureGood,
    ...replayInput(operation && request ? operation : null, publicFacts, message, entry, report),
    timestamp: request ? request.timestamp : timeOf(message.timestamp),
    nonce: typeof nonce === 'string' ? nonceMark(entry.signer ?? '', nonce) : null,
  };
}

/** A message with names or contacts must be sealed: the entry shows only its digest. */
function publicFactsOf(operation: AnyOperation, request: SignedRequest, { ledgerId }: Rules, report: Report): unknown {
  const ids = derivedIds(ledgerId, request.signature);
  const sealing = operation.sealed?.seal(request.fields, ids, {}, () => new Uint8Array(32));
  if (!sealing) return operation.publicFacts(request);
  report('MESSAGE', 'The message contains private data and should have been sealed.');
  return sealing.publicFacts;
}

function checkFunction({ function: named, message }: Open, report: Report): void {
  if (message.function === named) return;
  report('MESSAGE', `The entry names the function ${named}, its message ${JSON.stringify(message.function)}.`);
}

const isCreated = ({ about }: AnyOperation): boolean => 'creates' in about;

const createdId = (operation: AnyOperation, { signature }: Open, { ledgerId }: Rules): string =>
  createdEntityId(operation, derivedIds(ledgerId, signature ?? ''));

/** The input of the replay; null values if the entry lacks something that the operation needs. */
function replayInput(
  operation: AnyOperation | null,
  publicFacts: unknown,
  facts: Record<string, Json>,
  entry: LedgerEntry,
  report: Report,
): Pick<Meaning, 'operation' | 'publicFacts' | 'references' | 'assigned'> {
  const assigned = operation ? readAssigned(operation, entry, report) : null;
  if (!operation || !assigned) return NOT_READ;
  const references = Object.keys(operation.subjects).flatMap((role) => {
    const field = signedFieldOf(operation, role);
    const reference = field === null ? undefined : valueAt(facts, field);
    return typeof reference === 'string' ? [[role, reference] as const] : [];
  });
  return { operation: operation.name, publicFacts, references: Object.fromEntries(references), assigned };
}

/** The other subjects that the entry must name, and what the service chose; null if one is missing. */
function readAssigned(operation: AnyOperation, { assigned }: LedgerEntry, report: Report): SubjectIds | null {
  const roles = [...Object.keys(assignedIds(operation, {})), ...(operation.assigns ?? [])];
  const present = Object.keys(assigned ?? {});
  const ids = roles.flatMap((role) => {
    const id = assigned?.[role];
    return typeof id === 'string' && id !== '' ? [[role, id] as const] : [];
  });
  const exact =
    ids.length === roles.length && present.length === roles.length && (assigned === undefined || present.length > 0);
  if (!exact) {
    const [has, needs] = [present, roles].map((names) => names.join(', ') || 'no id');
    report('ENTITY', `The entry assigns ${has}, but ${operation.name} assigns ${needs}.`);
  }
  return ids.length === roles.length ? Object.fromEntries(ids) : null;
}

function isSignedByNamedKey({ signer, signature, message }: Open): boolean {
  const bytes = signature === null ? null : signatureBytes(signature);
  if (bytes === null || signer === null || !/^[0-9a-f]{64}$/.test(signer)) return false;
  return verifyNatively(signer, messageBytes(message), bytes);
}

/** Parses the message as the service parsed the request. */
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
      report('MESSAGE', 'The message has more fields than the operation signs.');
    }
    return request;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    report('MESSAGE', `The message could not have been accepted: ${error.message}`);
    return null;
  }
}

/** The institute does not sign: the relayer holds its keys and asserts which one approved the request. */
function meaningOfInstitute(operation: AnyOperation, entry: Open, report: Report): Meaning {
  const { function: _, approver, ...body } = entry.message;
  if (entry.signature !== null || entry.signer !== null) {
    report('USER_SIGNATURE', `The entry has a user signature, but only the institute decides ${entry.function}.`);
  }
  checkFunction(entry, report);
  if (isCreated(operation) && !isFreshId(entry.entity_id)) {
    report('ENTITY', `The id ${entry.entity_id} is not a lower-case UUID, as the institute's entities have.`);
  }
  const named = isApprover(approver) ? approver : null;
  if (named === null)
    report('MESSAGE', `The approver ${JSON.stringify(approver)} is not 1, 2 or 3, the institute’s keys.`);
  const request =
    named === null ? null : readAs(entry.message, report, () => readInstituteRequest(operation, body, named));
  const publicFacts = request ? operation.publicFacts({ ...request, signature: '' }) : null;
  return {
    ...NO_MEANING,
    authority: 'institute',
    ...replayInput(request ? operation : null, publicFacts, entry.message, entry, report),
  };
}

const isApprover = (value: Json | undefined): value is Approver => value === 1 || value === 2 || value === 3;

const isFreshId = (id: string): boolean => isUuid(id) && id === id.toLowerCase();

function meaningOfRelayed(operation: AnyOperation | null, entry: Open, { ledgerId }: Rules, report: Report): Meaning {
  const meaning = { ...NO_MEANING, authority: 'relayer' as const };
  const read = READ_BY_RELAYER.get(entry.function);
  if (!read) {
    if (operation) report('USER_SIGNATURE', `The entry has no user signature, which ${entry.function} needs.`);
    else report('UNKNOWN_FUNCTION', `The relayer alone cannot authorize "${entry.function}".`);
    return meaning;
  }
  const { function: name } = entry;
  const publicFacts = entry.message.function === name ? read(entry.message) : null;
  if (!publicFacts) report('MESSAGE', `The message is not a valid ${name} message.`);
  if (entry.assigned) report('MESSAGE', `A ${name} entry must not assign ids, but this one does.`);
  if (entry.entity_id !== ledgerId) report('ENTITY', `A ${name} entry must be about the ledger, but this one is not.`);
  return { ...meaning, publicFacts };
}

/** What the relayer alone may write; the value reads the message, or returns null. */
const READ_BY_RELAYER: ReadonlyMap<string, (message: Readonly<Record<string, Json>>) => object | null> = new Map<
  string,
  (message: Readonly<Record<string, Json>>) => object | null
>([
  [BEGIN_EPOCH, readEpochBeginning],
  [COMMIT_RELAYER_KEY, readKeyMessage],
  [ROTATE_RELAYER_KEY, readKeyMessage],
]);

function meaningOfSealed(entry: Sealed, rules: Rules, report: Report): Meaning {
  const meaning = { ...NO_MEANING, authority: 'sealed' as Authority };
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
  return { ...meaning, ...replayInput(operation, parsed.data, facts, entry, report), timestamp: time };
}

const NOT_READ = { operation: null, publicFacts: null, references: {}, assigned: {} };
const NO_MEANING = { ...NOT_READ, signatureGood: false, timestamp: null, nonce: null };

function checkKeys(keys: readonly string[], report: Report): void {
  for (const key of keys) {
    if (isKeyHex(key) && isStrictPublicKeyNatively(key)) continue;
    report('KEY', `The key ${key} is not the canonical encoding of a point of prime order.`);
  }
}

const KEY_MEMBERS = new Set(['publicKey', 'newPublicKey', 'public_key']);

/** All public keys in the public part of a sealed entry. */
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

/** 72 bits of a hash: enough to distinguish nonces within ten minutes, in little memory. */
const nonceMark = (signer: string, nonce: string): string =>
  hash('sha256', `${signer}:${nonce}`, 'base64').slice(0, 12);
/** The signed field that names the entity in a role, found by that field or through another entity; null if there is none. */
export function signedFieldOf({ subjects, mustName, fields }: AnyOperation, role: Role): string | null {
  const subject = subjects[role];
  if (subject && 'field' in subject) return subject.field;
  return mustName?.role === role && Object.hasOwn(fields.shape, mustName.field) ? mustName.field : null;
}
