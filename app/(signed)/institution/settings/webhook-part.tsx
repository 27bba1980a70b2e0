'use client';

import { useTranslations } from 'use-intl/react';
import { Refused } from '../../../_trpc/refused.tsx';
import { Badge } from '../../../_ui/badge.tsx';
import { Button } from '../../../_ui/button.tsx';
import { deferred } from '../../../_ui/deferred.tsx';
import { Fact } from '../../../_ui/scope-summary.tsx';
import { useDates } from '../../../_ui/use-dates.ts';
import { Done, Part } from '../../_safety/part.tsx';
import { useWebhook, type Webhook } from './use-webhook.ts';

/** Loaded once the delivery was read. */
const WebhookLog = deferred(async () => (await import('./webhook-log.tsx')).WebhookLog);
const EventSamples = deferred(async () => (await import('./webhook-log.tsx')).EventSamples);

const TONES = {
  ACTIVE: 'accent',
  FAILING: 'caution',
  PAUSED: 'caution',
  OFF: 'neutral',
  NONE: 'neutral',
} as const satisfies Record<Webhook['status'], string>;

/** The delivery of events to the institution's webhook, which only its key can read and change. */
export function WebhookPart({ ieoId }: { ieoId: string }) {
  const t = useTranslations('institution.settings.webhook');
  const { webhook, busy, failure, done, read, act } = useWebhook(ieoId);
  const isBusy = busy !== null;
  return (
    <Part id="webhook" title={t('title')}>
      <p>{t('lead')}</p>
      {webhook && <Delivery webhook={webhook} />}
      <Refused failure={failure} />
      <Done>{done && t(`done.${done}`)}</Done>
      <div className="flex flex-col flex-wrap gap-3 sm:flex-row">
        <Button
          look="secondary"
          onClick={() => void read()}
          busy={busy === 'read'}
          disabled={isBusy && busy !== 'read'}
        >
          {t(webhook ? 'refresh' : 'show')}
        </Button>
        {webhook && webhook.status !== 'OFF' && webhook.status !== 'NONE' && (
          <>
            <Button look="secondary" onClick={() => void act('test')} busy={busy === 'test'}>
              {t('test')}
            </Button>
            {webhook.status !== 'ACTIVE' && (
              <Button look="secondary" onClick={() => void act('resume')} busy={busy === 'resume'}>
                {t(webhook.status === 'PAUSED' ? 'resume' : 'tryNow')}
              </Button>
            )}
            {webhook.status !== 'PAUSED' && (
              <Button look="quiet" onClick={() => void act('pause')} busy={busy === 'pause'}>
                {t('pause')}
              </Button>
            )}
          </>
        )}
      </div>
      {webhook && webhook.responses.length > 0 && (
        <WebhookLog
          ieoId={ieoId}
          responses={webhook.responses}
          isBusy={isBusy}
          onResend={({ event_id: eventId, event_at: at }) => void act('resend', { eventId, at })}
          onReplay={({ event_at: from }) => void act('replay', { from, until: null })}
        />
      )}
      {webhook && webhook.status !== 'OFF' && <EventSamples />}
    </Part>
  );
}

/** How delivery goes, and what waits. */
function Delivery({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('institution.settings.webhook');
  const dates = useDates();
  const { status, pause_reason: reason, next_attempt_at: next, waiting } = webhook;
  return (
    <>
      <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>
      {reason && <p>{t(`paused.${reason}`)}</p>}
      <dl className="space-y-2">
        <Fact name={t('waiting')}>{t(waiting.more ? 'waitingMore' : 'waitingCount', { count: waiting.events })}</Fact>
        {next && <Fact name={t('next')}>{dates.moment(next)}</Fact>}
      </dl>
    </>
  );
}
