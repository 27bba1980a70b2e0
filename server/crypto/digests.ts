import { hash } from 'node:crypto';
import type { Digests } from '../../protocol/digests.ts';

export const nativeDigests: Digests = {
  sha1: (bytes) => hash('sha1', bytes),
  sha256: (bytes) => hash('sha256', bytes),
};
