import { hash } from 'node:crypto';
import { decodeEntry, type LedgerEntry } from '../../protocol/ledger/entry.ts';
import { anchorText, entryTags } from '../../protocol/ledger/entry-tags.ts';
import type { Tag } from '../../protocol/ledger/item-tags.ts';
import { canonicalJson, type Json } from '../../protocol/signing/canonical-json.ts';
import { bytesToHex, utf8ToBytes } from '../../protocol/signing/encoding.ts';
import { type DataItem, parseBundle, parseItem, verifyItem } from '../../server/ledger/ans104.ts';
import { isStrictPublicKeyNatively } from '../../server/platform/crypto/ed25519.ts';
import { checkEntry } from './check-entry.ts';
import type { CheckedBundle, CheckedItem, Rules } from './checked.ts';
import type { Problem } from './findings.ts';

/** Far more than the relay loop packs into a bundle. */
const MAX_ITEMS = 65_536;

/** Parses a bundle and checks each item on its own, in a worker thread. Reports malformed bytes and does not throw. */
export function checkBundle(bytes: Uint8Array, rules: Rules): CheckedBundle {
  const relayerKey = Buffer.from(rules.relayerKey, 'hex');
  try {
    const parsed = parseBundle(bytes);
    if (parsed.length > MAX_ITEMS) throw new Error(`It has ${parsed.length} items; at most ${MAX_ITEMS} are read.`);
    const items = parsed.map((item): CheckedItem => {
      const start = item.bytes.byteOffset - bytes.byteOffset;
      return { id: item.id, start, end: start + item.bytes.byteLength, ...checkItem(item.bytes, relayerKey, rules) };
    });
    return { bytes, items, unreadable: null };
  } catch (error) {
    return { bytes, items: [], unreadable: sentenceOf(error) };
  }
}

function checkItem(
  bytes: Uint8Array,
  relayerKey: Buffer,
  rules: Rules,
): Pick<CheckedItem, 'genuine' | 'entry' | 'problems'> {
  const problems: Problem[] = [];
  let item: DataItem;
  try {
    item = parseItem(bytes);
  } catch (error) {
    return { genuine: false, entry: null, problems: [{ kind: 'ITEM_MALFORMED', sentence: sentenceOf(error) }] };
  }
  const owner = bytesToHex(item.owner);
  const isKey = item.signatureType === 2 && (relayerKey.equals(item.owner) || isStrictPublicKeyNatively(owner));
  const genuine = isKey && verifyItem(item);
  if (!genuine) {
    const sentence = relayerKey.equals(item.owner)
      ? 'The relayer’s signature is not over these bytes.'
      : 'The item is signed by a key that is not the relayer’s.';
    problems.push({ kind: 'RELAYER_SIGNATURE', sentence });
  }
  const entry = readEntry(item.data, problems);
  if (!entry) return { genuine, entry: null, problems };
  if (!sameTags(item.tags, entryTags(entry)) || item.target.byteLength > 0) {
    problems.push({ kind: 'ITEM_TAGS', sentence: 'The tags or the target of the item are not those of its entry.' });
  }
  if (!hash('sha256', anchorText(entry.prev, entry.seq), 'buffer').equals(item.anchor)) {
    problems.push({ kind: 'ANCHOR', sentence: 'The anchor is not the SHA-256 of prev and seq of the entry.' });
  }
  return { genuine, entry: checkEntry({ id: item.id, owner }, entry, rules, problems), problems };
}

/** Accepts an entry that is not canonical JSON after reporting it, so that one breach does not cause others. */
function readEntry(data: Uint8Array, problems: Problem[]): LedgerEntry | null {
  try {
    return withValidTime(decodeEntry(data));
  } catch (error) {
    const entry = recanonicalised(data);
    problems.push({ kind: entry ? 'NOT_CANONICAL' : 'ITEM_MALFORMED', sentence: sentenceOf(error) });
    return entry;
  }
}

function recanonicalised(data: Uint8Array): LedgerEntry | null {
  try {
    return withValidTime(decodeEntry(utf8ToBytes(canonicalJson(JSON.parse(Buffer.from(data).toString()) as Json))));
  } catch {
    return null;
  }
}

function withValidTime(entry: LedgerEntry): LedgerEntry {
  if (Number.isNaN(Date.parse(entry.accepted_at))) throw new Error('The entry’s accepted_at is not a time.');
  return entry;
}

const sameTags = (tags: readonly Tag[], expected: readonly Tag[]): boolean =>
  tags.length === expected.length &&
  tags.every(({ name, value }, index) => name === expected[index]?.name && value === expected[index]?.value);

const sentenceOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').slice(0, 300);
