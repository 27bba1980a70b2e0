import { hash } from 'node:crypto';
import type { TransactionTag } from './arweave-transaction.ts';

/** What is kept of the tags of a bundle: a gateway may send many. */
export type BundleTags = {
  /** From First-Seq and Last-Seq, which may be wrong; null without a valid number. */
  firstSeq: number | null;
  lastSeq: number | null;
  /** SHA-256 of all tags in their order, base64url. */
  tagsDigest: string;
};

export const readBundleTags = (tags: readonly TransactionTag[]): BundleTags => ({
  firstSeq: numberIn(tags, 'First-Seq'),
  lastSeq: numberIn(tags, 'Last-Seq'),
  tagsDigest: hash('sha256', JSON.stringify(tags.map(({ name, value }) => [name, value])), 'base64url'),
});

function numberIn(tags: readonly TransactionTag[], name: string): number | null {
  const value = tags.find((tag) => tag.name === name)?.value ?? '';
  return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : null;
}
