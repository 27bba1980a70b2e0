'use client';

import { FileSpreadsheet, ListPlus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { BackButton } from '../../../_keys/back-button.tsx';
import { Choice } from '../../../_keys/choice.tsx';
import { useInstitution } from '../../../_session/current.tsx';
import { useAddress } from '../../../_ui/address.ts';
import { deferred } from '../../../_ui/deferred.tsx';
import { useLeaveGuard } from '../../../_ui/leave-guard.ts';
import { NotLoaded } from '../../../_ui/not-loaded.tsx';
import { Screen } from '../../../_ui/screen.tsx';
import { CardSkeleton } from '../../../_ui/skeletons.tsx';
import { UnderConsent } from '../choose-consent.tsx';
import { LeaveUnsent } from './leave-dialog.tsx';
import type { SentFile } from './sending.tsx';
import { useSentBefore } from './use-sent-before.ts';
import { type Item, loadInvalid, loadRememberSent, useSending } from './use-submission-sending.ts';

/** Loaded when they are needed: the first screen does without them. */
const loadSending = async () => {
  const [{ Sending }] = await Promise.all([import('./sending.tsx'), loadInvalid(), loadRememberSent()]);
  return Sending;
};
const FromFile = deferred(async () => (await import('./from-file.tsx')).FromFile, <CardSkeleton lines={3} />);
const EntryForm = deferred(async () => (await import('./entry-form.tsx')).EntryForm, <CardSkeleton lines={8} />);
const Sending = deferred(loadSending, <CardSkeleton lines={3} />);

const WAYS = ['form', 'file'] as const;
type Way = (typeof WAYS)[number];

/** Submits records by form under one consent, or from a file under the consents of everyone in it. */
export function Submission() {
  const t = useTranslations('institution.submit');
  const choose = useTranslations('institution.choose');
  const { view } = useInstitution();
  const { way, goTo } = useWay();
  const [attempt, setAttempt] = useState(0);
  const [file, setFile] = useState<SentFile | null>(null);
  const [unsent, setUnsent] = useState(0);
  const leaving = useLeaveGuard(unsent > 0);
  const sending = useSending();
  const wasSent = useSentBefore(view.ieo_id);
  const [unsendable, setUnsendable] = useState<{ again: boolean; retry: () => void } | null>(null);

  // Before anything is sent: what shows the receipts must not depend on the connection then.
  useEffect(() => {
    if (way) loadSending().catch(() => {});
  }, [way]);

  const send = (items: readonly Item[], sentFile: SentFile | null): Promise<void> =>
    loadSending().then(
      () => {
        setUnsendable(null);
        setFile(sentFile);
        return sending.send(items);
      },
      () => setUnsendable({ again: unsendable !== null, retry: () => void send(items, sentFile) }),
    );

  const restart = () => {
    sending.clear();
    setFile(null);
    setAttempt(attempt + 1);
  };

  return (
    <div className="space-y-6">
      <h1>{t('title')}</h1>
      {sending.batches.length > 0 ? (
        <Sending sending={sending} file={file} onAgain={restart} />
      ) : view.status !== 'ACTIVE' ? (
        <p className="text-lg">{choose('notActive')}</p>
      ) : way === null ? (
        <Screen key="how" title={t('how')} focus={false} className="max-w-prose space-y-4">
          <Choice icon={ListPlus} name={t('form')} what={t('formWhat')} onChoose={() => goTo('form')} />
          <Choice icon={FileSpreadsheet} name={t('csv')} what={t('csvWhat')} onChoose={() => goTo('file')} />
          <p className="text-muted">{t('whatHappens')}</p>
        </Screen>
      ) : (
        <div key={attempt} className="space-y-4">
          <BackButton label={t('otherWay')} onBack={() => leaving.ask(() => goTo(null))} />
          {wasSent === null ? (
            <CardSkeleton lines={3} />
          ) : way === 'form' ? (
            <UnderConsent intent="SUBMIT_RECORD" beforeAnother={leaving.ask}>
              {(consent) => (
                <EntryForm
                  consent={consent}
                  wasSent={wasSent}
                  onUnsent={setUnsent}
                  onSend={(entries) =>
                    void send(
                      entries.map((entry) => ({ ...entry, consent })),
                      null,
                    )
                  }
                />
              )}
            </UnderConsent>
          ) : (
            <FromFile
              isDone={sending.isDone}
              wasSent={wasSent}
              onSend={(items, sentFile) => void send(items, sentFile)}
            />
          )}
          {unsendable && <NotLoaded again={unsendable.again} onRetry={unsendable.retry} />}
        </div>
      )}
      {leaving.isAsking && <LeaveUnsent count={unsent} onLeave={leaving.leave} onStay={leaving.stay} />}
    </div>
  );
}

/** The way of submitting is in the address (`?way=file`), so that the browser's back button works. */
function useWay() {
  const { search, push } = useAddress();
  const goTo = (way: Way | null) => {
    const parameters = new URLSearchParams(search);
    if (way) parameters.set('way', way);
    else parameters.delete('way');
    push(`?${parameters}`);
  };
  return { way: WAYS.find((way) => way === search.get('way')) ?? null, goTo };
}
