'use client';

import { useTranslations } from 'use-intl/react';
import { placeOf, type SealedByPasskey } from './identities.ts';
import type { PasskeyProblem } from './passkey.ts';

/** What else opens the key. */
export type Instead = 'passphrase' | 'copy' | 'guardians';

export type PasskeyTroubleProps = {
  problem: PasskeyProblem;
  passkey: SealedByPasskey;
  /** The name of the passkey. */
  domain: string;
  instead: Instead;
};

/**
 * Why a passkey did not open the key, and what to do. A page cannot tell a closed prompt, a deleted passkey and one
 * that is not at hand apart, so each has its sentence here, except where the place of the passkey rules it out.
 */
export function PasskeyTrouble({ problem, passkey, domain, instead }: PasskeyTroubleProps) {
  const t = useTranslations('keys.passkeyProblem');
  const place = placeOf(passkey);
  return (
    <div className="space-y-2">
      <p>{t(problem, { domain, instead })}</p>
      {problem === 'cancelled' && (
        <>
          {place !== 'here' && <p>{t('elsewhere', { place })}</p>}
          <p>{t('deleted', { instead })}</p>
        </>
      )}
    </div>
  );
}
