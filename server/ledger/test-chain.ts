import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { expect } from 'vitest';
import { decodeEntry, type LedgerEntry } from '../../protocol/ledger/entry.ts';
import { anchorText, entryTags } from '../../protocol/ledger/entry-tags.ts';
import { messageBytes } from '../../protocol/signing/message-bytes.ts';
import { verifyNatively } from '../platform/crypto/ed25519.ts';
import { type DataItem, parseItem, verifyItem } from './ans104.ts';
import { readHead } from './head.ts';

/** The item of a receipt, whose signature must verify, and its entry. */
export function openReceipt(base64: string): { item: DataItem; entry: LedgerEntry } {
  const item = parseItem(Buffer.from(base64, 'base64'));
  expect(verifyItem(item)).toBe(true);
  return { item, entry: decodeEntry(item.data) };
}

interface Row {
  seq: number;
  epoch: number;
  id: string;
  function: string;
  entity_id: string;
  accepted_at: string;
  item: Buffer;
}

/** Reads a stored ledger and checks it against protocol §10 from the first entry to the head. */
export async function wholeChain(pool: Pool): Promise<(LedgerEntry & { readonly id: string })[]> {
  const head = await readHead(pool);
  const { rows } = await pool.query<Row>('SELECT * FROM ledger_entries ORDER BY seq');
  let prev: string | null = null;
  let before = '';
  const entries = rows.map((row, index) => {
    const { item, entry } = openReceipt(row.item.toString('base64'));
    expect(Buffer.from(item.owner).toString('hex')).toBe(head.relayerPublicKey);
    expect(entry).toMatchObject({ seq: index + 1, prev, epoch: row.epoch });
    expect(row).toMatchObject({ seq: entry.seq, id: item.id, function: entry.function, entity_id: entry.entity_id });
    expect(row.accepted_at).toBe(entry.accepted_at);
    expect(Buffer.from(item.anchor)).toEqual(createHash('sha256').update(anchorText(prev, entry.seq)).digest());
    expect(item.tags).toEqual(entryTags(entry));
    expect(entry.accepted_at >= before).toBe(true);
    if ('message' in entry && entry.signer && entry.signature) {
      const signature = Buffer.from(entry.signature, 'base64');
      expect(verifyNatively(entry.signer, messageBytes(entry.message), signature)).toBe(true);
    }
    prev = item.id;
    before = entry.accepted_at;
    return { ...entry, id: item.id };
  });
  expect(head).toMatchObject({ seq: rows.length, id: prev });
  return entries;
}
