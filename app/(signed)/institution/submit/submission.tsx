'use client';

import { FileSpreadsheet, ListPlus } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { BackButton } from '../../../_keys/back-button.tsx';
import { Choice } from '../../../_keys/choice.tsx';
import { useInstitution } from '../../../_session/current.tsx';
import { useAddress } from '../../../_ui/address.ts';
import { useLeaveGuard } from '../../../_ui/leave-guard.ts';
import { Screen } from '../../../_ui/screen.tsx';
import { CardSkeleton } from '../../../_ui/skeletons.tsx';
import { UnderConsent } from '../choose-consent.tsx';
import { EntryForm } from './entry-form.tsx';
import { LeaveUnsent } from './leave-dialog.tsx';
import type { SentFile } from './sending.tsx';
import { useSending } from './use-sending.ts';

/** Loaded when they are needed: the first screen does without them. */
const loadSending = () => import('./sending.tsx');
const FromFile = lazy(async () => ({ default: (await import('./from-file.tsx')).FromFile }));
const Sending = lazy(async () => ({ default: (await loadSending()).Sending }));

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

  // Before anything is sent: what shows the receipts must not depend on the connection then.
  useEffect(() => {
    if (way) loadSending().catch(() => {});
  }, [way]);

  const restart = () => {
    sending.clear();
    setFile(null);
    setAttempt(attempt + 1);
  };

  return (
    <div className="space-y-6">
      <h1>{t('title')}</h1>
      {sending.batches.length > 0 ? (
        <Suspense fallback={<CardSkeleton lines={3} />}>
          <Sending sending={sending} file={file} onAgain={restart} />
        </Suspense>
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
          {way === 'form' ? (
            <UnderConsent intent="SUBMIT_RECORD" beforeAnother={leaving.ask}>
              {(consent) => (
                <EntryForm
                  consent={consent}
                  onUnsent={setUnsent}
                  onSend={(items) => void sending.send(items.map((item) => ({ ...item, consent })))}
                />
              )}
            </UnderConsent>
          ) : (
            <Suspense fallback={<CardSkeleton lines={3} />}>
              <FromFile
                isDone={sending.isDone}
                onSend={(items, sentFile) => {
                  setFile(sentFile);
                  void sending.send(items);
                }}
              />
            </Suspense>
          )}
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
