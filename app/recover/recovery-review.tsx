'use client';

import { Check } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { OpenedKey } from '../_keys/secret.ts';
import { send } from '../_session/send.ts';
import { signerOfOpen } from '../_session/signer.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { Card } from '../_ui/card.tsx';
import { CertificationMark, type Marked } from '../_ui/certification-mark.tsx';
import { ConsentPicture } from '../_ui/consent-picture.tsx';
import { Name } from '../_ui/name.tsx';
import { Actions, Question } from '../_ui/question.tsx';
import { CardSkeleton } from '../_ui/skeletons.tsx';
import { useDay } from '../_ui/use-day.ts';
import { StepLink } from '../_wizard/wizard.tsx';
import { activeConsents, type Consent } from './read-consents.ts';
import type { Shown } from './recover-screens.tsx';
import { Refusal } from './refusal.tsx';
import { useMarks } from './use-marks.ts';

type Stage = 'active' | 'sending' | 'withdrawn';

/** The consents that are in force; the person can withdraw one or all. */
export function Review({ identity, signer }: Shown & { signer: OpenedKey }) {
  const t = useTranslations('recover.consents');
  const { domain, beo_id: beoId } = identity;
  const { consents, retry } = useActiveConsents(domain);
  const [stages, setStages] = useState<Readonly<Record<string, Stage>>>({});
  const [refused, setRefused] = useState<string | null>(null);
  const [all, setAll] = useState<'offered' | 'confirming' | 'sending' | 'done'>('offered');
  const result = useRef<HTMLParagraphElement>(null);

  // The button that had the focus is removed.
  useEffect(() => {
    if (all === 'done') result.current?.focus();
  }, [all]);

  const withdraw = async ({ tokenId }: Consent) => {
    if (stages[tokenId] === 'sending') return;
    const mark = (stage: Stage) => setStages((before) => ({ ...before, [tokenId]: stage }));
    setRefused(null);
    mark('sending');
    const sent = await send('revokeToken', { tokenId }, { key: signerOfOpen(signer) });
    const refusal = sent.ok || sent.failure.code === 'TOKEN_ALREADY_REVOKED' ? null : sent.failure.code;
    mark(refusal === null ? 'withdrawn' : 'active');
    setRefused(refusal);
  };

  const withdrawAll = async () => {
    setRefused(null);
    setAll('sending');
    const sent = await send('revokeAllTokens', { beoId }, { key: signerOfOpen(signer) });
    setAll(sent.ok ? 'done' : 'offered');
    if (!sent.ok) setRefused(sent.failure.code);
  };

  const stageOf = ({ tokenId }: Consent): Stage => (all === 'done' ? 'withdrawn' : (stages[tokenId] ?? 'active'));
  const list = Array.isArray(consents) ? consents : [];
  const active = list.filter((consent) => stageOf(consent) !== 'withdrawn').length;
  const isOwn = (consent: Consent) => consent.domain === domain;
  const marks = useMarks(list.flatMap((consent) => (consent.domain && !isOwn(consent) ? [consent.domain] : [])));

  return (
    <Question title={t('title')}>
      {consents === null && <CardSkeleton lines={4} words={t('loading')} />}
      {consents === 'failed' && (
        <Alert tone="caution" title={t('failed')}>
          <Button look="secondary" className="mt-2" onClick={retry}>
            {t('retry')}
          </Button>
        </Alert>
      )}
      {Array.isArray(consents) && (
        <>
          <p className="text-lg">{list.length === 0 ? t('none') : t('lead')}</p>
          <p ref={result} tabIndex={-1} role="status" className="font-semibold focus:outline-none">
            {list.length > 0 && t('active', { count: active })}
          </p>
          <Refusal code={refused} />
          {list.map((consent) => (
            <ConsentCard
              key={consent.tokenId}
              consent={consent}
              own={isOwn(consent)}
              mark={(consent.domain && marks.get(consent.domain)) || null}
              stage={stageOf(consent)}
              onWithdraw={() => withdraw(consent)}
            />
          ))}
          {active > 1 && all !== 'done' && (
            <WithdrawAll
              count={active}
              stage={all}
              onAsk={() => setAll('confirming')}
              onKeep={() => setAll('offered')}
              onWithdraw={withdrawAll}
            />
          )}
        </>
      )}
      <Actions>
        <StepLink to="done" look={active > 0 ? 'secondary' : 'primary'}>
          {t('back')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** The consents of an identity that are in force; null while they are read. */
function useActiveConsents(domain: string) {
  const [consents, setConsents] = useState<readonly Consent[] | 'failed' | null>(null);

  useEffect(() => {
    if (consents !== null) return;
    let cancelled = false;
    activeConsents(domain).then((found) => cancelled || setConsents(found ?? 'failed'));
    return () => {
      cancelled = true;
    };
  }, [domain, consents]);

  return { consents, retry: () => setConsents(null) };
}

type ConsentCardProps = {
  consent: Consent;
  own: boolean;
  mark: Marked | null;
  stage: Stage;
  onWithdraw: () => void;
};

function ConsentCard({ consent, own, mark, stage, onWithdraw }: ConsentCardProps) {
  const t = useTranslations('recover.consents');
  const day = useDay();
  const name = consent.domain ?? t('unnamed');
  const outcome = useRef<HTMLParagraphElement>(null);
  const wasSending = useRef(false);

  useEffect(() => {
    if (stage === 'withdrawn' && wasSending.current) outcome.current?.focus();
    wasSending.current = stage === 'sending';
  }, [stage]);

  return (
    <Card className="space-y-3">
      <ConsentPicture
        who={
          <>
            <h2 className="text-lg">
              <Name>{name}</Name>
            </h2>
            {mark && <CertificationMark institution={mark} />}
            {own && <p className="text-sm text-muted">{t('own')}</p>}
          </>
        }
        own={own}
        scope={consent}
        granted_at={consent.grantedAt}
        expires_at={consent.expiresAt}
      />
      <p className="text-sm text-muted">{t('given', { day: day(consent.grantedAt) })}</p>
      {stage === 'withdrawn' ? (
        <p
          ref={outcome}
          tabIndex={-1}
          className="flex items-center gap-2 font-semibold text-accent-ink focus:outline-none"
        >
          <Check aria-hidden className="size-5" />
          {t('withdrawn')}
        </p>
      ) : (
        <Button look="secondary" onClick={onWithdraw} busy={stage === 'sending'}>
          {stage === 'sending' ? t('withdrawing') : t('withdraw')}
          <span className="sr-only">({name})</span>
        </Button>
      )}
    </Card>
  );
}

type WithdrawAllProps = {
  count: number;
  stage: 'offered' | 'confirming' | 'sending';
  onAsk: () => void;
  onKeep: () => void;
  onWithdraw: () => void;
};

/** Asks for a confirmation before all consents are withdrawn. */
function WithdrawAll({ count, stage, onAsk, onKeep, onWithdraw }: WithdrawAllProps) {
  const t = useTranslations('recover.consents.all');
  const heading = useRef<HTMLHeadingElement>(null);
  const isConfirming = stage === 'confirming';

  useEffect(() => {
    if (isConfirming) heading.current?.focus();
  }, [isConfirming]);

  if (stage === 'offered') {
    return (
      <Button look="secondary" size="large" onClick={onAsk}>
        {t('ask', { count })}
      </Button>
    );
  }
  return (
    <section className="space-y-3 rounded-lg border-2 border-caution-edge p-5">
      <h2 ref={heading} tabIndex={-1} className="focus:outline-none">
        {t('title', { count })}
      </h2>
      <p>{t('body')}</p>
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button size="large" onClick={onWithdraw} busy={!isConfirming}>
          {isConfirming ? t('yes', { count }) : t('sending')}
        </Button>
        <Button look="secondary" size="large" onClick={onKeep} disabled={!isConfirming}>
          {t('no')}
        </Button>
      </div>
    </section>
  );
}
