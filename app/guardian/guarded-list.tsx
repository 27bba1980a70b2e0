'use client';

import { KeyRound, ShieldCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { NumberedWords } from '../_keys/numbered-words.tsx';
import { useWordList } from '../_keys/word-list.ts';
import { Badge } from '../_ui/badge.tsx';
import { Button } from '../_ui/button.tsx';
import { Card } from '../_ui/card.tsx';
import { Name } from '../_ui/name.tsx';
import { Refusal } from '../_ui/question.tsx';
import { Screen } from '../_ui/screen.tsx';
import { Shields } from '../_ui/shields.tsx';
import { CardSkeleton, WordsSkeleton } from '../_ui/skeletons.tsx';
import { useDates } from '../_ui/use-dates.ts';
import { When } from '../_ui/when.tsx';
import { type GuardedIdentity, type GuardedState, stateOf } from './guarded-view.ts';

type GuardedListProps = {
  guarded: readonly GuardedIdentity[] | null;
  refused: string | null;
  /** The public key that is open, hex. */
  publicKey: string;
  /** The identity that the person has just resigned from. */
  resigned: GuardedIdentity | null;
  onResign: (guarded: GuardedIdentity) => void;
  /** Signs that the key is still there. Returns the code of a refusal. */
  onAttest: (guarded: GuardedIdentity) => Promise<string | null>;
  onRetry: () => void;
  onLock: () => void;
};

/** The identities that a key guards, with the status of each. */
export function GuardedList({
  guarded,
  refused,
  publicKey,
  resigned,
  onResign,
  onAttest,
  onRetry,
  onLock,
}: GuardedListProps) {
  const t = useTranslations('guarded');
  const message = resigned && t('resigned', { domain: resigned.domain ?? t('ended') });
  return (
    <Screen title={t('title')} heading="h1" className="max-w-prose space-y-5 pt-3 pb-20">
      <p role="status" className="font-semibold text-accent-ink empty:hidden">
        {message}
      </p>
      <Refusal code={refused} />
      {refused && (
        <Button look="secondary" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
      {!guarded && !refused && (
        <>
          <p role="status" className="sr-only">
            {t('reading')}
          </p>
          <CardSkeleton lines={3} />
        </>
      )}
      {guarded && <p>{t('count', { count: guarded.length })}</p>}
      {guarded && guarded.length > 0 && (
        <ul className="space-y-4">
          {guarded.map((identity) => (
            <li key={identity.guardianId}>
              <GuardedCard
                guarded={identity}
                publicKey={publicKey}
                onResign={() => onResign(identity)}
                onAttest={() => onAttest(identity)}
              />
            </li>
          ))}
        </ul>
      )}
      <p className="text-muted">{t('day')}</p>
      <Button look="secondary" onClick={onLock}>
        <KeyRound aria-hidden />
        {t('lock')}
      </Button>
    </Screen>
  );
}

const TONES = {
  eligible: 'accent',
  leaving: 'neutral',
  unconfirmed: 'caution',
  off: 'neutral',
} as const satisfies Record<GuardedState, string>;

type GuardedCardProps = {
  guarded: GuardedIdentity;
  publicKey: string;
  onResign: () => void;
  onAttest: () => Promise<string | null>;
};

function GuardedCard({ guarded, publicKey, onResign, onAttest }: GuardedCardProps) {
  const t = useTranslations('guarded');
  const { beoId, domain, role, locked, acceptedAt, eligibleUntil, eligibleGuardians, needed } = guarded;
  const state = stateOf(guarded);
  const name = domain ?? t('ended');
  const when = (at: string | null) => ({ when: (end: ReactNode) => <When at={at ?? ''}>{end}</When> });
  return (
    <Card className="space-y-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h2 className="flex min-w-0 items-start gap-3 text-lg">
          <ShieldCheck aria-hidden className="mt-0.5 size-6 shrink-0 text-accent" />
          <span className="min-w-0">
            <Name>{name}</Name>
          </span>
        </h2>
        <Badge tone={TONES[state]}>{t(`state.${state}`)}</Badge>
      </div>
      <p>{t.rich(`status.${state}`, when(eligibleUntil))}</p>
      <Shields
        states={Array.from({ length: Math.max(needed, eligibleGuardians) }, (_, place) =>
          place < eligibleGuardians ? 'full' : 'empty',
        )}
        label={null}
      />
      <p className="text-muted">
        {t.rich('since', { role, ...when(acceptedAt) })} {t('others', { count: eligibleGuardians, needed })}
      </p>
      {state === 'unconfirmed' && <SixWords beoId={beoId} publicKey={publicKey} name={name} />}
      {state !== 'leaving' && <CheckKey attestedOn={guarded.attestedOn} name={name} onAttest={onAttest} />}
      {locked && <p>{t('locked')}</p>}
      {!locked && state !== 'leaving' && (
        <Button look="secondary" onClick={onResign}>
          {t('resign')}
          <span className="sr-only">({name})</span>
        </Button>
      )}
    </Card>
  );
}

type CheckKeyProps = { attestedOn: string | null; name: string; onAttest: () => Promise<string | null> };

/** The day on which the guardian last checked the key, which the holder can see, and a button that does so today. */
function CheckKey({ attestedOn, name, onAttest }: CheckKeyProps) {
  const t = useTranslations('guarded.check');
  const dates = useDates();
  const [sending, setSending] = useState(false);
  const [isDone, setDone] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const attest = async () => {
    if (sending) return;
    setSending(true);
    const code = await onAttest();
    setSending(false);
    setRefused(code);
    setDone(code === null);
  };
  return (
    <div className="space-y-3">
      <p role="status" className={isDone ? 'font-semibold text-accent-ink' : undefined}>
        {isDone ? t('done', { name }) : attestedOn ? t('last', { day: dates.day(attestedOn) }) : t('never')}
      </p>
      <Refusal code={refused} />
      {!isDone && (
        <Button busy={sending} onClick={() => void attest()}>
          {t(sending ? 'sending' : 'action')}
          <span className="sr-only">({name})</span>
        </Button>
      )}
    </div>
  );
}

/** The words that the holder asks for before confirming this guardian. */
function SixWords({ beoId, publicKey, name }: { beoId: string; publicKey: string; name: string }) {
  const t = useTranslations('guarded.words');
  const [shown, setShown] = useState(false);
  const words = useWordList()?.guardianWords(beoId, publicKey) ?? null;
  if (!shown) {
    return (
      <Button look="secondary" onClick={() => setShown(true)}>
        {t('show')}
        <span className="sr-only">({name})</span>
      </Button>
    );
  }
  return words ? (
    <div className="space-y-2">
      <p>{t('what')}</p>
      <NumberedWords words={words} label={t('label')} className="gap-x-6 text-lg sm:grid-cols-2" />
    </div>
  ) : (
    <WordsSkeleton />
  );
}
