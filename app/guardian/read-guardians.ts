import type { Context } from '../../server/http/context.ts';
import type { ActiveGuardian } from './active-guardians.tsx';

/** The guardians of an identity who have accepted. Empty where they cannot be read: then a page warns of less. */
export async function readGuardians({ readers }: Context, beoId: string): Promise<readonly ActiveGuardian[]> {
  const beo = await readers.BEO.entity(beoId, 'beoId').catch(() => null);
  return (beo?.recovery.guardians ?? []).flatMap(({ role, status, publicKey }) =>
    status === 'ACTIVE' && publicKey !== null ? [{ role, publicKey }] : [],
  );
}
