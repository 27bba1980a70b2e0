'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { INTENTS } from '../../../../protocol/entities/intents.ts';
import { CATEGORIES } from '../../../../protocol/records/taxonomy.ts';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { FormActions } from '../../../_ui/form-actions.tsx';
import { Fact } from '../../../_ui/scope-summary.tsx';
import { useDay } from '../../../_ui/use-day.ts';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';
import { Done } from '../../_safety/part.tsx';
import { type Asked, RequestForm } from './request-form.tsx';
import { type OwnRequest, useCertificationRequest } from './use-certification-request.ts';

/** Asks the institute for a certification, and shows its answer. */
export function CertificationRequest({ institution }: { institution: Asked }) {
  const t = useTranslations('institution.certification.ask');
  const day = useDay();
  const { request, busy, done, failure, read, ask, withdraw } = useCertificationRequest(institution.ieo_id);
  const [isChanging, setChanging] = useState(false);
  const mayAsk = institution.status === 'ACTIVE';
  const isOpen = request?.status === 'OPEN' && !isChanging;
  const send = async (fields: Parameters<typeof ask>[0]) => {
    if (await ask(fields)) setChanging(false);
  };
  return (
    <section className="space-y-5">
      <h2>{t(isOpen ? 'openTitle' : 'title')}</h2>
      <Done>{done === 'request' ? t('sent') : done === 'withdraw' && t('withdrawn')}</Done>
      {request === undefined && (
        <>
          <p>{t('locked')}</p>
          <Refused failure={failure} />
          <Button look="secondary" onClick={() => void read()} busy={busy === 'read'}>
            {t('open')}
          </Button>
        </>
      )}
      {request && !isOpen && !isChanging && (
        <Alert tone={request.status === 'DECLINED' ? 'caution' : 'info'}>
          {request.status === 'DECLINED' ? (
            <>
              <p className="font-semibold">{t('declined', { day: day(request.requested_at) })}</p>
              <p className="break-words whitespace-pre-line">{request.reason}</p>
              <p>{t('again')}</p>
            </>
          ) : (
            <p>{t('answered', { day: day(request.requested_at) })}</p>
          )}
        </Alert>
      )}
      {request && isOpen && (
        <>
          <OpenRequest request={request} />
          <Refused failure={failure} />
          <FormActions>
            {mayAsk && (
              <Button look="secondary" onClick={() => setChanging(true)} disabled={busy !== null}>
                {t('change')}
              </Button>
            )}
            <Button look="quiet" onClick={() => void withdraw()} busy={busy === 'withdraw'}>
              {t(busy === 'withdraw' ? 'withdrawing' : 'withdraw')}
            </Button>
          </FormActions>
        </>
      )}
      {request !== undefined && !isOpen && mayAsk && (
        <RequestForm
          institution={institution}
          before={request}
          isSending={busy === 'request'}
          failure={failure}
          onSend={send}
        />
      )}
    </section>
  );
}

/** What was asked for, until it is answered. */
function OpenRequest({ request }: { request: OwnRequest }) {
  const t = useTranslations('institution.certification');
  const words = useScopeWords();
  const day = useDay();
  const { level, categories, intents, grounds, requested_at: at } = request;
  return (
    <Card className="space-y-3">
      <p className="text-lg font-bold first-letter:uppercase">{words.certLevel(level)}</p>
      <p>{t('ask.waiting')}</p>
      <dl className="space-y-2">
        <Fact name={t('intents')}>
          {intents.length > 0 ? words.intents(INTENTS.filter((intent) => intents.includes(intent))) : t('anything')}
        </Fact>
        <Fact name={t('categories')}>
          {categories.length > 0
            ? words.categories(CATEGORIES.filter((code) => categories.includes(code)))
            : t('anything')}
        </Fact>
        <Fact name={t('ask.grounds')}>
          <span className="break-words whitespace-pre-line">{grounds}</span>
        </Fact>
        <Fact name={t('ask.asked')}>{day(at)}</Fact>
      </dl>
    </Card>
  );
}
