import { hash } from 'node:crypto';
import type { Digestible } from './digests.ts';

const joined = (parts: readonly Digestible[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));

/** The Node implementation of `#digests`; see protocol/signing/digests.ts. */
export const sha1 = (...parts: readonly Digestible[]): string => hash('sha1', joined(parts));

export const sha256 = (...parts: readonly Digestible[]): string => hash('sha256', joined(parts));

export const sha256Bytes = (...parts: readonly Digestible[]): Uint8Array => hash('sha256', joined(parts), 'buffer');
