'use client';

import { useTranslations } from 'use-intl/react';
import type { IdentityKind } from '../../_keys/identities.ts';
import { Button } from '../../_ui/button.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';

/** The empty state of a page whose kind of identity this browser does not have. */
export function NoIdentity({ kind }: { kind: IdentityKind }) {
  const t = useTranslations('dashboard.nobody');
  return (
    <div className="page py-12">
      <div className="max-w-prose space-y-5">
        <h1>{t('title')}</h1>
        <p>{t('body')}</p>
        <div className="flex flex-col gap-3 sm:flex-row">
          <Button asChild size="large">
            <LocalLink href="/sign-in">{t('signIn')}</LocalLink>
          </Button>
          <Button asChild look="secondary" size="large">
            <LocalLink href={kind === 'holder' ? '/create' : '/register'}>
              {t(kind === 'holder' ? 'create' : 'register')}
            </LocalLink>
          </Button>
        </div>
      </div>
    </div>
  );
}
