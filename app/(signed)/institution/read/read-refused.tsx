'use client';

import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import type { Failure } from '../../../_trpc/failure.ts';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';

type ExplainedCode = keyof ReturnType<typeof useExplanations>;

/** Why the read was refused, and what the consent covers. */
export function ReadRefused({ failure, consent }: { failure: Failure | null; consent: TokenView }) {
  const common = useTranslations('common');
  const explanations = useExplanations(consent);
  if (!failure || !(failure.code in explanations)) return <Refused failure={failure} />;
  return (
    <div role="alert">
      <Alert tone="danger" title={common('failed')}>
        <p>{explanations[failure.code as ExplainedCode]}</p>
      </Alert>
    </div>
  );
}

function useExplanations({ scope: { period, categories } }: TokenView) {
  const t = useTranslations('institution.read.problem');
  const words = useScopeWords();
  return {
    PERIOD_NOT_AUTHORIZED: t('PERIOD_NOT_AUTHORIZED', { period: words.period(period) }),
    CATEGORY_NOT_AUTHORIZED: t('CATEGORY_NOT_AUTHORIZED', { categories: words.categories(categories) }),
    RECORD_LIMIT_REACHED: t('RECORD_LIMIT_REACHED'),
    TOKEN_REVOKED: t('TOKEN_REVOKED'),
    TOKEN_EXPIRED: t('TOKEN_EXPIRED'),
    BEO_LOCKED: t('BEO_LOCKED'),
    BEO_DESTROYED: t('BEO_DESTROYED'),
  };
}
