import type { Beo } from '../../protocol/entities/beo.ts';
import type { Guardian } from '../../protocol/entities/guardian.ts';
import { confirmationsOf } from '../../protocol/entities/social-recovery.ts';
import type { CheckedEntry } from './checked.ts';
import type { ReplayResult } from './replay.ts';

/**
 * What a guardian's signature shows, where the state has let it count. That there is a guardian of that key, the relayer says
 * in a sealed entry and could have made up, also where that entry names the key; unless the holder has signed for the key in
 * public, by confirmGuardian. Protocol §3.
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
  // The holder may have confirmed since; or the guardian may be gone, who was confirmed then.
  const others = confirmationsOf(before.recovery, requestId).filter(
    (confirmation) => confirmation.asserted && !hasConfirmed(guardians, confirmation.publicKey),
  );
  const assertedKeys = [...others.map(({ publicKey }) => publicKey), ...(asserted && signer !== null ? [signer] : [])];
  return { signature, recovery: { newPublicKey, assertedKeys } };
}

const hasConfirmed = (guardians: readonly Guardian[], key: string | null): boolean =>
  guardians.some(({ publicKey, confirmedAt }) => publicKey === key && confirmedAt !== null);

/** Who could be called to a recovery: guardians whose key the holder has signed for in public, and those of whom only the relayer says so. */
export function countGuardians(identities: Iterable<Beo>): { confirmed: number; asserted: number } {
  const counted = { confirmed: 0, asserted: 0 };
  for (const { recovery } of identities) {
    for (const { status, confirmedAt } of recovery.guardians) {
      if (status === 'ACTIVE') counted[confirmedAt === null ? 'asserted' : 'confirmed'] += 1;
    }
  }
  return counted;
}
