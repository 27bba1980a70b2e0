'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import { Refused } from '../../../_trpc/refused.tsx';
import { useAddress } from '../../../_ui/address.ts';
import { Button } from '../../../_ui/button.tsx';
import { Select } from '../../../_ui/select.tsx';
import { useDates } from '../../../_ui/use-dates.ts';
import { withParameters } from '../../../_ui/with-parameters.ts';
import samples from './event-samples.json' with { type: 'json' };
import { usePayload } from './use-payload.ts';
import type { WebhookResponse } from './use-webhook.ts';

type WebhookLogProps = {
  ieoId: string;
  responses: readonly WebhookResponse[];
  isBusy: boolean;
  onResend: (response: WebhookResponse) => void;
  onReplay: (response: WebhookResponse) => void;
};

const FAILED = 'failed';

const wasTaken = ({ status }: WebhookResponse): boolean => status !== null && status >= 200 && status < 300;

/** The last requests to the receiver: what was sent, how long it took, and what it answered. */
export function WebhookLog({ ieoId, responses, isBusy, onResend, onReplay }: WebhookLogProps) {
  const t = useTranslations('institution.settings.webhook');
  const { search, replace } = useAddress();
  const types = [...new Set(responses.map(({ event_type: type }) => type))].sort();
  const filter = [FAILED, ...types].find((each) => each === search.get('requests')) ?? '';
  const shown = responses.filter((response) =>
    filter === FAILED ? !wasTaken(response) : filter === '' || response.event_type === filter,
  );
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h3 className="font-semibold">{t('responses')}</h3>
        <Select
          label={t('filter')}
          value={filter}
          onChange={({ target }) => replace(`?${withParameters(search, { requests: target.value })}`)}
        >
          <option value="">{t('all')}</option>
          <option value={FAILED}>{t('failed')}</option>
          {types.map((type) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </Select>
      </div>
      {shown.length === 0 && <p className="text-muted">{t('noneShown')}</p>}
      <ul className="divide-y divide-line">
        {shown.map((response) => (
          <Response
            key={`${response.at} ${response.event_id}`}
            ieoId={ieoId}
            response={response}
            isBusy={isBusy}
            onResend={() => onResend(response)}
            onReplay={() => onReplay(response)}
          />
        ))}
      </ul>
    </div>
  );
}

type ResponseProps = {
  ieoId: string;
  response: WebhookResponse;
  isBusy: boolean;
  onResend: () => void;
  onReplay: () => void;
};

/** A request to the receiver and what it answered. */
function Response({ ieoId, response, isBusy, onResend, onReplay }: ResponseProps) {
  const t = useTranslations('institution.settings.webhook');
  const dates = useDates();
  const { payload, isReading, failure, read } = usePayload(ieoId, response);
  const { at, sent, event_type: type, status, problem, ms, body } = response;
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
      {payload === 'gone' ? <p className="text-muted">{t('payloadGone')}</p> : payload && <Message message={payload} />}
      <Refused failure={failure} />
      <div className="flex flex-col flex-wrap gap-3 sm:flex-row">
        {payload === null && (
          <Button look="quiet" onClick={() => void read()} busy={isReading}>
            {t('payload')}
          </Button>
        )}
        {sent !== 'test' && (
          <Button look="secondary" onClick={onResend} disabled={isBusy}>
            {t('resend')}
          </Button>
        )}
        {sent !== 'test' && wasTaken(response) && (
          <Button look="quiet" onClick={onReplay} disabled={isBusy}>
            {t('replay')}
          </Button>
        )}
      </div>
    </li>
  );
}

/** What each type of event looks like, so that a receiver can be written before the first one comes. */
export function EventSamples() {
  const t = useTranslations('institution.settings.webhook');
  const [type, setType] = useState('consent.granted');
  const sample = samples.find((one) => one.type === type);
  return (
    <details className="rounded-md border border-line px-4 py-2">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">{t('samples')}</summary>
      <div className="space-y-3 pb-3">
        <Select label={t('sampleType')} value={type} onChange={({ target }) => setType(target.value)}>
          {samples.map((one) => (
            <option key={one.type} value={one.type}>
              {one.type}
            </option>
          ))}
        </Select>
        {sample && <Message message={sample} />}
      </div>
    </details>
  );
}

function Message({ message }: { message: Json }) {
  const t = useTranslations('institution.settings.webhook');
  return (
    <figure aria-label={t('message')} className="rounded-md bg-sunken p-3">
      <pre className="text-sm wrap-anywhere whitespace-pre-wrap">{JSON.stringify(message, null, 2)}</pre>
    </figure>
  );
}
