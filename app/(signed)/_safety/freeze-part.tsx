'use client';

import { useTranslations } from 'use-intl/react';
import { FreezeButton } from '../../_session/freeze.tsx';
import { useSession } from '../../_session/session.tsx';
import { Part } from './part.tsx';
import { useStatus } from './use-key-status.ts';

/** Freezes the identity, or ends that. */
export function Freeze() {
  const t = useTranslations('safety.freeze');
  const { current } = useSession();
  const status = useStatus(current);
  if (!current || (status !== 'ACTIVE' && status !== 'LOCKED')) return null;
  const { kind, id, domain } = current;
  const frozen = status === 'LOCKED';
  return (
    <Part
      id="freeze"
      title={t('title')}
      what={t(frozen ? 'frozen' : kind)}
      action={<FreezeButton kind={kind} id={id} domain={domain} frozen={frozen} />}
    />
  );
}
