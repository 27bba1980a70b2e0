// Checks offline that an operation is on a ledger of Perpetua. Needs only Node 20 or later, and is meant to be read before it is run.
//
//   node check-proof.mjs FILE.tlog-proof --log VKEY [--witness VKEY ... --quorum N]
//   node check-proof.mjs FILE.json [RELAYER_PUBLIC_KEY]
//
// A .tlog-proof (c2sp.org/tlog-proof) shows that the operation is in the transparency log. A .json shows the chain of entries around
// an operation that is not in the log yet. Part 1 has the encodings and signatures, 2 the entry, 3 the log, 4 the chain, 5 the command.

import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const USAGE = `Usage: node check-proof.mjs FILE.tlog-proof --log VKEY [--witness VKEY ... --quorum N]
       node check-proof.mjs FILE.json [RELAYER_PUBLIC_KEY]

Checks offline that an operation is on a ledger. Get the keys from a source that you trust, not with the file.

  --log VKEY       the key of the log: checkpoint_key of GET /api/ledger
  --witness VKEY   the key of a witness; repeat it for each
  --quorum N       how many of these witnesses must have cosigned; by default all

Exit status: 0 valid, 1 not valid, 2 not checked.`;

let failures = 0;

/** Prints the result of a check. The texts of other people must not control the terminal, so control characters are escaped. */
function step(passed, text) {
  const control = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
  const shown = text.replace(control, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
  console.log(passed ? 'ok  ' : 'FAIL', shown);
  if (!passed) failures += 1;
}

/** Ends the check, because the rest of the file cannot be read. */
class Unreadable extends Error {}

function ensure(condition, problem) {
  if (!condition) throw new Unreadable(problem);
}

/** Ends the program with status 2: what was given cannot be used for a check. */
class WrongUse extends Error {}

/* 1. Encodings and signatures -------------------------------------------------------------------------------------- */

const digest = (algorithm, ...parts) => {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const sha256 = (...parts) => digest('sha256', ...parts);
const sha384 = (...parts) => digest('sha384', ...parts);

/** RFC 4648 §4, only the one canonical form. */
function fromBase64(text, what) {
  const bytes = Buffer.from(text, 'base64');
  ensure(bytes.toString('base64') === text, `${what} is not base64`);
  return bytes;
}

function fromHex(text, what) {
  ensure(typeof text === 'string' && /^[0-9a-fA-F]{64}$/.test(text), `${what} is not 64 hex characters`);
  return Buffer.from(text, 'hex');
}

function fromDecimal(text, what) {
  ensure(/^(0|[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(Number(text)), `${what} is not a decimal number`);
  return Number(text);
}

/** Canonical JSON, RFC 8785. */
function canonical(value) {
  if (typeof value === 'string') ensure(value.isWellFormed(), 'a text is not Unicode');
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${canonical(name)}:${canonical(value[name])}`).join(',')}}`;
}

/* Under some 32 bytes that look like a key, one signature fits every message, or one signer has several keys. A key is therefore
   accepted only if it encodes a point of prime order, in the one canonical form: RFC 8032 §5.1.1 to §5.1.4. */

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

const modulo = (number) => ((number % P) + P) % P;

function power(base, exponent) {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = modulo(result * result);
    if (bit === '1') result = modulo(result * base);
  }
  return result;
}

const inverse = (number) => power(modulo(number), P - 2n);
const D = modulo(-121665n * inverse(121666n));

/** The point that 32 bytes encode, or null. A point is [X, Y, Z, T] with x = X/Z, y = Y/Z, x·y = T/Z. */
function decodePoint(bytes) {
  const number = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
  const [sign, y] = [number >> 255n, number & (2n ** 255n - 1n)];
  if (y >= P) return null;
  const xSquared = modulo((y * y - 1n) * inverse(D * y * y + 1n));
  let x = power(xSquared, (P + 3n) / 8n);
  if (modulo(x * x - xSquared) !== 0n) x = modulo(x * power(2n, (P - 1n) / 4n));
  if (modulo(x * x - xSquared) !== 0n || (x === 0n && sign === 1n)) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, modulo(x * y)];
}

function addPoints([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = modulo((y1 - x1) * (y2 - x2));
  const b = modulo((y1 + x1) * (y2 + x2));
  const c = modulo(2n * D * t1 * t2);
  const d = modulo(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [modulo(e * f), modulo(g * h), modulo(f * g), modulo(e * h)];
}

const isIdentity = ([x, y, z]) => x === 0n && y === z;

function hasPrimeOrder(key) {
  const point = decodePoint(key);
  if (point === null || isIdentity(point)) return false;
  let multiple = [0n, 1n, 1n, 0n];
  for (const bit of ORDER.toString(2)) {
    multiple = addPoints(multiple, multiple);
    if (bit === '1') multiple = addPoints(multiple, point);
  }
  return isIdentity(multiple);
}

const strongKeys = new Map();

function isStrong(key) {
  const hex = key.toString('hex');
  if (!strongKeys.has(hex)) strongKeys.set(hex, hasPrimeOrder(key));
  return strongKeys.get(hex);
}

/** No signer produces a signature that begins with this point, and Node's versions disagree about it. */
const IDENTITY = Buffer.from(`01${'00'.repeat(31)}`, 'hex');

/** Whether a signature of 64 bytes by a key of 32 bytes is valid: RFC 8032 §5.1.7. */
function isSigned(key, message, signature) {
  if (key.length !== 32 || signature.length !== 64 || !isStrong(key)) return false;
  if (signature.subarray(0, 32).equals(IDENTITY)) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
  return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
}

/* 2. The entry: what the relayer signed, and what the person signed ------------------------------------------------ */

/** Operations that show a digest instead of their message, because it contains something private. */
const SEALED = ['createBEO', 'updateRecovery', 'inviteGuardian', 'submitRecords'];
/** Operations that the institute decides, and entries that the relayer writes for itself: no person signs them. */
const INSTITUTE = ['openProposal', 'approveProposal', 'updateCertification'];
const RELAYER = ['beginEpoch', 'commitRelayerKey', 'rotateRelayerKey'];

const MEMBERS = 'v epoch seq prev accepted_at function entity_id signer signature message sealed public assigned'.split(
  ' ',
);

/** A data item of ANS-104: signature type 2 (Ed25519), no target, an anchor of 32 bytes. Numbers are little-endian. */
function readItem(bytes) {
  const isKnown = bytes.length > 148 && bytes.readUInt16LE(0) === 2 && bytes[98] === 0 && bytes[99] === 1;
  ensure(isKnown, 'the data item is not one of Ed25519 with an anchor');
  const endOfTags = 148n + bytes.readBigUInt64LE(140);
  ensure(endOfTags <= BigInt(bytes.length), 'the data item is cut off');
  return {
    signature: bytes.subarray(2, 66),
    owner: bytes.subarray(66, 98),
    anchor: bytes.subarray(100, 132),
    numberOfTags: bytes.readBigUInt64LE(132),
    tags: bytes.subarray(148, Number(endOfTags)),
    data: bytes.subarray(Number(endOfTags)),
  };
}

/** The items of a bundle of ANS-104: their number, for each its length and id, then the items. A number has 32 bytes. */
function readBundle(bytes) {
  let at = 0;
  const take = (length) => {
    ensure(length <= bytes.length - at, 'the bundle is cut off');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const takeNumber = () => {
    const field = take(32);
    ensure(
      field.subarray(6).every((byte) => byte === 0),
      'a number in the bundle is too large',
    );
    return field.readUIntLE(0, 6);
  };
  const count = takeNumber();
  ensure(count > 0 && count <= 1_001, 'the bundle does not have 1 to 1001 items');
  const index = Array.from({ length: count }, () => ({ length: takeNumber(), id: take(32).toString('base64url') }));
  const items = index.map(({ length }) => take(length));
  const haveTheirIds = items.every((item, number) => idOf(readItem(item).signature) === index[number].id);
  ensure(haveTheirIds && at === bytes.length, 'the bundle does not have the items of its index');
  return items;
}

const idOf = (signature) => sha256(signature).toString('base64url');

/** The deep hash of ANS-104: of one part, and of the list of parts that the relayer signs, of which the last two are given as hashes. */
const hashOfPart = (part) => sha384(sha384(`blob${part.length}`), sha384(part));

function hashOfItem(owner, anchor, hashOfTags, hashOfData) {
  const parts = ['dataitem', '1', '2', owner, '', anchor].map((part) => hashOfPart(Buffer.from(part)));
  return [...parts, hashOfTags, hashOfData].reduce((hash, part) => sha384(hash, part), sha384('list8'));
}

/** The anchor of an entry: it fits only the place with this number after the entry `prev`. */
const anchorOf = (prev, seq) => sha256(`${prev ?? ''}:${seq}`);

/** The tags of an entry as ANS-104 encodes them: Avro, each length as a zigzag varint. */
function encodeTags({ function: name, entity_id: entity, seq }) {
  const tags = [
    ['App-Name', 'Perpetua'],
    ['App-Version', '1'],
    ['Content-Type', 'application/json'],
    ['Function', name],
    ['Entity-Id', entity],
    ['Seq', String(seq)],
  ];
  const length = (size) => Buffer.from(size < 64 ? [size * 2] : [((size * 2) & 127) | 128, size >> 6]);
  const texts = tags.flat().map((text) => Buffer.from(text));
  return Buffer.concat([length(tags.length), ...texts.flatMap((text) => [length(text.length), text]), length(0)]);
}

function readEntry(data) {
  const entry = JSON.parse(data.toString());
  const isKnown = entry?.v === 1 && Object.keys(entry).every((name) => MEMBERS.includes(name));
  ensure(isKnown, 'the data item does not contain an entry');
  const { seq, epoch, prev, function: name, entity_id: entity, accepted_at: at } = entry;
  const hasNumbers = [seq, epoch].every((number) => Number.isSafeInteger(number) && number > 0);
  const hasTexts = [name, entity, at].every((text) => typeof text === 'string' && text !== '');
  ensure(hasNumbers && hasTexts, 'the entry has no place, function, subject or time');
  const { signer, signature, message, sealed, public: shown } = entry;
  const hasOthers = [prev, signer, signature].every((text) => text === null || typeof text === 'string');
  const isOpen = isObject(message) && sealed === undefined && shown === undefined;
  const hasDigest = typeof sealed === 'string' && /^[0-9a-f]{64}$/.test(sealed);
  const isSealed = hasDigest && isObject(shown) && message === undefined;
  ensure(hasOthers && (isOpen || isSealed), 'the entry has neither the form of an open nor that of a sealed one');
  return entry;
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The key that the relayer had at a place; `keys` is the result of checkKeys. */
const keyAt = (keys, seq) => keys.findLast(({ from }) => from <= seq).key;

/** Checks an entry of the ledger with this id. @returns the entry and its id */
function checkEntry(itemBytes, ledgerId, keys) {
  const item = readItem(itemBytes);
  const { owner, signature, anchor, tags, data } = item;
  const id = idOf(signature);
  const entry = readEntry(data);
  const { function: name, entity_id: entity, seq, prev } = entry;
  step(true, `the entry ${id} has ${itemBytes.length} bytes; its id is the SHA-256 of its signature`);
  step(owner.equals(keyAt(keys, seq)), `the relayer had the key ${owner.toString('hex')} at this place`);
  const signed = hashOfItem(owner, anchor, hashOfPart(tags), hashOfPart(data));
  step(isSigned(owner, signed, signature), 'the relayer signed it');
  step(anchor.equals(anchorOf(prev, seq)), `its place is ${seq}, after ${prev}`);
  step(data.equals(Buffer.from(canonical(entry))), `it was accepted at ${entry.accepted_at}; it is canonical JSON`);
  const hasItsTags = item.numberOfTags === 6n && tags.equals(encodeTags(entry));
  step(hasItsTags, `its tags are those of the entry: ${name} ${entity}`);
  checkPerson(entry, ledgerId);
  return { id, entry };
}

/** Checks the signature of the person or institution, if the entry shows one. */
function checkPerson({ function: name, message, signer, signature, sealed }, ledgerId) {
  if (sealed !== undefined) {
    const isAllowed = SEALED.includes(name) && signature === null;
    step(isAllowed, `sealed: ${sealed} is the SHA-256 of a salt, a signature and a message`);
    return;
  }
  if (signature === null) {
    const isAllowed = [...INSTITUTE, ...RELAYER].includes(name) && signer === null && message.function === name;
    step(isAllowed, `only the relayer signs this function: ${canonical(message)}`);
    return;
  }
  const { ledgerId: named = ledgerId } = message;
  const isForLedger = String(named).toLowerCase() === ledgerId;
  const key = fromHex(signer, 'the key of the signer');
  const isGood = isSigned(key, Buffer.from(canonical(message)), fromBase64(signature, 'the signature of the signer'));
  step(isGood && isForLedger && message.function === name, `${signer} signed ${canonical(message)}`);
}

/**
 * Checks the keys that the relayer had, from the first one on, with the entries that changed the key (docs/transparency.md): a key is
 * committed to the digest of the next one, so that a thief of a key cannot choose the next.
 * @returns the keys, and from which place on each signed
 */
function checkKeys(firstKey, items, ledgerId) {
  const isOfLedger = sha256(firstKey).toString('hex') === ledgerId;
  step(isOfLedger, `the ledger ${ledgerId} began with the relayer key ${firstKey.toString('hex')}`);
  const keys = [{ key: firstKey, from: 1 }];
  const digests = [ledgerId];
  let commitment = null;
  let last = 0;
  for (const item of items) {
    const { entry } = checkEntry(item, ledgerId, keys);
    const { function: name, seq, message } = entry;
    const { ledgerId: named, nextKeyDigest: next, newKey, possession, ...others } = message ?? {};
    const current = keys.at(-1).key.toString('hex');
    const isForm = named === ledgerId && entry.entity_id === ledgerId && entry.assigned === undefined;
    const isNew = /^[0-9a-f]{64}$/.test(next) && !digests.includes(next) && others.function === name;
    let isAllowed = isForm && isNew && Object.keys(others).length === 1 && seq > last;
    if (name === 'commitRelayerKey') {
      isAllowed &&= commitment === null && newKey === undefined && possession === undefined;
      step(isAllowed, `entry ${seq} commits the relayer's key to a next one with the SHA-256 ${next}`);
    } else {
      const key = fromHex(newKey, 'the new relayer key');
      const digest = sha256(key).toString('hex');
      const accepted = { function: 'acceptRelayerKey', ledgerId, currentKey: current, newKey, nextKeyDigest: next };
      const signature = fromBase64(possession, 'the possession of the new relayer key');
      const isCommitted = name === 'rotateRelayerKey' && digest === commitment && next !== digest;
      isAllowed &&= isCommitted && isSigned(key, Buffer.from(canonical(accepted)), signature);
      step(isAllowed, `entry ${seq} replaces the relayer's key with ${newKey}, to which it was committed`);
      keys.push({ key, from: seq + 1 });
      digests.push(digest);
    }
    commitment = next;
    last = seq;
  }
  return keys;
}

/* 3. The log: the entry is in a tree whose root was signed and cosigned -------------------------------------------- */

const LOG_KEY = 1;
const WITNESS_KEY = 4;

/** A verifier key of C2SP signed-note: <name>+<key id>+<base64 of the type and the key>. */
function readVerifierKey(text, type) {
  const [, name, keyId, encoded] = /^([^+\p{White_Space}]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text) ?? [];
  const bytes = Buffer.from(encoded ?? '', 'base64');
  const key = bytes.subarray(1);
  if (bytes.length !== 33 || bytes.toString('base64') !== encoded) throw new WrongUse(`Not a verifier key: ${text}`);
  if (bytes[0] !== type) throw new WrongUse(`Not a key of a ${type === LOG_KEY ? 'log' : 'witness'}: ${text}`);
  if (!sha256(`${name}\n`, bytes).toString('hex').startsWith(keyId)) throw new WrongUse(`Wrong key id: ${text}`);
  if (!isStrong(key)) throw new WrongUse(`Not an Ed25519 key of prime order: ${text}`);
  return { name, keyId, key };
}

/** Whose signatures a checkpoint needs. A public key that is given twice, under whatever name, would count twice. */
function readPolicy({ log = [], witness = [], quorum = String(witness.length) }) {
  if (log.length !== 1) throw new WrongUse('Give the key of the log, once: --log VKEY.');
  const policy = {
    log: readVerifierKey(log[0], LOG_KEY),
    witnesses: witness.map((text) => readVerifierKey(text, WITNESS_KEY)),
    quorum: Number(quorum),
  };
  const keys = [policy.log, ...policy.witnesses].map(({ key }) => key.toString('hex'));
  if (new Set(keys).size < keys.length) throw new WrongUse('One public key is given twice.');
  if (!/^[0-9]{1,3}$/.test(quorum) || policy.quorum > witness.length) {
    throw new WrongUse(`--quorum ${quorum}: ${witness.length} witnesses are given.`);
  }
  return policy;
}

/** A signed note (C2SP signed-note): the text ends before the last empty line, signatures follow it. */
function readNote(note) {
  const end = note.lastIndexOf('\n\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: notes must not contain them
  const isPlain = !/[\x00-\x09\x0b-\x1f]/.test(note);
  ensure(end !== -1 && note.endsWith('\n') && isPlain, 'the checkpoint is not a signed note');
  const lines = note.slice(end + 2, -1).split('\n');
  ensure(lines.length <= 100, 'the checkpoint has more than 100 signatures');
  const signatures = lines.map((line) => {
    const [, name, encoded] = /^\u2014 ([^+\p{White_Space}]+) ([A-Za-z0-9+/=]+)$/u.exec(line) ?? [];
    ensure(name !== undefined, 'a line below the checkpoint is not a signature');
    const bytes = fromBase64(encoded, 'a signature of the checkpoint');
    ensure(bytes.length > 4, 'a signature of the checkpoint is too short');
    return { name, keyId: bytes.toString('hex', 0, 4), bytes: bytes.subarray(4) };
  });
  return { text: note.slice(0, end + 1), signatures };
}

/** The signatures of a note by a key. The name and the id together name a key; all others are ignored. */
const signaturesBy = ({ signatures }, key) =>
  signatures.filter(({ name, keyId }) => name === key.name && keyId === key.keyId).map(({ bytes }) => bytes);

/** Checks the signatures of a checkpoint (C2SP tlog-checkpoint, tlog-cosignature). @returns its size and root */
function checkCheckpoint(noteText, { log, witnesses, quorum }) {
  const note = readNote(noteText);
  const [origin, size, root, ...extensions] = note.text.slice(0, -1).split('\n');
  ensure(origin && size && root && !extensions.includes(''), 'the checkpoint has no origin, size and root');
  const checkpoint = { size: fromDecimal(size, 'the size of the tree'), root: fromBase64(root, 'the root') };
  ensure(checkpoint.root.length === 32, 'the root is not 32 bytes');
  step(origin === log.name, `the checkpoint is of the log ${origin}, when it had ${size} entries`);

  const own = signaturesBy(note, log);
  const isSignedByLog = own.length > 0 && own.every((bytes) => isSigned(log.key, Buffer.from(note.text), bytes));
  step(isSignedByLog, 'the log signed it');

  const cosigned = [];
  for (const witness of witnesses) {
    const times = signaturesBy(note, witness).map((bytes) => cosignedAt(note.text, witness, bytes));
    if (times.includes(null)) step(false, `the cosignature of ${witness.name} does not verify`);
    else if (times.length > 0) cosigned.push(`${witness.name} at ${times.at(-1)}`);
  }
  const found = `${cosigned.length} of ${witnesses.length} given witnesses cosigned it, ${quorum} are required`;
  step(cosigned.length >= quorum, [found, ...cosigned].join('; '));
  return checkpoint;
}

/** The time of a cosignature, or null if it does not verify: eight bytes with the seconds since 1970, then the signature. */
function cosignedAt(text, witness, bytes) {
  if (bytes.length !== 72) return null;
  const seconds = bytes.readBigUInt64BE(0);
  const message = Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);
  if (seconds > 2n ** 53n - 1n || !isSigned(witness.key, message, bytes.subarray(8))) return null;
  const time = new Date(Number(seconds) * 1000);
  return Number.isNaN(time.getTime()) ? `${seconds} s after 1970` : time.toISOString();
}

/** The root to which the hashes lead from a leaf, or null: RFC 9162 §2.1.3.2, whose fn and sn are `node` and `last`. */
function rootFrom(leaf, index, size, hashes) {
  const join = (left, right) => sha256(Buffer.of(1), left, right);
  const half = (number) => Math.floor(number / 2);
  let [node, last, hash] = [index, size - 1, leaf];
  if (index >= size) return null;
  for (const sibling of hashes) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      hash = join(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      hash = join(hash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? hash : null;
}

/** Checks a proof of C2SP tlog-proof whose extra data is the entry. */
function checkInclusion(file, policy) {
  const end = file.indexOf('\n\n');
  ensure(end !== -1, 'the file has no checkpoint');
  const [version, extra, index, ...lines] = file.slice(0, end).split('\n');
  ensure(version === 'c2sp.org/tlog-proof@v1', 'the first line is not c2sp.org/tlog-proof@v1');
  ensure(extra?.startsWith('extra '), 'the second line is not the entry');
  ensure(index?.startsWith('index '), 'the third line is not the index');
  ensure(lines.length <= 63, 'the proof has more than 63 hashes');
  const data = fromBase64(extra.slice('extra '.length), 'the entry');
  const place = fromDecimal(index.slice('index '.length), 'the index');
  const hashes = lines.map((line) => fromBase64(line, 'a hash of the proof'));
  ensure(
    hashes.every(({ length }) => length === 32),
    'a hash of the proof is not 32 bytes',
  );

  const { size, root } = checkCheckpoint(file.slice(end + 2), policy);
  const [, ledgerId] = /^perpetua\/([0-9a-f]{64})$/.exec(policy.log.name) ?? [];
  ensure(ledgerId !== undefined, `${policy.log.name} is not the log of a ledger`);
  // After a change of the relayer's key, the entry comes after those that changed it.
  const isBundle = data.length >= 32 && data.subarray(2, 32).every((byte) => byte === 0);
  const items = isBundle ? readBundle(data) : [data];
  ensure(!isBundle || items.length > 1, 'the extra data is a bundle of one entry');
  const keys = checkKeys(readItem(items[0]).owner, items.slice(0, -1), ledgerId);
  const { id, entry } = checkEntry(items.at(-1), ledgerId, keys);
  const isByLast = readItem(items.at(-1)).owner.equals(keys.at(-1).key);
  if (isBundle) step(isByLast, 'these changes of the key lead to the one that signed the entry');
  step(entry.seq === place + 1, `its index in the log is ${place}, the one of entry ${place + 1}`);
  const leaf = sha256(Buffer.of(0), Buffer.from(id, 'base64url'));
  const isIncluded = rootFrom(leaf, place, size, hashes)?.equals(root) ?? false;
  step(isIncluded, `the ${hashes.length} hashes lead from it to the root of the ${size} entries`);
}

/* 4. The chain: the relayer signed the entries before and after it ------------------------------------------------- */

const MOST_LINKS = 1_000;

/** The id of the entry of a link, if the relayer signed it in this place. A link has the hashes of the tags and of the data. */
function idOfLink(link, keys, prev, seq) {
  const relayer = keyAt(keys, Math.max(seq, 1));
  const [signature, tags, data] = [link.signature, link.tags, link.data].map((text) => fromBase64(text, 'a link'));
  if (tags.length !== 48 || data.length !== 48) return null;
  const signed = hashOfItem(relayer, anchorOf(prev, seq), tags, data);
  return isSigned(relayer, signed, signature) ? idOf(signature) : null;
}

/** Checks a proof of the format perpetua-proof-1 (docs/audit.md). */
function checkChain(proof, expected) {
  ensure(proof.format === 'perpetua-proof-1', 'the format is not perpetua-proof-1');
  const { relayer_public_key: stated, ledger_id: ledgerId, before, after, head, network } = proof;
  const relayer = fromHex(stated, 'the relayer key');
  step(stated === (expected ?? stated), `the relayer key is ${stated}`);
  const changes = (proof.relayer_keys ?? []).map((text) => fromBase64(text, 'a change of the relayer key'));
  const keys = checkKeys(changes.length > 0 ? readItem(changes[0]).owner : relayer, changes, ledgerId);
  step(keys.at(-1).key.equals(relayer), 'the last of these keys is the one of the proof');
  const { id, entry } = checkEntry(fromBase64(proof.item, 'the item'), ledgerId, keys);
  step(proof.id === id, `the proof is for ${proof.id}`);

  const isFirst = entry.seq === 1 && entry.prev === null;
  const idBefore = before && idOfLink(before, keys, before.prev, entry.seq - 1);
  const isAfter = idBefore !== null && idBefore === entry.prev;
  step(before ? isAfter : isFirst, before ? 'the entry before it is the one it names' : 'it is the first entry');

  let last = id;
  let { seq } = entry;
  for (const link of after.slice(0, MOST_LINKS)) {
    last = idOfLink(link, keys, last, seq + 1);
    if (last === null) break;
    seq += 1;
  }
  const isWhole = seq === head.seq ? last === head.id : seq < head.seq && after.length === MOST_LINKS;
  const followers = `${after.length} entries follow it in one chain, to ${seq} of ${head.seq}`;
  const isNewest = entry.seq === head.seq;
  const isUnbroken = last !== null && after.length <= MOST_LINKS && isWhole;
  step(isUnbroken, isNewest ? 'it is the newest entry: none follows yet' : followers);

  const { signature, ...place } = head;
  const signed = Buffer.from(canonical({ ledger_id: ledgerId, ...place }));
  const isHead = isSigned(relayer, signed, fromBase64(signature, 'the signature of the head'));
  step(
    isHead && head.epoch >= entry.epoch,
    `the relayer signed the head: entry ${head.seq}, ${head.id}, at ${head.at}`,
  );
  return `Not checked here: ${network.gateway_url}/raw/${network.l1_tx} (${network.status}) contains this item.`;
}

/* 5. The command --------------------------------------------------------------------------------------------------- */

const OPTIONS = {
  log: { type: 'string', multiple: true },
  witness: { type: 'string', multiple: true },
  quorum: { type: 'string' },
};

/** What was given on the command line, and the text of the file. @throws {WrongUse} */
function readArguments() {
  try {
    const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
    const [path, relayer, ...rest] = positionals;
    if (path === undefined || rest.length > 0) throw new WrongUse(USAGE);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    return { values, relayer, text };
  } catch (error) {
    throw error instanceof WrongUse ? error : new WrongUse(error.message);
  }
}

const TRUST = 'that everyone sees the same log is the word of its operator.';

/** Checks the file. @returns what the verdict should add */
function check({ values, relayer, text }) {
  if (text.trimStart().startsWith('{')) {
    if (Object.keys(values).length > 0)
      throw new WrongUse('The options are for a .tlog-proof, not for a chain of entries.');
    const note = checkChain(JSON.parse(text), relayer);
    return relayer ? note : `${note} Compare the relayer key with the one you hold.`;
  }
  if (relayer !== undefined) throw new WrongUse(USAGE);
  const policy = readPolicy(values);
  checkInclusion(text, policy);
  if (policy.quorum === 0) return `No witness was required: ${TRUST}`;
  // With half of the witnesses, a log can show one history to each half of its readers.
  return 2 * policy.quorum > policy.witnesses.length ? '' : `Half of the witnesses or fewer were required: ${TRUST}`;
}

function main() {
  let remark = '';
  try {
    remark = check(readArguments());
  } catch (error) {
    if (error instanceof WrongUse) {
      console.error(error.message);
      return 2;
    }
    step(false, error.message);
  }
  console.log(failures > 0 ? 'NOT VALID: do not rely on this proof.' : `VALID: every step passed. ${remark}`.trimEnd());
  return failures > 0 ? 1 : 0;
}

process.exitCode = main();
