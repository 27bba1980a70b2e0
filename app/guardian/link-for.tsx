'use client';

import { useCallback, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { GuardianRole } from '../../protocol/entities/guardian.ts';
import { browserKeys, publicKeyOf } from '../_keys/browser-keys.ts';
import { useStored } from '../_keys/use-stored.ts';
import { read } from '../_session/send.ts';
import { Alert } from '../_ui/alert.tsx';

type LinkForProps = {
  beoId: string;
  domain: string;
  /** The guardian that the link was made for. */
  role: GuardianRole;
  /** The key that the link takes, hex; null where it takes a new one. */
  expectedKey: string | null;
};

/** Whose link it is, as far as this browser can tell from its keys. */
type Verdict = 'unsure' | 'yours' | GuardianRole;

/** For which guardian a link is, with a warning where this browser has the key of another guardian of the identity. */
export function LinkFor({ beoId, domain, role, expectedKey }: LinkForProps) {
  const t = useTranslations('guardian.linkFor');
  const [own, setOwn] = useState<Verdict | null>(null);
  const kept = useStored(useCallback(() => browserKeys(null), []));

  useEffect(() => {
    if (kept.state !== 'read') return;
    let gone = false;
    void verdictOf(beoId, expectedKey, new Set(kept.value.map(publicKeyOf))).then((found) => gone || setOwn(found));
    return () => {
      gone = true;
    };
  }, [beoId, expectedKey, kept]);

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
async function verdictOf(beoId: string, expectedKey: string | null, here: ReadonlySet<string>): Promise<Verdict> {
  if (expectedKey !== null && here.has(expectedKey)) return 'yours';
  if (here.size === 0) return 'unsure';
  const beo = await read((client) => client.getBEO(beoId));
  const guardians = beo.ok ? beo.body.recovery.guardians : [];
  const own = guardians.find(({ public_key, status }) => status === 'ACTIVE' && here.has(String(public_key)));
  return own?.role ?? 'unsure';
}
