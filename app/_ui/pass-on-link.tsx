'use client';

import { Check, Copy, QrCode as QrIcon, Share2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { shortened } from '../../protocol/guardian-links.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { copyText } from './copy-button.tsx';
import { QrCode } from './qr-code.tsx';
import { useBrowser } from './use-browser.ts';

const SHOWN_MS = 4_000;

type PassOnLinkProps = {
  /** As the API returned it. */
  link: string;
  /** The recipient, in words. */
  name: string;
  /** The text that is shared with the link. */
  message: string;
  /** A long link, whose QR code is large, and shown at once. */
  large?: boolean;
};

/** A link for one person, with ways to copy and share it. */
export function PassOnLink({ link, name, message, large = false }: PassOnLinkProps) {
  const url = shortened(link);
  const t = useTranslations('common.passOn');
  const label = useTranslations('common.copy');
  const [showsQr, setShowsQr] = useState(large);
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  const recipient = <span className="sr-only">({name})</span>;
  const canShare = useBrowser() && 'share' in navigator;

  useEffect(() => {
    if (outcome !== 'copied') return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = () =>
    copyText(url).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    );
  // The person may have closed the share sheet: that is no failure.
  const share = () => navigator.share({ text: message, url }).catch(() => undefined);

  return (
    <Card className="flex break-inside-avoid flex-col gap-4">
      <h2 className="text-lg">{name}</h2>
      <p className="font-mono text-sm break-all text-muted print:text-ink" translate="no">
        {url}
      </p>
      <div className="flex flex-wrap gap-3 print:hidden">
        {canShare && (
          <Button onClick={share}>
            <Share2 aria-hidden />
            {t('share')}
            {recipient}
          </Button>
        )}
        <Button look={canShare ? 'secondary' : 'primary'} onClick={copy}>
          {outcome === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
          {outcome === 'copied' ? t('copied') : label('link')}
          {recipient}
        </Button>
        <Button look="secondary" aria-expanded={showsQr} onClick={() => setShowsQr(!showsQr)}>
          <QrIcon aria-hidden />
          {showsQr ? t('hideQr') : t('qr')}
          {recipient}
        </Button>
      </div>
      <p role="status" className={outcome === 'refused' ? 'font-semibold text-danger-ink' : 'sr-only'}>
        {outcome === 'copied' && t('copiedOf', { who: name })}
        {outcome === 'refused' && t('refused')}
      </p>
      {showsQr && (
        <div className="space-y-2">
          <QrCode text={url} label={t('qrLabel', { who: name })} failed={t('qrFailed')} large={large} />
          <p className="text-sm text-muted print:hidden">{t('qrHint')}</p>
        </div>
      )}
    </Card>
  );
}
