'use client';

import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { Field } from '../_ui/field.tsx';
import { useDates } from '../_ui/use-dates.ts';
import { openLink, type Problem, type ShareLink } from './open-link.ts';
import type { OpenedLink } from './viewer.tsx';

const MAX_RECIPIENT = 100;

type OpenFormProps = { link: ShareLink; onShown: (shown: OpenedLink) => void };

/** Asks who opens the link, and for its passcode. Nothing is requested before the button is pressed. */
export function OpenForm({ link, onShown }: OpenFormProps) {
  const t = useTranslations('view');
  const [recipient, setRecipient] = useState('');
  const [passcode, setPasscode] = useState('');
  const [isOpening, setOpening] = useState(false);
  const [failure, setFailure] = useState<{ problem: Problem; attempts: number | null } | null>(null);
  const asksPasscode = link.flag.includes('P') || failure?.problem === 'passcode';

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isOpening) return;
    setOpening(true);
    setFailure(null);
    // First, so that a lost connection here uses up no opening.
    const loaded = await import('./opened.tsx').catch(() => null);
    const opening = loaded
      ? await openLink(link, { recipient: recipient.trim(), passcode: passcode.trim() }, Date.now())
      : { problem: 'notLoaded' as const, attempts: null };
    setOpening(false);
    if ('problem' in opening) return setFailure(opening);
    if (loaded) onShown({ Opened: loaded.Opened, files: opening.files, at: Date.now() });
  };

  return (
    <>
      <Origin link={link} />
      <div role="alert">{failure && <Failure {...failure} link={link} />}</div>
      <form onSubmit={submit} className="space-y-6">
        <Field
          label={t('open.who')}
          hint={t('open.whoHint')}
          value={recipient}
          onType={setRecipient}
          limit={MAX_RECIPIENT}
          autoComplete="organization"
          required
        />
        {asksPasscode && (
          <Field
            label={t('open.passcode')}
            hint={t('open.passcodeHint')}
            value={passcode}
            onType={setPasscode}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            translate="no"
            required
          />
        )}
        <Button type="submit" size="large" busy={isOpening}>
          {t(isOpening ? 'open.opening' : 'open.action')}
        </Button>
      </form>
      <p className="text-sm text-muted">{t('open.counts')}</p>
    </>
  );
}

/** Where the content comes from, what the link says about it, and until when. */
function Origin({ link: { url, label, exp } }: { link: ShareLink }) {
  const t = useTranslations('view.open');
  const dates = useDates();
  const { origin, host } = new URL(url);
  const isOwn = origin === window.location.origin;
  return (
    <dl className="space-y-1 rounded-lg border border-line bg-surface px-5 py-4">
      <div>
        <dt className="inline text-muted">{t('from')}</dt>{' '}
        <dd className="inline font-semibold break-words" translate="no">
          {isOwn ? t('here', { host }) : host}
        </dd>
      </div>
      {label !== null && (
        <div>
          <dt className="inline text-muted">{t('label')}</dt>{' '}
          <dd className="inline break-words" dir="auto">
            {label}
          </dd>
        </div>
      )}
      {exp !== null && (
        <div>
          <dt className="inline text-muted">{t('until')}</dt>{' '}
          <dd className="inline">{Number.isFinite(new Date(exp * 1_000).getTime()) && dates.moment(exp * 1_000)}</dd>
        </div>
      )}
    </dl>
  );
}

type FailureProps = { problem: Problem; attempts: number | null; link: ShareLink };

function Failure({ problem, attempts, link: { url } }: FailureProps) {
  const t = useTranslations('view');
  const { host } = new URL(url);
  return (
    <Alert tone="danger" title={t(`problem.${problem}.title`, { host })}>
      <p>{t(`problem.${problem}.body`, { host })}</p>
      {attempts !== null && <p className="font-semibold">{t('open.attempts', { count: attempts })}</p>}
    </Alert>
  );
}
