'use client';

import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { CancelRefused } from '../../../_session/cancel-recovery.tsx';
import { useHolder } from '../../../_session/current.tsx';
import { useWrite } from '../../../_session/write.tsx';
import { type Failure, failureOf } from '../../../_trpc/failure.ts';
import { useTRPC } from '../../../_trpc/query-provider.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { FormActions } from '../../../_ui/form-actions.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { Name } from '../../../_ui/name.tsx';
import { Screen } from '../../../_ui/screen.tsx';
import { CardSkeleton } from '../../../_ui/skeletons.tsx';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';
import { type AskedRequest, operationFor, readAskedRequest } from './asked-request.ts';

type Ending = 'signed' | 'refused';

/** Explains a request that came with a link; the person signs it or refuses. */
export function Asked() {
  const t = useTranslations('asked');
  const { kept } = useHolder();
  const request = readAskedRequest(useSearchParams());
  const [ending, setEnding] = useState<Ending | null>(null);

  if (request === null) return <Message title={t('unknown.title')} body={t('unknown.body')} />;
  if (request.beo !== kept.domain) {
    const body = t.rich('other.body', {
      asked: () => <Name>{request.beo}</Name>,
      own: () => <Name>{kept.domain}</Name>,
    });
    return <Message title={t('other.title')} body={body} to="/sign-in" action={t('other.switch')} />;
  }
  if (ending) return <Message key={ending} title={t(`${ending}.title`)} body={t(`${ending}.body`)} focus />;

  const { ask } = request;
  return (
    <Screen title={t('title', { ask })} heading="h1" focus={false} className="max-w-form space-y-5">
      <p>{t(`means.${ask}`)}</p>
      {ask === 'revokeToken' && <OneConsent tokenId={request.tokenId} />}
      <Alert tone="caution" title={t('who.title')}>
        <p>{t('who.body')}</p>
      </Alert>
      <Answer request={request} onEnd={setEnding} />
    </Screen>
  );
}

type MessageProps = { title: string; body: React.ReactNode; to?: string; action?: string; focus?: boolean };

function Message({ title, body, to = '/me', action, focus = false }: MessageProps) {
  const t = useTranslations('asked');
  return (
    <Screen title={title} heading="h1" focus={focus} className="max-w-form space-y-5">
      <p>{body}</p>
      <Button asChild look="secondary" size="large">
        <LocalLink href={to}>{action ?? t('home')}</LocalLink>
      </Button>
    </Screen>
  );
}

function Answer({ request, onEnd }: { request: AskedRequest; onEnd: (ending: Ending) => void }) {
  const t = useTranslations('asked');
  const { kept } = useHolder();
  const write = useWrite();
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const signed = operationFor(request, kept.id);

  const sign = async ({ operation, fields }: NonNullable<typeof signed>) => {
    setSending(true);
    setFailure(null);
    const written = await write(operation, fields);
    setSending(false);
    if (written.ok) onEnd('signed');
    else setFailure(written.failure);
  };

  return (
    <>
      {request.ask === 'cancelRecovery' ? <CancelRefused failure={failure} /> : <Refused failure={failure} />}
      <FormActions>
        {signed ? (
          <Button look="secondary" size="large" onClick={() => sign(signed)} busy={sending}>
            {sending ? t('sending') : t('sign', { ask: request.ask })}
          </Button>
        ) : (
          <Button asChild look="secondary" size="large">
            <LocalLink href="/me/destroy">{t('continue')}</LocalLink>
          </Button>
        )}
        <Button look="secondary" size="large" onClick={() => onEnd('refused')} disabled={sending}>
          {t('refuse')}
        </Button>
      </FormActions>
    </>
  );
}

/** The consent that a request would end, as the service knows it. */
function OneConsent({ tokenId }: { tokenId: string }) {
  const t = useTranslations('asked.wish');
  const words = useScopeWords();
  const { data, error } = useQuery(useTRPC().consent.queryOptions({ tokenId }));
  if (!data) return error ? <Refused failure={failureOf(error)} /> : <CardSkeleton lines={2} />;
  const { token } = data;
  return (
    <p className="rounded-lg border border-line bg-surface p-5 font-semibold break-words">
      {token ? `${token.ieo_domain ?? token.ieo_id}: ${words.intents(token.scope.intents)}` : t('none')}
    </p>
  );
}
