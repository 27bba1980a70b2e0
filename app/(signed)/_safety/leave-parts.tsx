'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../_ui/button.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { ForgetHere } from './forget-here.tsx';
import { Part, Parts } from './part.tsx';

type LeavePartsProps = {
  title?: ReactNode;
  /** The first page of the identity. */
  home: '/me' | '/institution';
};

/** Export, removal from this browser, and the end of the current identity. */
export function LeaveParts({ title, home }: LeavePartsProps) {
  const t = useTranslations('safety');
  return (
    <Parts danger title={title}>
      <Part
        id="export"
        title={t('export.title')}
        what={t(`export.${home === '/me' ? 'holder' : 'institution'}`)}
        action={
          <Button asChild look="secondary">
            <LocalLink href={`${home}/export`}>{t('export.begin')}</LocalLink>
          </Button>
        }
      />
      <ForgetHere />
      <Part
        id="destroy"
        title={t('destroy.rest')}
        what={t('destroy.restWhat')}
        action={
          <Button asChild look="secondary">
            <LocalLink href={`${home}/destroy`}>{t('destroy.begin')}</LocalLink>
          </Button>
        }
      />
    </Parts>
  );
}
