'use client';

import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../../protocol/entities/token.ts';
import { Name } from '../../../../_ui/name.tsx';
import { useScopeWords } from '../../../../_ui/use-scope-words.ts';
import type { KnownGrantee } from './use-grantee.ts';

type GranteeProps = { consent: Pick<TokenView, 'ieo_domain'>; grantee: KnownGrantee };

/** The name of the grantee of a consent. */
export function useGranteeName(): (props: GranteeProps) => string {
  const t = useTranslations('consents');
  return ({ consent, grantee: { own, institution } }) =>
    own ? t('yourself') : (institution?.display_name ?? consent.ieo_domain ?? t('unnamed'));
}

/** The domain and the type of the grantee. */
export function GranteeLine({ consent, grantee: { own, institution } }: GranteeProps) {
  const t = useTranslations('consents');
  const words = useScopeWords();
  return (
    <p className="text-sm break-words text-muted">
      {own ? t('ownLine') : consent.ieo_domain && <Name>{consent.ieo_domain}</Name>}
      {institution && <span className="block first-letter:uppercase">{words.ieoType(institution.ieo_type)}</span>}
    </p>
  );
}
