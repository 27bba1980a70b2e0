'use client';

import { useTranslations } from 'use-intl/react';
import { homeOf, type IdentityKind } from '../../_keys/identities.ts';
import { useSession } from '../../_session/session.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { textLink } from '../../_ui/text-link.ts';

/** The empty state of a page whose kind of identity this browser does not have; leads to the pages of the other kind. */
export function NoIdentity({ kind }: { kind: IdentityKind }) {
  const t = useTranslations('dashboard.noIdentity');
  const { identities } = useSession();
  const other = identities.state === 'read' && identities.value.find((identity) => identity.kind !== kind);
  return (
    <div className="page py-12">
      <div className="max-w-prose space-y-5">
        <h1>{t('title')}</h1>
        {other ? (
          <Alert title={t('otherTitle', { domain: other.domain, kind: other.kind })}>
            <p>
              {t('other', { kind: other.kind })}{' '}
              <LocalLink href={homeOf(other.kind)} className={textLink}>
                {t('otherHome', { domain: other.domain })}
              </LocalLink>
            </p>
          </Alert>
        ) : (
          <p>{t('body')}</p>
        )}
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
