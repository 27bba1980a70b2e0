import { hash } from 'node:crypto';
import type { Digestible, Digests } from '../../protocol/digests.ts';

const joined = (parts: readonly Digestible[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));

export const nativeDigests: Digests = {
  sha1: (...parts) => hash('sha1', joined(parts)),
  sha256: (...parts) => hash('sha256', joined(parts)),
};
