import { createHash, timingSafeEqual } from 'node:crypto';
import type { Approver } from '../../../protocol/entities/proposal.ts';
import { refusal } from '../../../protocol/errors.ts';
import type { InstituteDigests } from '../../platform/data-folder/key-files.ts';

/**
 * Which institute key the X-Institute-Key header holds (protocol §4).
 * @throws {ProtocolError} INSTITUTE_KEY_MISSING, INSTITUTE_KEY_INVALID
 */
export function approverOf(digests: InstituteDigests | null, presented: string | undefined): Approver {
  if (!presented) throw refusal('INSTITUTE_KEY_MISSING');
  if (!digests) throw refusal('INSTITUTE_KEY_INVALID');
  const digest = createHash('sha256').update(presented).digest();
  const [first, second, third] = digests.map((expected) => timingSafeEqual(expected, digest));
  if (first) return 1;
  if (second) return 2;
  if (third) return 3;
  throw refusal('INSTITUTE_KEY_INVALID');
}
