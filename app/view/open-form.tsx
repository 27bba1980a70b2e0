'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
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

  const opening = useRef<AbortController | null>(null);
  // Another link in the address takes the place of this one.
  useEffect(() => () => opening.current?.abort(), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isOpening) return;
    opening.current = new AbortController();
    const { signal } = opening.current;
    setOpening(true);
    setFailure(null);
    // First, so that a lost connection here uses up no opening.
    const loaded = await Promise.all([import('./opened.tsx'), import('./check-proofs.ts')]).catch(() => null);
    const asked = { recipient: recipient.trim(), passcode: passcode.trim(), signal };
    const opened = loaded ? await openLink(link, asked, Date.now()) : { problem: 'notLoaded' as const, attempts: null };
    if (signal.aborted) return;
    setOpening(false);
    if ('problem' in opened) return setFailure(opened);
    if (loaded) onShown({ Opened: loaded[0].Opened, files: opened.files, at: Date.now() });
  };

  const cancel = () => {
    opening.current?.abort();
    setOpening(false);
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
        <div className="flex flex-wrap gap-3">
          <Button type="submit" size="large" busy={isOpening}>
            {t(isOpening ? 'open.opening' : 'open.action')}
          </Button>
          {isOpening && (
            <Button size="large" look="secondary" onClick={cancel}>
              {t('open.cancel')}
            </Button>
          )}
        </div>
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
