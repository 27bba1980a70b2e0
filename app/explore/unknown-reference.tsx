'use client';

import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { pageOf } from '../_ui/explore-address.ts';
import { LocalLink } from '../_ui/local-link.tsx';
import { textLink } from '../_ui/text-link.ts';
import { shownText } from './read-reference.ts';

type UnknownReferenceProps = {
  reference: string;
  suffix: string;
  isMalformed: boolean;
  /** The destroyed identity that had the domain. */
  destroyed?: string | null;
  /** The number that no entry has yet, and the newest entry's. */
  missing?: Answers['search']['missing'];
};

/** The page for a reference that is unknown or malformed. */
export function UnknownReference(unknown: UnknownReferenceProps) {
  const t = useTranslations('explore.nothing');
  const { reference, suffix, isMalformed, destroyed = null, missing = null } = unknown;
  const kind = isMalformed ? 'malformed' : destroyed === null ? 'unknown' : 'destroyed';
  return (
    <div>
      <h1 className="break-words">
        {missing ? t('missing.title', missing) : t(`${kind}.title`, { reference: shownText(reference) })}
      </h1>
      <p className="mt-4 max-w-prose text-lg text-muted">
        {missing ? t('missing.body', missing) : t(`${kind}.body`, { suffix })}
      </p>
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
