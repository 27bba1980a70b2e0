'use client';

import { useTranslations } from 'use-intl/react';
import { When } from '../intl/when.tsx';
import type { Failure } from '../trpc/failure.ts';
import { Refused } from '../trpc/refused.tsx';
import { Alert } from '../ui/alert.tsx';

/** Why a change of the guardians was not taken. */
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
