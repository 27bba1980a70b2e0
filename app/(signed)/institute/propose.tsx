'use client';

import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Json } from '../../../protocol/canonical-json.ts';
import { CERT_LEVELS, type CertLevel, type IeoStatus, type IeoView } from '../../../protocol/ieo.ts';
import { Actions } from '../../_keys/actions.tsx';
import type { Failure } from '../../_trpc/failure.ts';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { type Day, daysUntil, endOf } from '../../_ui/days.ts';
import { Field } from '../../_ui/field.tsx';
import { useBrowser } from '../../_ui/now.ts';
import { FindInstitution } from './find-institution.tsx';
import { useHeldKey } from './held-key.tsx';
import { LevelChoice } from './level-choice.tsx';
import { RadioCards } from './radio-cards.tsx';
import { Undecided } from './undecided.tsx';
import { useDecide } from './use-decide.ts';

const ACTIONS = ['suspendIEO', 'reinstateIEO', 'revokeIEO', 'changeCertLevel'] as const;
type Action = (typeof ACTIONS)[number];

const STATES: Readonly<Record<Action, readonly IeoStatus[]>> = {
  suspendIEO: ['ACTIVE', 'LOCKED'],
  reinstateIEO: ['SUSPENDED'],
  revokeIEO: ['ACTIVE', 'LOCKED', 'SUSPENDED'],
  changeCertLevel: ['ACTIVE', 'LOCKED', 'SUSPENDED'],
};

type ProposeProps = { suffix: string; onDone: (sentence: string) => void };

/** Opens a proposal, which is its first approval. */
export function Propose({ suffix, onDone }: ProposeProps) {
  const t = useTranslations('institute');
  const isReady = useBrowser();
  const { key, forget } = useHeldKey();
  const decide = useDecide();
  const [action, setAction] = useState<Action | null>(null);
  const [institution, setInstitution] = useState<IeoView | null>(null);
  const [level, setLevel] = useState<CertLevel | null>(null);
  const [expires, setExpires] = useState<Day>('');
  const [reason, setReason] = useState('');
  const [why, setWhy] = useState('');
  const [sent, setSent] = useState(false);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const needsReason = action === 'suspendIEO' || action === 'revokeIEO';
  const hasEnd = action === 'changeCertLevel' && level !== 'UNCERTIFIED' && expires !== '';
  const badDay = hasEnd && daysUntil(expires, Date.now()) === null;

  const params = (): Record<string, Json> | null => {
    if (!action || !institution || why.trim() === '' || badDay) return null;
    const ieoId = institution.ieo_id;
    if (action === 'changeCertLevel') {
      const end = hasEnd ? endOf(expires) : null;
      return level && { ieoId, level, ...(end !== null && { expiresAt: new Date(end).toISOString() }) };
    }
    if (!needsReason) return { ieoId };
    return reason.trim() === '' ? null : { ieoId, reason: reason.trim() };
  };

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setSent(true);
    setFailure(null);
    const given = params();
    if (!given || key === null || isSending) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setSending(true);
    const refused = await decide('openProposal', { action, params: given, justification: why.trim() }, key);
    setSending(false);
    if (!refused) return onDone(t('propose.done'));
    if (refused.code === 'INSTITUTE_KEY_INVALID') forget();
    setFailure(refused);
  };

  return (
    <form onSubmit={send} noValidate className="max-w-[46rem] space-y-7">
      <RadioCards
        legend={t('propose.action')}
        options={ACTIONS.map((one) => ({
          value: one,
          name: t(`propose.choice.${one}.name`),
          what: t(`propose.choice.${one}.what`),
        }))}
        chosen={action}
        error={sent && !action ? t('propose.noAction') : undefined}
        onChoose={(one) => {
          setAction(one);
          if (institution && !STATES[one].includes(institution.status)) setInstitution(null);
        }}
      />
      {action && (
        <>
          <FindInstitution
            key={action}
            suffix={suffix}
            states={STATES[action]}
            chosen={institution}
            isMissing={sent && !institution}
            onChoose={setInstitution}
          />
          {action === 'changeCertLevel' && (
            <LevelChoice
              levels={CERT_LEVELS}
              level={level}
              onLevel={setLevel}
              isMissing={sent && !level}
              expires={expires}
              onExpires={setExpires}
              isBadDay={sent && badDay}
            />
          )}
          {needsReason && (
            <Field
              label={t('propose.reason')}
              hint={t('propose.reasonHint')}
              error={sent && reason.trim() === '' ? t('propose.noReason') : undefined}
              value={reason}
              onType={setReason}
              maxLength={500}
              autoComplete="off"
            />
          )}
          <Field
            label={t('propose.why')}
            hint={t('propose.whyHint')}
            error={sent && why.trim() === '' ? t('propose.noReason') : undefined}
            value={why}
            onType={setWhy}
            maxLength={1_000}
            autoComplete="off"
          />
        </>
      )}
      <Undecided failure={failure} />
      {sent && key === null && !failure && (
        <div role="alert">
          <Alert tone="caution">
            <p>{t('key.first')}</p>
          </Alert>
        </div>
      )}
      <p className="font-semibold">{t('propose.first')}</p>
      <p role="status" className="empty:hidden">
        {isSending && t('propose.sending')}
      </p>
      <Actions>
        <Button type="submit" size="large" disabled={!isReady} aria-disabled={isSending || undefined}>
          {t('propose.send')}
        </Button>
      </Actions>
    </form>
  );
}
