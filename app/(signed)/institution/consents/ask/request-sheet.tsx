'use client';

import { Printer } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { IeoView } from '../../../../../protocol/entities/ieo.ts';
import { Button } from '../../../../_ui/button.tsx';
import { CopyButton } from '../../../../_ui/copy-button.tsx';
import { LocalLink } from '../../../../_ui/local-link.tsx';
import { QrCode } from '../../../../_ui/qr-code.tsx';
import { Fact, Label, ScopeSummary } from '../../../../_ui/scope-summary.tsx';
import { Screen } from '../../../../_ui/screen.tsx';
import { useDay } from '../../../../_ui/use-day.ts';
import { useScopeWords } from '../../../../_ui/use-scope-words.ts';
import type { MadeRequest } from './ask-for-consent.tsx';

type RequestSheetProps = { institution: IeoView; made: MadeRequest; onAgain: () => void };

/** The link and the QR code of a request, on the screen and as a sheet of paper. */
export function RequestSheet({ institution, made: { request, link }, onAgain }: RequestSheetProps) {
  const t = useTranslations('institution.askConsent.sheet');
  const failed = useTranslations('common.passOn')('qrFailed');
  const words = useScopeWords();
  const day = useDay();
  const { scope, expiresInDays: days, purpose, reference, once, validUntil } = request;
  const who = institution.display_name ?? institution.domain;
  const whom = once === false ? t('counter') : once === true ? t('first') : t('named', { person: once });
  return (
    <Screen title={t('title', { who })} heading="h1" focus className="max-w-form space-y-5">
      <p translate="no" className="font-semibold">
        {institution.domain}
      </p>
      <p className="text-lg">{t('scan')}</p>
      <QrCode text={link} label={t('qr', { who })} failed={failed} large />
      <figure>
        <figcaption className="text-sm text-muted">{t('purpose')}</figcaption>
        <blockquote className="border-l-2 border-line pl-3 break-words">{purpose}</blockquote>
      </figure>
      <ScopeSummary scope={scope} className="space-y-2">
        <Fact name={t('long')}>
          <Label>{days === null ? words.end(null) : t('days', { count: days })}</Label>
        </Fact>
        {reference !== null && <Fact name={t('reference')}>{reference}</Fact>}
        <Fact name={t('whom')}>{whom}</Fact>
        <Fact name={t('until')}>{day(validUntil)}</Fact>
      </ScopeSummary>
      <p className="hidden print:block">{t('rights')}</p>
      <div className="space-y-2 print:hidden">
        <h2 className="text-lg">{t('link')}</h2>
        <p translate="no" className="max-h-32 overflow-hidden font-mono text-sm break-all text-muted">
          {link}
        </p>
        <div className="flex flex-wrap gap-3">
          <CopyButton value={link} what="link" />
          <Button look="secondary" onClick={() => window.print()}>
            <Printer aria-hidden />
            {t('print')}
          </Button>
          <Button look="secondary" onClick={onAgain}>
            {t('again')}
          </Button>
          <Button asChild look="quiet">
            <LocalLink href="/institution/consents">{t('done')}</LocalLink>
          </Button>
        </div>
        <p className="text-muted">{t('after')}</p>
      </div>
    </Screen>
  );
}
