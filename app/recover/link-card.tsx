'use client';

import { Check } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Card } from '../_ui/card.tsx';
import { PassOnLink } from '../_ui/pass-on-link.tsx';
import type { GuardianLink } from './kept-recovery.ts';
import type { LinkStatus } from './request-status.ts';

type LinkCardProps = {
  link: GuardianLink;
  /** The guardian's name, or their role in words. */
  name: string;
  domain: string;
  status: LinkStatus | undefined;
};

/** One guardian's link with the ways to pass it on, or that it is confirmed. */
export function LinkCard({ link, name, domain, status }: LinkCardProps) {
  const t = useTranslations('recover.links');
  if (status?.state === 'confirmed' || status?.state === 'superseded') {
    return (
      <Card className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg">{name}</h2>
        <p className="flex items-center gap-2 font-semibold text-accent-ink">
          {status.state === 'confirmed' && <Check aria-hidden className="size-5" />}
          {t(status.state)}
        </p>
      </Card>
    );
  }
  return <PassOnLink link={link.url} name={name} message={t('message', { domain })} />;
}
