import { type AnyOperation, OPERATIONS } from '../operations.ts';
import { canonicalJson, type Json } from '../signing/canonical-json.ts';
import { decodeSignature, isStrictPublicKey, verifySignature } from '../signing/ed25519.ts';
import { bytesToHex, fromBase64, hexToBytes, utf8ToBytes } from '../signing/encoding.ts';
import { NO_BYTES, type ReadItem, readItem } from './data-item.ts';
import { anchorText, entryTags } from './entry-tags.ts';
import { BEGIN_EPOCH } from './epoch.ts';
import { hexDigest, isItemSignature, itemDigest, itemId, textDigest } from './item-signature.ts';
import { type Link, MAX_LINKS, PROOF_FORMAT, type Proof } from './proof.ts';
import { attempt, type ProvenEntry, readEntry, signedOf } from './proven-entry.ts';
import { COMMIT_RELAYER_KEY, currentKey, keyAt, ROTATE_RELAYER_KEY, type Succession } from './relayer-keys.ts';
import { verifySuccession } from './succession.ts';

export const STEPS = ['item', 'relayer', 'ledger', 'place', 'entry', 'person', 'before', 'after', 'head'] as const;
export type StepName = (typeof STEPS)[number];

/** `unchecked` where the entry has nothing to check; the step's case gives the reason. */
export type Verdict = 'good' | 'bad' | 'unchecked';

/** The values that a step compared, as text: hex, base64url, numbers or canonical JSON. */
export type Fact =
  | 'bytes'
  | 'statedId'
  | 'computedId'
  | 'relayerKey'
  | 'owner'
  | 'digest'
  | 'signature'
  | 'ledgerId'
  | 'keyDigest'
  | 'anchor'
  | 'computedAnchor'
  | 'function'
  | 'entity'
  | 'acceptedAt'
  | 'seq'
  | 'tags'
  | 'signer'
  | 'message'
  | 'sealed'
  | 'prev'
  | 'lastId'
  | 'headId'
  | 'headSeq'
  | 'at';

export interface Step {
  readonly name: StepName;
  readonly verdict: Verdict;
  /** The result in detail: selects the sentence that the page shows for the step. */
  readonly case: Case;
  readonly facts: readonly (readonly [Fact, string])[];
  /** Only for the step `after`: the number of links checked, and of all links. */
  readonly checked?: number;
  readonly of?: number;
}

export type Case =
  | 'good'
  | 'bad'
  | 'rotated'
  | 'malformed'
  | 'sealed'
  | 'institute'
  | 'relayer'
  | 'unsigned'
  | 'foreign'
  | 'first'
  | 'newest'
  | 'part'
  | 'short'
  | 'apart';

/** Reported between two steps while the links after the entry are checked. */
export interface Progress {
  readonly name: 'after';
  readonly verdict: 'running';
  readonly checked: number;
  readonly of: number;
}

/** Whether an operation with this function meets a condition. */
const hasOperation = (name: string, matches: (operation: AnyOperation) => boolean): boolean =>
  OPERATIONS.some((operation) => operation.function === name && matches(operation));

/** Progress is reported after this number of links. */
const LINKS_PER_REPORT = 8;

/**
 * Checks a proof step by step, using only its content. Stops early if the item or the entry is malformed.
 * The caller must compare `relayer_public_key` with the key it trusts.
 */
export function* checkProof(proof: Proof): Generator<Step | Progress> {
  if (proof.format !== PROOF_FORMAT) {
    yield malformed('item');
    return;
  }
  const succession = successionOf(proof);
  const entry = yield* checkEntry(proof, succession);
  if (!entry) return;
  const keyOf: KeyOf = (seq) => (succession ? keyAt(succession, seq) : proof.relayer_public_key);
  yield beforeStep(proof, entry, keyOf);
  const end = yield* afterSteps(proof, entry, keyOf);
  yield headStep(proof, entry, end);
}

/** An entry as a proof or a receipt states it; `relayer_public_key` is the last of the keys that `relayer_keys` show. */
export type StatedEntry = Pick<Proof, 'id' | 'item' | 'relayer_public_key' | 'relayer_keys' | 'ledger_id'>;

/**
 * Checks what one entry states of itself: that the relayer signed it for this ledger and place, and the signature of the person.
 * Returns the entry, whatever the steps found; null if the item or the entry is malformed.
 * @param succession the relayer's keys, if they are verified already
 */
export function* checkEntry(
  stated: StatedEntry,
  succession: Succession | null = successionOf(stated),
): Generator<Step, ProvenEntry | null> {
  const read = readStatedItem(stated);
  yield read.step;
  if (!read.item) return null;
  const { item } = read;
  const entry = readEntry(item);
  yield relayerStep(entry && succession ? keyAt(succession, entry.seq) : stated.relayer_public_key, item);
  yield ledgerStep(stated, succession);
  if (!entry) {
    yield malformed('entry');
    return null;
  }
  yield placeStep(item, entry);
  yield entryStep(item, entry);
  yield personStep(stated, entry);
  return entry;
}

/* The item ------------------------------------------------------------------------------------------------------- */

function readStatedItem({ id, item: encoded }: StatedEntry): { step: Step; item: ReadItem | null } {
  const bytes = fromBase64(encoded);
  const item = bytes && attempt(() => readItem(bytes));
  if (item?.signatureType !== 2 || item.target.byteLength > 0 || item.anchor.byteLength !== 32) {
    return { step: malformed('item'), item: null };
  }
  const computed = itemId(item.signature);
  const facts: Step['facts'] = [
    ['bytes', String(bytes?.byteLength)],
    ['statedId', id],
    ['computedId', computed],
  ];
  return { step: stepOf('item', computed === id, facts), item };
}

/* The relayer's keys --------------------------------------------------------------------------------------------- */

/** The keys that signed the entries of this ledger, up to the stated one; null if the proof does not show that. */
function successionOf({ ledger_id, relayer_public_key: key, relayer_keys = [] }: StatedEntry): Succession | null {
  return attempt(() => {
    const items = relayer_keys.map((item) => fromBase64(item) ?? NO_BYTES);
    const succession = verifySuccession(ledger_id, items, key.toLowerCase());
    return currentKey(succession) === key.toLowerCase() ? succession : null;
  });
}

/** The key that must have signed the entry with a seq. */
type KeyOf = (seq: number) => string;

function relayerStep(key: string, item: ReadItem): Step {
  const owner = bytesToHex(item.owner);
  const signed = signedOf(item);
  const good = owner === key && isStrictPublicKey(key) && isItemSignature(signed, item.signature);
  return stepOf('relayer', good, [
    ['relayerKey', key],
    ['owner', owner],
    ['digest', bytesToHex(itemDigest(signed))],
  ]);
}

function ledgerStep({ relayer_public_key: key, ledger_id }: StatedEntry, succession: Succession | null): Step {
  const first = succession ? succession.keys[0].publicKey : key;
  const digest = isStrictPublicKey(first) ? hexDigest(hexToBytes(first.toLowerCase())) : '';
  const step = stepOf('ledger', succession !== null && digest === ledger_id, [
    ['ledgerId', ledger_id],
    ['keyDigest', digest],
  ]);
  return step.verdict === 'good' && succession && succession.keys.length > 1 ? { ...step, case: 'rotated' } : step;
}

/* The entry ------------------------------------------------------------------------------------------------------ */

function placeStep(item: ReadItem, { prev, seq }: ProvenEntry): Step {
  const anchor = bytesToHex(item.anchor);
  const computed = bytesToHex(textDigest(anchorText(prev, seq)));
  return stepOf('place', anchor === computed, [
    ['seq', String(seq)],
    ['prev', prev ?? '–'],
    ['anchor', anchor],
    ['computedAnchor', computed],
  ]);
}

function entryStep(item: ReadItem, entry: ProvenEntry): Step {
  const tags = canonicalJson(item.tags);
  const good = entry.canonical === entry.text && tags === canonicalJson(entryTags(entry));
  return stepOf('entry', good, [
    ['function', entry.function],
    ['entity', entry.entity_id],
    ['acceptedAt', entry.accepted_at],
    ['tags', item.tags.map(({ name, value }) => `${name}: ${value}`).join('\n')],
  ]);
}

/* The person ----------------------------------------------------------------------------------------------------- */

function personStep({ ledger_id }: StatedEntry, entry: ProvenEntry): Step {
  const { function: name, message, signature, signer, sealed } = entry;
  if (message === null || sealed !== null) return sealedStep(entry);
  if (message.function !== name) return person('bad', 'bad', [['message', canonicalJson(message)]]);
  if (signature === null || signer === null) return unsignedStep(entry, message);
  const bytes = decodeSignature(signature);
  const canonical = canonicalJson(message);
  if (message.ledgerId !== undefined && String(message.ledgerId).toLowerCase() !== ledger_id) {
    return person('bad', 'foreign', [
      ['ledgerId', ledger_id],
      ['message', canonical],
    ]);
  }
  const good = bytes !== null && isStrictPublicKey(signer) && verifySignature(signer, utf8ToBytes(canonical), bytes);
  return person(good ? 'good' : 'bad', good ? 'good' : 'bad', [
    ['signer', signer],
    ['message', canonical],
    ['signature', signature],
  ]);
}

function sealedStep({ function: name, signature, signer, sealed }: ProvenEntry): Step {
  if (signature !== null || sealed === null || !hasOperation(name, ({ sealed: trait }) => trait !== undefined))
    return person('bad', 'unsigned', []);
  return person('unchecked', 'sealed', [['sealed', sealed], ...(signer ? [['signer', signer] as const] : [])]);
}

function unsignedStep(
  { function: name, signature, signer }: ProvenEntry,
  message: Readonly<Record<string, Json>>,
): Step {
  const facts = [['message', canonicalJson(message)]] as const;
  if (signature !== null || signer !== null) return person('bad', 'unsigned', facts);
  if (name === BEGIN_EPOCH || name === COMMIT_RELAYER_KEY || name === ROTATE_RELAYER_KEY)
    return person('unchecked', 'relayer', facts);
  if (hasOperation(name, ({ signer: authority }) => authority === 'institute'))
    return person('unchecked', 'institute', facts);
  return person('bad', 'unsigned', facts);
}

const person = (verdict: Verdict, which: Case, facts: Step['facts']): Step => ({
  name: 'person',
  verdict,
  case: which,
  facts,
});

/* The chain ------------------------------------------------------------------------------------------------------ */

function beforeStep({ before }: Proof, { prev, seq }: ProvenEntry, keyOf: KeyOf): Step {
  if (before === null) {
    const isFirst = prev === null && seq === 1;
    return { name: 'before', verdict: isFirst ? 'good' : 'bad', case: isFirst ? 'first' : 'bad', facts: [] };
  }
  const id = linkedId(keyOf(seq - 1), before, before.prev, seq - 1);
  return stepOf('before', id !== null && id === prev, [
    ['prev', prev ?? '–'],
    ['computedId', id ?? '–'],
  ]);
}

/** The id of the entry of a link if the relayer signed it after `prev` as number `seq`, else null. */
function linkedId(key: string, { signature, tags, data }: Link, prev: string | null, seq: number): string | null {
  const [signed, tagsDigest, dataDigest] = [signature, tags, data].map(fromBase64);
  if (!signed || tagsDigest?.length !== 48 || dataDigest?.length !== 48) return null;
  const anchor = textDigest(anchorText(prev, seq));
  return isItemSignature({ owner: key, anchor, tagsDigest, dataDigest }, signed) ? itemId(signed) : null;
}

type End = { readonly id: string; readonly seq: number } | null;

function* afterSteps(proof: Proof, entry: ProvenEntry, keyOf: KeyOf): Generator<Step | Progress, End> {
  const { after, head, id } = proof;
  let last = { id, seq: entry.seq };
  for (const [index, link] of after.entries()) {
    const next = linkedId(keyOf(last.seq + 1), link, last.id, last.seq + 1);
    if (next === null) {
      yield { ...afterStep('bad', 'bad', last, index), of: after.length };
      return null;
    }
    last = { id: next, seq: last.seq + 1 };
    if ((index + 1) % LINKS_PER_REPORT === 0)
      yield { name: 'after', verdict: 'running', checked: index + 1, of: after.length };
  }
  const [verdict, which] = endOfLinks(head.seq - last.seq, after.length);
  yield { ...afterStep(verdict, which, last, after.length), of: after.length };
  return verdict === 'bad' ? null : last;
}

/** A proof may end before the head only if it has the maximum number of links. */
function endOfLinks(missing: number, length: number): [Verdict, Case] {
  if (missing < 0 || length > MAX_LINKS || (missing > 0 && length < MAX_LINKS)) return ['bad', 'short'];
  if (missing > 0) return ['good', 'part'];
  return length === 0 ? ['unchecked', 'newest'] : ['good', 'good'];
}

const afterStep = (verdict: Verdict, which: Case, last: { id: string; seq: number }, checked: number): Step => ({
  name: 'after',
  verdict,
  case: which,
  facts: [
    ['seq', String(last.seq)],
    ['lastId', last.id],
  ],
  checked,
});

function headStep({ head, ledger_id, relayer_public_key: key }: Proof, entry: ProvenEntry, end: End): Step {
  const { signature, epoch, seq, id, at } = head;
  const bytes = decodeSignature(signature);
  const text = attempt(() => canonicalJson({ ledger_id, epoch, seq, id, at }));
  const signed = text !== null && bytes !== null && verifySignature(key, utf8ToBytes(text), bytes);
  const apart = end !== null && end.seq !== seq;
  const good = signed && end !== null && epoch >= entry.epoch && (apart || end.id === id);
  return {
    name: 'head',
    verdict: good ? 'good' : 'bad',
    case: good && apart ? 'apart' : good ? 'good' : 'bad',
    facts: [
      ['headSeq', String(seq)],
      ['headId', id],
      ['at', at],
    ],
  };
}

/* ---------------------------------------------------------------------------------------------------------------- */

const stepOf = (name: StepName, good: boolean, facts: Step['facts']): Step => ({
  name,
  verdict: good ? 'good' : 'bad',
  case: good ? 'good' : 'bad',
  facts,
});

const malformed = (name: StepName): Step => ({ name, verdict: 'bad', case: 'malformed', facts: [] });
