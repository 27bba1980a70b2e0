'use client';

import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { CertificationMarkOf } from '../../_trpc/certification-mark-of.tsx';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { ConsentPicture } from '../../_ui/consent-picture.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { LoadingWords, PictureSkeleton } from '../../_ui/skeletons.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { countsOf, inForce, isOwn } from './consents/consents-in-force.ts';
import { GIVE_CONSENT } from './next-step.tsx';
import { useGranteeNames } from './use-grantee-names.ts';

const LATEST = 3;
const CATEGORIES = 2;

/** The number of consents in force, and the latest grantees. `consents`: all of them, null until they are read. */
export function ConsentsCard({ consents, locked }: { consents: readonly TokenView[] | null; locked: boolean }) {
  const t = useTranslations('overview.consents');
  const counts = consents && countsOf(consents);
  const latest = consents?.filter((consent) => inForce(consent) && !isOwn(consent)).slice(0, LATEST) ?? [];
  const nameOf = useGranteeNames(latest);
  return (
    <Card className="flex flex-col gap-4">
      <h2>{t('title')}</h2>
      {counts ? (
        <p>{t('count', { count: counts.live })}</p>
      ) : (
        <>
          <LoadingWords />
          <PictureSkeleton />
        </>
      )}
      {latest.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {latest.map((consent) => (
            <li key={consent.token_id} className="py-4">
              <ConsentPicture
                who={
                  <>
                    <LocalLink
                      href={`/me/consents/${consent.token_id}`}
                      className={`${textLink} block font-semibold break-words`}
                    >
                      {nameOf(consent)}
                    </LocalLink>
                    <CertificationMarkOf id={consent.ieo_id} />
                  </>
                }
                own={false}
                scope={consent.scope}
                granted_at={consent.granted_at}
                expires_at={consent.expires_at}
                categoriesAtMost={CATEGORIES}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="mt-auto flex flex-col gap-3 sm:flex-row sm:flex-wrap">
        {counts && counts.live + counts.ended > 0 && (
          <Button asChild look="secondary">
            <LocalLink href="/me/consents">{t('all')}</LocalLink>
          </Button>
        )}
        {consents && !locked && (
          <Button asChild look="secondary">
            <LocalLink href={GIVE_CONSENT}>{t('give')}</LocalLink>
          </Button>
        )}
      </div>
    </Card>
  );
}
