'use client';

import { useTranslations } from 'use-intl/react';
import type { Failure } from '../../../_trpc/failure.ts';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { When } from '../../../_ui/when.tsx';

/** Why a change of the guardians was refused. */
export function GuardianRefused({ failure }: { failure: Failure | null }) {
  const t = useTranslations('myGuardians');
  const until = failure?.code === 'RECOVERY_COOLDOWN' ? failure.details?.until : undefined;
  if (typeof until !== 'string') return <Refused failure={failure} />;
  return (
    <div role="alert">
      <Alert tone="caution">
        <p>{t.rich('cooldown', { when: () => <When at={until} /> })}</p>
      </Alert>
    </div>
  );
}
