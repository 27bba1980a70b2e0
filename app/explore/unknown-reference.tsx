'use client';

import { useTranslations } from 'use-intl/react';
import { LocalLink } from '../_ui/local-link.tsx';
import { textLink } from '../_ui/text-link.ts';

type UnknownReferenceProps = { reference: string; suffix: string; isMalformed: boolean };

/** The page for a reference that is unknown or malformed. */
export function UnknownReference({ reference, suffix, isMalformed }: UnknownReferenceProps) {
  const t = useTranslations('explore.nothing');
  const kind = isMalformed ? 'malformed' : 'nobody';
  return (
    <div>
      <h1 className="break-words">{t(`${kind}.title`, { reference })}</h1>
      <p className="mt-4 max-w-prose text-lg text-muted">{t(`${kind}.body`, { suffix })}</p>
      <p className="mt-4">
        <LocalLink href="/explore" className={`${textLink} inline-flex min-h-11 items-center`}>
          {t('back')}
        </LocalLink>
      </p>
    </div>
  );
}
