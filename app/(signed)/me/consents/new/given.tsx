'use client';

import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../../protocol/entities/token.ts';
import { Button } from '../../../../_ui/button.tsx';
import { LocalLink } from '../../../../_ui/local-link.tsx';
import { GiveConsent } from '../../../../_ui/pictures/give-consent.tsx';
import { Screen } from '../../../../_ui/screen.tsx';
import { ConsentReceipt, PrintReceipt } from './receipt.tsx';

/** The last screen: the consent as a receipt. */
export function Given({ consent }: { consent: TokenView }) {
  const t = useTranslations('consents');
  return (
    <Screen title={t('givenTitle')} heading="h1" className="max-w-prose space-y-5">
      <GiveConsent className="w-48 print:hidden" />
      <p className="print:hidden">{t('givenLead')}</p>
      <ConsentReceipt consent={consent} />
      <div className="flex flex-col gap-3 sm:flex-row print:hidden">
        <Button asChild size="large">
          <LocalLink href="/me/consents">{t('toConsents')}</LocalLink>
        </Button>
        <PrintReceipt />
      </div>
    </Screen>
  );
}
