'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import type { BeoView } from '../../../../protocol/entities/beo.ts';
import { CancelRefused } from '../../../_session/cancel-recovery.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Identifier } from '../../../_ui/identifier.tsx';
import { Actions, Question } from '../../../_ui/question.tsx';
import { When } from '../../../_ui/when.tsx';
import type { Flow } from './guardian-screen-props.ts';

type OpenRequestProps = Flow & { request: NonNullable<BeoView['active_recovery']> };

const bold = (chunks: ReactNode) => <strong>{chunks}</strong>;

/** An open recovery request for another key, and what a holder who did not make it can do. */
export function OpenRequest({ request, beoId, domain, focus, sending, onDone }: OpenRequestProps) {
  const t = useTranslations('myGuardians.request');
  const cancelling = useTranslations('dashboard.cancelRecovery');
  const { confirmations: given, confirmations_needed: needed, expires_at, new_public_key: key } = request;
  return (
    <Question title={t('title', { domain })} focus={focus}>
      <p className="text-lg">{t('confirmations', { given, needed, missing: Math.max(needed - given, 0) })}</p>
      <p>{t.rich('until', { when: (end) => <When at={expires_at}>{end}</When> })}</p>
      <h2 className="pt-2">{t('notYours')}</h2>
      <ol className="list-decimal space-y-3 pl-6 marker:font-bold">
        <li>{t.rich('call', { b: bold })}</li>
        <li>{t.rich('cancel', { b: bold })}</li>
        <li>{t.rich('ask', { b: bold })}</li>
        <li>{t.rich('wait', { b: bold })}</li>
        <li>{t.rich('after', { b: bold })}</li>
      </ol>
      <CancelRefused failure={sending.failure} />
      <Actions>
        <Button
          size="large"
          busy={sending.sending}
          onClick={() =>
            void sending.send('cancelRecovery', { beoId, requestId: request.request_id }, () =>
              onDone({ kind: 'cancelled' }),
            )
          }
        >
          {cancelling(sending.sending ? 'sending' : 'yes')}
        </Button>
      </Actions>
      <p className="text-muted">{cancelling('limit')}</p>
      <p>{t('yours')}</p>
      <h2 className="pt-2">{t('key')}</h2>
      <Identifier value={key} what="newPublicKey" />
    </Question>
  );
}
