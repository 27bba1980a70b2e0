'use client';

import { useTranslations } from 'use-intl/react';
import { pageOf } from '../_ui/explore-address.ts';
import { LocalLink } from '../_ui/local-link.tsx';
import { textLink } from '../_ui/text-link.ts';
import { shownText } from './reference.ts';

type UnknownReferenceProps = {
  reference: string;
  suffix: string;
  isMalformed: boolean;
  /** The destroyed identity that had the domain. */
  destroyed?: string | null;
};

/** The page for a reference that is unknown or malformed. */
export function UnknownReference({ reference, suffix, isMalformed, destroyed = null }: UnknownReferenceProps) {
  const t = useTranslations('explore.nothing');
  const kind = isMalformed ? 'malformed' : destroyed === null ? 'unknown' : 'destroyed';
  return (
    <div>
      <h1 className="break-words">{t(`${kind}.title`, { reference: shownText(reference) })}</h1>
      <p className="mt-4 max-w-prose text-lg text-muted">{t(`${kind}.body`, { suffix })}</p>
      {destroyed !== null && (
        <p className="mt-4">
          <LocalLink href={pageOf(destroyed)} className={`${textLink} inline-flex min-h-11 items-center`}>
            {t('destroyed.link')}
          </LocalLink>
        </p>
      )}
      <p className="mt-4">
        <LocalLink href="/explore" className={`${textLink} inline-flex min-h-11 items-center`}>
          {t('back')}
        </LocalLink>
      </p>
    </div>
  );
}
