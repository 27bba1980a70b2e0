'use client';

import { Check } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Card } from '../_ui/card.tsx';
import { PassOnLink } from '../_ui/pass-on-link.tsx';
import type { GuardianLink } from './kept-recovery.ts';
import type { LinkStanding } from './standing.ts';

type LinkCardProps = {
  link: GuardianLink;
  /** Whose it is, in words. */
  name: string;
  domain: string;
  standing: LinkStanding | undefined;
};

/** One guardian's link and the ways to pass it on; once it is confirmed, only that. */
export function LinkCard({ link, name, domain, standing }: LinkCardProps) {
  const t = useTranslations('recover.links');
  if (standing?.state === 'confirmed' || standing?.state === 'superseded') {
    return (
      <Card className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg">{name}</h2>
        <p className="flex items-center gap-2 font-semibold text-accent-ink">
          {standing.state === 'confirmed' && <Check aria-hidden className="size-5" />}
          {t(standing.state)}
        </p>
      </Card>
    );
  }
  return <PassOnLink url={link.url} name={name} message={t('message', { domain })} />;
}
