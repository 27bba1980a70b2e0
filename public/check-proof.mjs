// node check-proof.mjs proof.json [the relayer's public key]: checks one operation offline; exit status 0, 1 if a step fails, 2 without a proof.
// biome-ignore-all format: short enough to be read before it is run
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [path, expected] = process.argv.slice(2);
if (!path) { console.error('Usage: node check-proof.mjs PROOF.json [RELAYER_PUBLIC_KEY]\nChecks the proof of one operation offline. Exit status: 0 valid, 1 not valid, 2 no proof given.'); process.exit(2); }
process.on('exit', (status) => console.log(status ? 'NOT VALID: do not rely on this proof.' : `VALID: every step passed${expected ? '' : '. Compare the relayer key with the one you hold'}.`));

const shown = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`); // no word of others moves the cursor
const step = (good, what) => { console.log(good ? 'ok  ' : 'FAIL', shown(what)); if (!good) process.exitCode = 1; };
const bytes = (text, form = 'base64') => Buffer.from(text, form).toString(form) === text ? Buffer.from(text, form) : step(false, `not ${form}: ${text}`);
const sha = (name, ...parts) => parts.reduce((hash, part) => hash.update(part), createHash(name)).digest();
const blob = (part) => sha('sha384', sha('sha384', `blob${part.length}`), sha('sha384', part)), place = (prev, seq) => sha('sha256', `${prev ?? ''}:${seq}`);
const canonical = (value) => Array.isArray(value) ? `[${value.map(canonical)}]` : value === null || typeof value !== 'object' ? JSON.stringify(value)
  : `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`;
const isSigned = (hex, message, signature) =>
  verify(null, message, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes(hex, 'hex').toString('base64url') }, format: 'jwk' }), signature);
const isHonest = (hex, signature) => [...Array(256).keys()].every((other) => !isSigned(hex, Buffer.from([other]), signature)); // weak keys sign anything
const follow = ({ signature, tags, data }, prev, seq) => { // the id of what the relayer signed as entry seq; the deep hash of ANS-104
  const parts = ['dataitem', '1', '2', bytes(relayer, 'hex'), '', place(prev, seq)].map((part) => blob(Buffer.from(part)));
  const message = [...parts, bytes(tags), bytes(data)].reduce((hash, part) => sha('sha384', hash, part), sha('sha384', 'list8'));
  return isSigned(relayer, message, bytes(signature)) ? sha('sha256', bytes(signature)).toString('base64url') : null;
};
const long = (size) => size < 64 ? [size * 2] : [((size * 2) & 127) | 128, size >> 6];
const encoded = (tags) => Buffer.from([...long(tags.length), ...tags.flat().flatMap((text) => [...long(Buffer.byteLength(text)), ...Buffer.from(text)]), 0]);

const { format, relayer_public_key: relayer, ledger_id, id, item, before, after, head: { signature: word, ...head }, network } = JSON.parse(readFileSync(path, 'utf8'));
try {
  step(format === 'perpetua-proof-1' && relayer === (expected ?? relayer), `relayer key ${relayer}${expected ? '' : ': compare it with the one you hold'}`);
  step(sha('sha256', bytes(relayer, 'hex')).toString('hex') === ledger_id, `the ledger of this key is ${ledger_id}`);
  const all = bytes(item), end = 148 + Number(all.readBigUInt64LE(140)), tags = all.subarray(148, end), data = all.subarray(end);
  step(all.subarray(0, 2).equals(Buffer.from([2, 0])) && all[98] === 0 && all[99] === 1, `the data item: ${all.length} bytes, Ed25519, with an anchor`);
  step(sha('sha256', all.subarray(2, 66)).toString('base64url') === id, `its id is ${id}, the SHA-256 of its signature`);
  const entry = JSON.parse(data), { function: name, entity_id, prev, message, signer, signature, sealed } = entry;
  step(all.subarray(66, 98).equals(bytes(relayer, 'hex')) && follow({ signature: all.toString('base64', 2, 66), tags: blob(tags).toString('base64'), data: blob(data).toString('base64') }, prev, entry.seq) === id && isHonest(relayer, all.subarray(2, 66)), 'the relayer signed it');
  step(all.subarray(100, 132).equals(place(prev, entry.seq)), `its place is ${entry.seq}, after ${prev}`);
  const said = { 'App-Name': 'Perpetua', 'App-Version': '1', 'Content-Type': 'application/json', Function: name, 'Entity-Id': entity_id, Seq: `${entry.seq}` };
  step(entry.v === 1 && data.equals(Buffer.from(canonical(entry))), 'it holds an entry, in canonical JSON');
  step(all.readBigUInt64LE(132) === 6n && tags.equals(encoded(Object.entries(said))), `its tags are those of the entry: ${name} ${entity_id}`);
  if (sealed) step(/^(createBEO|updateRecovery|inviteGuardian|submitRecords)$/.test(name) && !message && signature === null, `sealed: ${sealed} is the SHA-256 of a salt, a signature and a message`);
  else if (signature === null) step(/^(beginEpoch|openProposal|approveProposal|updateCertification)$/.test(name) && signer === null && message.function === name, `nobody but the relayer signs: ${canonical(message)}`);
  else step(message.function === name && `${message.ledgerId ?? ledger_id}`.toLowerCase() === ledger_id && isSigned(signer, Buffer.from(canonical(message)), bytes(signature)) && isHonest(signer, bytes(signature)), `${signer} signed ${canonical(message)}`);
  step(before ? follow(before, before.prev, entry.seq - 1) === prev : entry.seq === 1 && prev === null, before ? 'the entry before it is the one it names' : 'it is the first entry');
  const last = after.reduce((one, next, index) => one && follow(next, one, entry.seq + index + 1), id), seq = entry.seq + after.length;
  step(last && after.length <= 1000 && (seq === head.seq ? last === head.id : seq < head.seq && after.length === 1000), entry.seq === head.seq ? 'it is the newest entry: none follows yet' : `${after.length} entries follow it in one chain, to ${seq} of ${head.seq}`);
  step(isSigned(relayer, Buffer.from(canonical({ ledger_id, ...head })), bytes(word)) && head.epoch >= entry.epoch, `the relayer signed the head: entry ${head.seq}, ${head.id}, at ${head.at}`);
  console.log(shown(`Not checked here, but to be compared: ${network.gateway_url}/raw/${network.l1_tx} (${network.status}) contains this item.`));
} catch (error) { step(false, error.message); }
