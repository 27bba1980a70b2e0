'use client';

import { useTranslations } from 'use-intl/react';
import type { Failure } from '../../_trpc/failure.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';

type ProblemKey = Parameters<ReturnType<typeof useTranslations<'institute.problem'>>>[0];

/** Why a decision was refused. */
export function DecisionRefused({ failure }: { failure: Failure | null }) {
  const common = useTranslations('common');
  const t = useTranslations('institute.problem');
  const hasText = (code: string): code is ProblemKey => t.has(code as ProblemKey);
  if (!failure || !hasText(failure.code)) return <Refused failure={failure} />;
  return (
    <div role="alert">
      <Alert tone="danger" title={common('failed')}>
        <p>{t(failure.code)}</p>
      </Alert>
    </div>
  );
}
