'use client';

import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../../protocol/token.ts';
import { useScopeWords } from '../../../../_ui/use-scope-words.ts';
import type { KnownGrantee } from './use-grantee.ts';

type GranteeProps = { consent: Pick<TokenView, 'ieo_domain'>; grantee: KnownGrantee };

/** What somebody to whom a consent was given is called. */
export function useGranteeName(): (props: GranteeProps) => string {
  const t = useTranslations('consents');
  return ({ consent, grantee: { own, institution } }) =>
    own ? t('yourself') : (institution?.display_name ?? consent.ieo_domain ?? t('unnamed'));
}

/** The line below the name: the address that is theirs alone, and what kind of institution it is. */
export function GranteeLine({ consent, grantee: { own, institution } }: GranteeProps) {
  const t = useTranslations('consents');
  const words = useScopeWords();
  return (
    <p className="text-sm break-words text-muted">
      {own ? t('ownLine') : <span translate="no">{consent.ieo_domain}</span>}
      {institution && <> · {words.ieoType(institution.ieo_type)}</>}
    </p>
  );
}
