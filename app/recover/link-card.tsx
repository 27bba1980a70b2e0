'use client';

import { Check, Copy, QrCode as QrIcon, Share2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useBrowser } from '../ui/now.ts';
import type { GuardianLink } from './kept-recovery.ts';
import { QrCode } from './qr-code.tsx';
import type { LinkStanding } from './standing.ts';

const SHOWN_MS = 4_000;

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
  const [showsQr, setShowsQr] = useState(false);
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  const whose = <span className="sr-only">({name})</span>;
  const canShare = useBrowser() && 'share' in navigator;

  useEffect(() => {
    if (outcome !== 'copied') return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = () =>
    copyText(link.url).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    );
  // The person may close the list of apps again: nothing has failed then.
  const share = () => navigator.share({ text: t('message', { domain }), url: link.url }).catch(() => undefined);

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
  return (
    <Card className="flex break-inside-avoid flex-col gap-4">
      <h2 className="text-lg">{name}</h2>
      <p className="font-mono text-sm break-all text-muted print:text-ink" translate="no">
        {link.url}
      </p>
      <div className="flex flex-wrap gap-3 print:hidden">
        {canShare && (
          <Button onClick={share}>
            <Share2 aria-hidden />
            {t('share')}
            {whose}
          </Button>
        )}
        <Button look={canShare ? 'secondary' : 'primary'} onClick={copy}>
          {outcome === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
          {outcome === 'copied' ? t('copied') : t('copy')}
          {whose}
        </Button>
        <Button look="secondary" aria-expanded={showsQr} onClick={() => setShowsQr(!showsQr)}>
          <QrIcon aria-hidden />
          {showsQr ? t('hideQr') : t('qr')}
          {whose}
        </Button>
      </div>
      <p role="status" className={outcome === 'refused' ? 'font-semibold text-danger-ink' : 'sr-only'}>
        {outcome === 'copied' && t('copiedOf', { name })}
        {outcome === 'refused' && t('refused')}
      </p>
      {showsQr && (
        <div className="space-y-2">
          <QrCode text={link.url} label={t('qrLabel', { name })} failed={t('qrFailed')} />
          <p className="text-sm text-muted print:hidden">{t('qrHint')}</p>
        </div>
      )}
    </Card>
  );
}

async function copyText(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error('The clipboard is only there on secure pages.');
  await navigator.clipboard.writeText(text);
}
