import type { Beo } from '../../protocol/entities/beo.ts';
import type { Guardian } from '../../protocol/entities/guardian.ts';
import { confirmationsOf } from '../../protocol/entities/social-recovery.ts';
import type { CheckedEntry } from './checked.ts';
import type { ReplayResult } from './replay.ts';

/**
 * What a guardian's signature proves, once the transition has accepted it. The guardian's key is only asserted by the relayer,
 * in a sealed entry that it could have forged, unless the holder has signed for the key in public with confirmGuardian (§3).
 */
export function checkGuardianSignature(
  before: Beo,
  after: Beo | undefined,
  { signer, publicFacts }: CheckedEntry,
): ReplayResult {
  const { guardians } = before.recovery;
  const asserted = !hasConfirmed(guardians, signer);
  const signature = asserted ? 'asserted' : 'verified';
  if (after === undefined || after.keyVersion === before.keyVersion) return { signature, recovery: null };
  const { requestId, newPublicKey } = publicFacts as { readonly requestId: string; readonly newPublicKey: string };
  // The holder may have confirmed a key since, and a guardian who was confirmed then may have been removed.
  const others = confirmationsOf(before.recovery, requestId).filter(
    (confirmation) => confirmation.asserted && !hasConfirmed(guardians, confirmation.publicKey),
  );
  const assertedKeys = [...others.map(({ publicKey }) => publicKey), ...(asserted && signer !== null ? [signer] : [])];
  return { signature, recovery: { newPublicKey, assertedKeys } };
}

const hasConfirmed = (guardians: readonly Guardian[], key: string | null): boolean =>
  guardians.some(({ publicKey, confirmedAt }) => publicKey === key && confirmedAt !== null);

/** Counts active guardians whose key the holder has signed for in public, and those that only the relayer asserts. */
export function countGuardians(identities: Iterable<Beo>): { confirmed: number; asserted: number } {
  const counted = { confirmed: 0, asserted: 0 };
  for (const { recovery } of identities) {
    for (const { status, confirmedAt } of recovery.guardians) {
      if (status === 'ACTIVE') counted[confirmedAt === null ? 'asserted' : 'confirmed'] += 1;
    }
  }
  return counted;
}
