import type { LedgerEntry } from '../../../protocol/ledger/entry.ts';
import { isObject, type Json } from '../../../protocol/signing/canonical-json.ts';
import type { JsonObject } from '../../../protocol/signing/message.ts';
import { parseItem } from '../../ledger/ans104.ts';
import type { EntrySummary } from '../../ledger/read.ts';
import type { Named } from './name-entries.ts';

/** An entry of a list with its content. */
export type DecodedEntry = Named<EntrySummary> & { readonly content: LedgerEntry };

/** The content of an item of this ledger, which was checked when it was written. */
export const contentOf = (item: Buffer): LedgerEntry => JSON.parse(Buffer.from(parseItem(item).data).toString());

/** The signed message or, of a sealed entry, its public part. */
export const statedBy = (content: LedgerEntry): JsonObject => ('message' in content ? content.message : content.public);

export const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
export const objectOf = (value: Json | undefined): JsonObject => (isObject(value ?? null) ? (value as JsonObject) : {});
