'use client';

import { useCallback } from 'react';
import { useTranslations } from 'use-intl/react';
import type { GuardianRole } from '../../protocol/entities/guardian.ts';
import { browserKeys, publicKeyOf } from '../_keys/browser-keys.ts';
import { useStored } from '../_keys/use-stored.ts';
import { Alert } from '../_ui/alert.tsx';
import { type ActiveGuardian, useActiveGuardians } from './active-guardians.tsx';

type LinkForProps = {
  domain: string;
  /** The guardian that the link was made for. */
  role: GuardianRole;
  /** The key that the link takes, hex; null where it takes a new one. */
  expectedKey: string | null;
};

/** Whose link it is, as far as this browser can tell from its keys. */
type Verdict = 'unsure' | 'yours' | GuardianRole;

/** For which guardian a link is, with a warning where this browser has the key of another guardian of the identity. */
export function LinkFor({ domain, role, expectedKey }: LinkForProps) {
  const t = useTranslations('guardian.linkFor');
  const guardians = useActiveGuardians();
  const kept = useStored(useCallback(() => browserKeys(null), []));
  const own = kept.state === 'read' ? verdictOf(expectedKey, new Set(kept.value.map(publicKeyOf)), guardians) : null;

  const isKnown = own === null || own === 'yours' || own === 'unsure' || own === role;
  return (
    <div role="status">
      {isKnown ? (
        <p className="text-muted">
          {t('role', { role, domain })} {own === 'yours' && t('yours')}
          {own === 'unsure' && expectedKey !== null && t('unsure')}
        </p>
      ) : (
        <Alert tone="caution" title={t('another')}>
          <p>
            {t('role', { role, domain })} {t('own', { own })}
          </p>
          <p>{t('todo', { domain })}</p>
        </Alert>
      )}
    </div>
  );
}

/** The role is that of a guardian of the identity whose key is in this browser; the expected key comes first. */
function verdictOf(
  expectedKey: string | null,
  here: ReadonlySet<string>,
  guardians: readonly ActiveGuardian[],
): Verdict {
  if (expectedKey !== null && here.has(expectedKey)) return 'yours';
  return guardians.find(({ publicKey }) => here.has(publicKey))?.role ?? 'unsure';
}
