'use client';

import { useTranslations } from 'use-intl/react';
import { Refused } from '../../../_trpc/refused.tsx';
import { Badge } from '../../../_ui/badge.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Fact } from '../../../_ui/scope-summary.tsx';
import { useDates } from '../../../_ui/use-dates.ts';
import { Done, Part } from '../../_safety/part.tsx';
import { useWebhook, type Webhook, type WebhookResponse } from './use-webhook.ts';

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
        <div className="space-y-3">
          <h3 className="font-semibold">{t('responses')}</h3>
          <ul className="divide-y divide-line">
            {webhook.responses.map((response) => (
              <Response
                key={`${response.at} ${response.event_id}`}
                response={response}
                isBusy={isBusy}
                onResend={() => void act('resend', { eventId: response.event_id, at: response.event_at })}
                onReplay={() => void act('replay', { from: response.event_at, until: null })}
              />
            ))}
          </ul>
        </div>
      )}
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

type ResponseProps = {
  response: WebhookResponse;
  isBusy: boolean;
  onResend: () => void;
  onReplay: () => void;
};

/** A request to the receiver and what it answered. */
function Response({ response, isBusy, onResend, onReplay }: ResponseProps) {
  const t = useTranslations('institution.settings.webhook');
  const dates = useDates();
  const { at, sent, event_type: type, status, problem, ms, body } = response;
  const wasTaken = status !== null && status >= 200 && status < 300;
  return (
    <li className="space-y-2 py-3">
      <p>
        <span className="block text-sm text-muted">{dates.moment(at)}</span>
        <code className="break-all">{type}</code>
        <span className="block">
          {problem ? t(`problem.${problem}`) : t('answered', { status: String(status), ms })}
        </span>
        {body && <code className="block text-sm break-all text-muted">{body}</code>}
      </p>
      {sent !== 'test' && (
        <div className="flex flex-col flex-wrap gap-3 sm:flex-row">
          <Button look="secondary" onClick={onResend} disabled={isBusy}>
            {t('resend')}
          </Button>
          {wasTaken && (
            <Button look="quiet" onClick={onReplay} disabled={isBusy}>
              {t('replay')}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
