'use client';

import { Check, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useSession } from '../../_session/session.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { LocalLink, useGo } from '../../_ui/local-link.tsx';
import { Name } from '../../_ui/name.tsx';
import { Screen } from '../../_ui/screen.tsx';
import { SentenceToCopy } from '../../_ui/sentence-to-copy.tsx';
import { CardSkeleton } from '../../_ui/skeletons.tsx';
import { keepRequest, keptRequest } from '../../_wizard/kept-request.ts';
import { useVerifiedRequest } from '../../_wizard/use-verified-request.ts';
import type { AskedConsent } from '../../_wizard/verify-request.ts';
import { RequestCard } from './request-card.tsx';

/** Shows a request for a consent once it is verified; the person looks at it more closely, or refuses. */
export function Ask() {
  const t = useTranslations('ask');
  const text = useText();
  const { verified, failure } = useVerifiedRequest(text || null);
  const [refused, setRefused] = useState<AskedConsent | null>(null);

  if (refused) return <RefusedRequest reference={refused.request.reference} />;
  if (text === '') return <Problem problem="unreadable" />;
  if (failure) return <Refused failure={failure} />;
  if (!verified)
    return (
      <Screen title={t('checking')} heading="h1" focus={false} className="max-w-form space-y-5">
        <CardSkeleton lines={4} />
      </Screen>
    );
  if ('problem' in verified) return <Problem problem={verified.problem} />;
  const refuse = () => {
    keepRequest(null);
    setRefused(verified);
  };
  return <Request asked={verified} onRefuse={refuse} />;
}

/** The text after `#`, or that of the request that this tab came from; undefined until the scripts run, empty without one. */
function useText(): string | undefined {
  const [text, setText] = useState<string>();
  useEffect(() => {
    const read = () => setText(window.location.hash.slice(1) || (keptRequest() ?? ''));
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return text;
}

type MessageProps = { title: string; focus?: boolean; children: ReactNode };

function Message({ title, focus = false, children }: MessageProps) {
  const t = useTranslations('ask');
  return (
    <Screen title={title} heading="h1" focus={focus} className="max-w-form space-y-5">
      {children}
      <Button asChild look="secondary" size="large">
        <LocalLink href="/me">{t('home')}</LocalLink>
      </Button>
    </Screen>
  );
}

/** Nothing was sent: what the person may tell the institution, in their own way. */
function RefusedRequest({ reference }: { reference: string | null }) {
  const t = useTranslations('ask.refused');
  return (
    <Message title={t('title')} focus>
      <p>{t('body')}</p>
      <SentenceToCopy>
        {t('sentence', { reference: reference ?? '', has: reference === null ? 'no' : 'yes' })}
      </SentenceToCopy>
    </Message>
  );
}

type ProblemKey = 'unreadable' | 'altered' | 'elsewhere' | 'ended' | 'used' | 'unknown' | 'revoked' | 'suspended';

function Problem({ problem }: { problem: ProblemKey }) {
  const t = useTranslations('ask.problem');
  return (
    <Message title={t(`${problem}.title`)}>
      <p>{t(`${problem}.body`)}</p>
    </Message>
  );
}

function Request({ asked, onRefuse }: { asked: AskedConsent; onRefuse: () => void }) {
  const t = useTranslations('ask');
  const { identities } = useSession();
  const go = useGo();
  const { request, institution, beoId } = asked;
  const holder =
    identities.state === 'read' ? (identities.value.find(({ kind }) => kind === 'holder') ?? null) : undefined;
  const own = holder && beoId !== null && holder.id !== beoId ? holder.domain : null;
  const lead = (href: string) => {
    keepRequest(request.text);
    go(href);
  };

  if (own !== null)
    return (
      <Message title={t('other.title')}>
        <p>{t.rich('other.body', { own: () => <Name>{own}</Name> })}</p>
        <Button look="secondary" size="large" onClick={() => lead('/sign-in')}>
          {t('signIn')}
        </Button>
      </Message>
    );
  const isSigned = request.signature !== null;
  const who = institution.display_name ?? institution.domain;
  return (
    <Screen
      title={t(isSigned ? 'title' : 'unsignedTitle', { who })}
      heading="h1"
      focus={false}
      className="max-w-form space-y-5"
    >
      {!isSigned && (
        <Alert tone="caution" title={t('unsigned.title')}>
          <p>{t('unsigned.body')}</p>
        </Alert>
      )}
      <RequestCard asked={asked} />
      {holder === null && <p>{t('needsIdentity')}</p>}
      <div className="grid gap-3 pt-1 sm:grid-cols-2">
        {holder !== null && (
          <Button
            look="secondary"
            size="large"
            busy={holder === undefined}
            onClick={() => lead('/me/consents/new?asked=1')}
          >
            <Check aria-hidden />
            {t('look')}
          </Button>
        )}
        {holder === null && beoId === null && (
          <Button look="secondary" size="large" onClick={() => lead('/create')}>
            {t('create')}
          </Button>
        )}
        {holder === null && (
          <Button look="secondary" size="large" onClick={() => lead('/sign-in')}>
            {t('signIn')}
          </Button>
        )}
        <Button look="secondary" size="large" onClick={onRefuse}>
          <X aria-hidden />
          {t('refuse')}
        </Button>
      </div>
      <p className="text-sm text-muted">{t('untold')}</p>
    </Screen>
  );
}
