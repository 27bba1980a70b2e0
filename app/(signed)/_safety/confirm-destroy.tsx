'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useSession } from '../../_session/session.tsx';
import { useWrite } from '../../_session/write.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import { LocalLink, useGo } from '../../_ui/local-link.tsx';
import { Actions } from '../../_ui/question.tsx';
import { useSubmission } from '../../_wizard/use-submission.ts';
import { dropLeftovers } from './replacement.ts';

/** Asks for the domain as a confirmation, and destroys the identity. */
export function ConfirmDestroy({ home }: { home: string }) {
  const t = useTranslations('safety.destroy');
  const { current } = useSession();
  const write = useWrite();
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const { sending, failure, submit, clear } = useSubmission();

  if (!current) return null;
  const { kind, id, domain } = current;

  const destroy = async () => {
    if (sending) return;
    const differs = typed.trim().toLowerCase() !== domain;
    setWrong(differs);
    if (differs) return clear();
    await submit(() => (kind === 'holder' ? write('destroyBEO', { beoId: id }) : write('destroyIEO', { ieoId: id })));
  };

  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        void destroy();
      }}
    >
      <p>{t('confirm.final')}</p>
      <Field
        label={t('confirm.label', { domain })}
        error={wrong ? t('confirm.wrong', { domain }) : undefined}
        value={typed}
        onType={setTyped}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      {failure?.code === 'RECOVERY_COOLDOWN' ? (
        <Alert tone="danger">
          <p role="alert">{t('confirm.cooldown')}</p>
        </Alert>
      ) : (
        <Refused failure={failure} />
      )}
      <Actions>
        <Button type="submit" size="large" busy={sending} className="bg-danger-ink! text-surface!">
          {sending ? t('confirm.sending') : t('confirm.yes')}
        </Button>
        {sending ? (
          <Button look="secondary" size="large" disabled>
            {t('no')}
          </Button>
        ) : (
          <Button asChild look="secondary" size="large">
            <LocalLink href={home}>{t('no')}</LocalLink>
          </Button>
        )}
      </Actions>
    </form>
  );
}

/** What is left to do in this browser. */
export function Leave() {
  const t = useTranslations('safety.destroy.done');
  const { current, forget } = useSession();
  const go = useGo();
  if (!current) return null;

  const leave = async () => {
    go('/sign-in');
    await dropLeftovers(current);
    await forget(current.id);
  };

  return (
    <Actions>
      <Button size="large" onClick={leave}>
        {t('forget')}
      </Button>
      <Button asChild look="secondary" size="large">
        <LocalLink href={`/explore/${current.id}`}>{t('see')}</LocalLink>
      </Button>
    </Actions>
  );
}
