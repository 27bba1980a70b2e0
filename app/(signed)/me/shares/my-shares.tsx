'use client';

import { RefreshCw, Share2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useHolder } from '../../../_session/current.tsx';
import { Line, Locked } from '../../../_session/locked-page.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { deferred } from '../../../_ui/deferred.tsx';
import { EmptyState } from '../../../_ui/empty-state.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { RowsSkeleton } from '../../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../../_ui/use-load-ahead.ts';
import { Done } from '../../_safety/part.tsx';
import { ShareCard } from './share-card.tsx';
import { type Share, useShares } from './use-shares.ts';

const loadDialog = async () => (await import('./stop-dialog.tsx')).StopDialog;
const StopDialog = deferred(loadDialog);

/** The links that a holder made, and each opening. */
export function MyShares() {
  const t = useTranslations('shares');
  const { view, kept } = useHolder();
  const { shares, reading, failure, show, stop } = useShares(kept.id);
  const [stopping, setStopping] = useState<Share | null>(null);
  const [stopped, setStopped] = useState(false);
  useLoadAhead(loadDialog);

  const close = (isStopped: boolean) => {
    setStopping(null);
    setStopped(isStopped);
  };
  return (
    <div className="space-y-6 pb-12">
      <h1>{t('title')}</h1>
      <p className="max-w-prose text-lg">{t('lead')}</p>
      {view.status === 'LOCKED' && (
        <Alert tone="caution">
          <p>{t('frozen')}</p>
        </Alert>
      )}
      <Done>{stopped && t('stop.done')}</Done>
      {(shares || reading) && <Refused failure={failure} />}
      {shares ? (
        <ShareList shares={shares} reading={reading} onReload={show} onStop={setStopping} />
      ) : reading ? (
        <RowsSkeleton words={t('reading')} />
      ) : (
        <Locked
          title={t('locked.title')}
          what={t('locked.what')}
          action={t(failure ? 'again' : 'open')}
          failure={failure}
          onOpen={show}
          row={<ShareOutline />}
        />
      )}
      {stopping && <StopDialog share={stopping} stop={stop} onClose={close} />}
    </div>
  );
}

/** A link: whom it is for, until when, and its openings. */
const ShareOutline = () => (
  <div className="space-y-2 rounded-lg border border-line p-4">
    <Line className="h-4 w-1/3" />
    <Line className="h-3 w-1/2" />
  </div>
);

type ShareListProps = {
  shares: readonly Share[];
  reading: boolean;
  onReload: () => void;
  onStop: (share: Share) => void;
};

function ShareList({ shares, reading, onReload, onStop }: ShareListProps) {
  const t = useTranslations('shares');
  const add = (
    <Button asChild size="large">
      <LocalLink href="/me/shares/new">
        <Share2 aria-hidden />
        {t('new')}
      </LocalLink>
    </Button>
  );
  if (shares.length === 0) {
    return (
      <EmptyState title={t('none.title')}>
        <p className="mx-auto max-w-form">{t('none.body')}</p>
        {add}
      </EmptyState>
    );
  }
  const [active, ended] = [true, false].map((isActive) =>
    shares.filter(({ status }) => (status === 'ACTIVE') === isActive),
  );
  return (
    <>
      <div className="flex flex-wrap gap-3">
        {add}
        <Button look="secondary" size="large" busy={reading} onClick={onReload}>
          <RefreshCw aria-hidden />
          {t('readAgain')}
        </Button>
      </div>
      <p className="max-w-prose text-muted">{t('ownWord')}</p>
      <Group title={t('active')} shares={active ?? []} onStop={onStop} empty={t('noneActive')} />
      {ended && ended.length > 0 && <Group title={t('ended')} shares={ended} onStop={onStop} />}
    </>
  );
}

/** Used up ones can be stopped too: their files stay until their end. */
const isStoppable = ({ status }: Share): boolean => status !== 'STOPPED' && status !== 'EXPIRED';

type GroupProps = Pick<ShareListProps, 'shares' | 'onStop'> & { title: string; empty?: string };

function Group({ title, shares, onStop, empty }: GroupProps) {
  return (
    <section className="max-w-prose space-y-3">
      <h2>{title}</h2>
      {shares.length === 0 && <p className="text-muted">{empty}</p>}
      <ul className="space-y-3">
        {shares.map((share) => (
          <li key={share.share_id}>
            <ShareCard share={share} {...(isStoppable(share) && { onStop: () => onStop(share) })} />
          </li>
        ))}
      </ul>
    </section>
  );
}
