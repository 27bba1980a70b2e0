import { z } from 'zod';
import { canonicalJson, type Json } from '../signing/canonical-json.ts';
import { utf8ToBytes } from '../signing/encoding.ts';

const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const json = z.record(z.string(), z.unknown()).transform((value) => value as Record<string, Json>);

const common = {
  v: z.literal(1),
  epoch: z.int().positive(),
  seq: z.int().positive(),
  prev: z.string().length(43).nullable(),
  accepted_at: instant,
  function: z.string().min(1),
  entity_id: z.string().min(1),
  signer: z.string().nullable(),
  assigned: json.optional(),
};

const openEntry = z.strictObject({ ...common, signature: z.string().nullable(), message: json });
const sealedEntry = z.strictObject({
  ...common,
  signature: z.null(),
  sealed: z.string().regex(/^[0-9a-f]{64}$/),
  public: json,
});

const entrySchema = z.union([openEntry, sealedEntry]);

/** The data of a ledger entry (protocol §10); on the network it is canonical JSON in UTF-8. */
export type LedgerEntry = z.infer<typeof openEntry> | z.infer<typeof sealedEntry>;

export const encodeEntry = (entry: LedgerEntry): Uint8Array => utf8ToBytes(canonicalJson(entry as unknown as Json));

/** @throws {Error} if the bytes are not the canonical JSON of an entry; the message is a sentence */
export function decodeEntry(bytes: Uint8Array): LedgerEntry {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const parsed = entrySchema.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error(`The entry is malformed: ${z.prettifyError(parsed.error)}`);
  if (canonicalJson(parsed.data as unknown as Json) !== text) throw new Error('The entry is not canonical JSON.');
  return parsed.data;
}
