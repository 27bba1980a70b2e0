'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { KeepKey, type KeepKeyProps } from '../_keys/keep-key.tsx';
import { Button } from '../_ui/button.tsx';
import { ReloadButton } from '../_ui/not-loaded.tsx';
import { Actions, Question } from '../_ui/question.tsx';
import { NotStored } from './not-stored.tsx';
import type { DraftKey, MadeKey } from './use-draft-key.ts';

type KeyStepProps = Pick<KeepKeyProps, 'purpose' | 'beoDomain' | 'role'> & {
  draft: WithKeyProps['draft'];
  /** Whether the person has a copy that fits. */
  hasCopy: boolean;
  /** Shown above the ways to make a copy. */
  notice?: ReactNode;
  /** Another action. */
  other?: ReactNode;
  onCopied: KeepKeyProps['onKept'];
  /** Called where the copy made before suffices. */
  onNext: () => void;
};

/** A key that a flow drafts in its own way has no protection yet. */
type AnyMadeKey = Omit<MadeKey, 'protection'>;

type WithKeyProps = {
  draft: Pick<DraftKey, 'failed'> & { made: AnyMadeKey | null; make: (signal: AbortSignal) => Promise<unknown> };
  /** Another action where that failed. */
  other?: ReactNode;
  children: (made: AnyMadeKey) => ReactNode;
};

/** Makes a key, or finds the draft of an earlier visit, before it renders its children. */
export function WithKey({ draft: { made, failed, make }, other, children }: WithKeyProps) {
  const t = useTranslations('keys.draft');

  const isMissing = !made && !failed;
  useEffect(() => {
    if (!isMissing) return;
    const over = new AbortController();
    void make(over.signal);
    return () => over.abort();
  }, [isMissing, make]);

  if (!made) {
    return (
      <Question key={failed ? 'failed' : 'making'} title={t(failed ? 'failed' : 'making')}>
        <p>{t(failed ? 'failedBody' : 'makingBody')}</p>
        {failed && (
          <Actions>
            <ReloadButton />
            {other}
          </Actions>
        )}
      </Question>
    );
  }
  return children(made);
}

/** Makes a key and lets the person make a copy of it: the same in every flow. */
export function KeyStep({ draft, hasCopy, notice, other, onCopied, onNext, ...keeping }: KeyStepProps) {
  const t = useTranslations('keys.draft');
  const next = useTranslations('keys')('next');
  const [again, setAgain] = useState(false);
  if (hasCopy && !again && draft.made) {
    return (
      <Question key="kept" title={t('kept')}>
        <p>{t('keptBody')}</p>
        <Actions>
          <Button size="large" onClick={onNext}>
            {next}
          </Button>
          <Button look="secondary" size="large" onClick={() => setAgain(true)}>
            {t('again')}
          </Button>
          {other}
        </Actions>
      </Question>
    );
  }
  return (
    <WithKey draft={draft} other={other}>
      {(made) => (
        <>
          {!made.stored && <NotStored />}
          {notice}
          <KeepKey {...keeping} secret={made.key.secret} onKept={onCopied} back={other} heading="h1" />
        </>
      )}
    </WithKey>
  );
}
