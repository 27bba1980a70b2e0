import { z } from 'zod';
import { ID_PATTERNS } from './ids.ts';

/** Schemas of values in responses; those of requests are in shapes.ts. */
const matching = (pattern: string, description: string) =>
  z
    .string()
    .regex(new RegExp(`^${pattern}$`))
    .meta({ description });

/** ISO 8601, UTC, with milliseconds. */
export const time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time', description: 'A point in time: ISO 8601, UTC, with milliseconds.' });

export const uuid = matching(ID_PATTERNS.uuid, 'A UUID in lower case.');
export const tokenId = matching(`tok_${ID_PATTERNS.uuid}`, 'The id of a consent token.');
export const transactionId = matching(ID_PATTERNS.transactionId, 'The id of a ledger entry: 43 base64url characters.');
/** The id of a transaction of the storage network; the same form. */
export const networkTransactionId = matching('[A-Za-z0-9_-]{43}', 'The id of a transaction of the storage network.');
export const hexKey = matching('[0-9a-f]{64}', 'An Ed25519 public key: 64 hex characters.');
export const digest = matching('[0-9a-f]{64}', 'A SHA-256: 64 hex characters.');
export const signature = matching('[A-Za-z0-9+/]{86}==', 'An Ed25519 signature: 64 bytes in base64 with padding.');
export const base64 = z.base64();
export const url = z.string().meta({ format: 'uri' });
export const count = z.int().min(0);
/** The place of an entry in the ledger, from 1. */
export const seq = z.int().min(1).meta({ description: 'The place of an entry in the ledger; the first is 1.' });
export const domain = z.string().meta({ description: 'A domain, like maria.bsp.' });
/** A cursor as the API returns it. */
export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Send it as `cursor` to get the next page; null on the last page.' });

export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
