'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useHolder } from '../../../../_session/current.tsx';
import { useSession } from '../../../../_session/session.tsx';
import { BackTo } from '../../../../_ui/back-to.tsx';
import { deferred } from '../../../../_ui/deferred.tsx';
import { ScreenSkeleton } from '../../../../_ui/skeletons.tsx';
import { useFlow } from '../../../../_wizard/use-flow.ts';
import { useKeptDraft } from '../../../../_wizard/use-kept-draft.ts';
import { Wizard } from '../../../../_wizard/wizard.tsx';
import { useRecords } from '../../records/records-provider.tsx';
import { WithRecords } from '../../records/with-records.tsx';
import { NEW_SHARE, SHARE, type ShareDraft } from './share-draft.ts';
import { type MadeShare, useMaking } from './use-making.ts';

/** Loaded while the records are read. The last screen is there before anything is signed: it must not depend on the connection then. */
const loadScreens = async () => (await Promise.all([import('./share-screens.tsx'), loadLink()]))[0].ShareScreens;
const loadLink = async () => (await import('./share-link.tsx')).ShareLink;
const ShareScreens = deferred(loadScreens, <ScreenSkeleton />);
const ShareLink = deferred(loadLink, <ScreenSkeleton />);

/** Makes a link with which somebody reads chosen records: one question per screen, then a review before it is signed. */
export function NewShare() {
  const t = useTranslations('shares');
  const { kept } = useHolder();
  const { isOpen } = useSession();
  const search = useSearchParams();
  const { reading } = useRecords();
  const making = useMaking(kept.id);
  const [made, setMade] = useState<MadeShare | null>(null);
  // Not in the draft, which this browser stores.
  const [passcode, setPasscode] = useState('');
  const [draft, setDraft] = useKeptDraft<ShareDraft>(`share:${kept.id}`, {
    step: search.get('step'),
    done: made !== null,
    first: NEW_SHARE,
  });
  const walk = useFlow(SHARE, { draft, passcode }, { title: t('newTitle'), nameOf: (step) => t(`steps.${step}`) });
  useEffect(() => {
    if (isOpen) loadScreens().catch(() => {});
  }, [isOpen]);

  if (made) return <ShareLink made={made} passcode={draft.hasPasscode ? passcode.trim() : null} />;

  return (
    <Wizard
      narrow
      walk={walk}
      busy={making.sending}
      back={walk.back === null ? <BackTo href="/me/records">{t('toRecords')}</BackTo> : undefined}
    >
      {reading.at !== 'loaded' && <h1 className="mb-4">{t('newTitle')}</h1>}
      <WithRecords>
        {({ records, readAgain }) => (
          <ShareScreens
            screen={walk.screen}
            draft={draft}
            passcode={passcode}
            records={records}
            making={making}
            onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
            onPasscode={setPasscode}
            onNext={walk.next}
            onOpen={walk.go}
            onReadAgain={readAgain}
            onMade={setMade}
          />
        )}
      </WithRecords>
    </Wizard>
  );
}
