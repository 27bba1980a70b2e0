'use client';

import { RefreshCw } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useHolder } from '../../../_session/current.tsx';
import { Line, Locked } from '../../../_session/locked-page.tsx';
import { useSession } from '../../../_session/session.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { deferred } from '../../../_ui/deferred.tsx';
import { EmptyState } from '../../../_ui/empty-state.tsx';
import { Skeleton } from '../../../_ui/skeleton.tsx';
import { useLoadMeanwhile } from '../../../_ui/use-load-ahead.ts';
import { groupAccess } from './group-access.ts';
import { type Log, useLog } from './use-log.ts';

/** Loaded while the log is read. */
const loadTimeline = async () => (await import('./timeline.tsx')).Timeline;
const Timeline = deferred(loadTimeline, <LoadingTimeline />);

/** The uses of consents on a holder's records. Read on each visit; the read itself is not logged. */
export function AccessLog() {
  const t = useTranslations('access');
  const { view } = useHolder();
  const { isOpen } = useSession();
  const { state, load, loadOlder } = useLog(view.beo_id);
  const hasLoaded = useRef(false);
  const exists = view.status !== 'DESTROYED';
  useLoadMeanwhile(loadTimeline);

  useEffect(() => {
    if (hasLoaded.current || !isOpen || !exists) return;
    hasLoaded.current = true;
    void load();
  }, [isOpen, exists, load]);

  return (
    <div className="space-y-6">
      <h1>{t('title')}</h1>
      <p className="max-w-prose">{t('lead')}</p>
      {view.status === 'LOCKED' && (
        <Alert>
          <p>{t('frozen')}</p>
        </Alert>
      )}
      {state.at === 'loaded' ? (
        <Shown log={state} ownId={view.beo_id} onReload={load} onLoadOlder={loadOlder} />
      ) : state.at === 'loading' ? (
        <>
          <p role="status" className="text-muted">
            {t('loading')}
          </p>
          <LoadingTimeline />
        </>
      ) : (
        exists && (
          <Locked
            title={t('locked.title')}
            what={t('locked.what')}
            action={t(state.failure ? 'again' : 'action')}
            failure={state.failure}
            onOpen={() => void load()}
            row={<UseOutline />}
          />
        )
      )}
    </div>
  );
}

type ShownProps = { log: Log; ownId: string; onReload: () => void; onLoadOlder: () => void };

function Shown({ log, ownId, onReload, onLoadOlder }: ShownProps) {
  const t = useTranslations('access');
  const { events, cursor } = log;
  const id = useId();
  const [withoutMe, setWithoutMe] = useState(false);
  const shown = useMemo(
    () => (withoutMe ? events.filter(({ grantee_id }) => grantee_id !== ownId) : events),
    [events, withoutMe, ownId],
  );
  const days = useMemo(() => groupAccess(shown), [shown]);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <label htmlFor={id} className="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            id={id}
            type="checkbox"
            checked={withoutMe}
            onChange={({ target }) => setWithoutMe(target.checked)}
            className="size-6 shrink-0 accent-accent"
          />
          {t('notMe')}
        </label>
        <div className="flex flex-wrap items-center gap-4">
          <p role="status" className="text-muted">
            {t(cursor === null ? 'total' : 'totalSoFar', { count: shown.length })}
          </p>
          <Button look="secondary" onClick={onReload}>
            <RefreshCw aria-hidden />
            {t('readAgain')}
          </Button>
        </div>
      </div>
      {days.length === 0 && (
        <EmptyState title={t(events.length === 0 ? 'empty' : cursor === null ? 'emptyWithoutMe' : 'emptySoFar')} />
      )}
      <Timeline key={String(withoutMe)} label={t('days')} days={days} ownId={ownId} />
      <Older log={log} onLoad={onLoadOlder} />
    </>
  );
}

/** Loads older events. */
function Older({ log: { events, cursor, isLoadingOlder, failure }, onLoad }: { log: Log; onLoad: () => void }) {
  const t = useTranslations('access');
  const line = useRef<HTMLParagraphElement>(null);
  const [hasRequested, setRequested] = useState(false);

  // The button that had the focus is gone after the last page.
  useEffect(() => {
    if (cursor === null && hasRequested) line.current?.focus();
  }, [cursor, hasRequested]);

  if (cursor === null && !hasRequested) return null;
  return (
    <div className="space-y-4">
      <p ref={line} tabIndex={-1} className="text-muted focus:outline-none">
        {t(cursor === null ? 'whole' : 'more', { count: events.length })}
      </p>
      <Refused failure={failure} />
      {cursor !== null && (
        <Button
          look="secondary"
          busy={isLoadingOlder}
          onClick={() => {
            setRequested(true);
            onLoad();
          }}
        >
          {t(isLoadingOlder ? 'loading' : 'older')}
        </Button>
      )}
    </div>
  );
}

/** A use: its kind, and what was done. */
const UseOutline = () => (
  <div className="flex items-center gap-4">
    <span className="size-10 shrink-0 rounded-full bg-line" />
    <div className="grow space-y-2">
      <Line className="h-4 w-2/5" />
      <Line className="h-3 w-3/5" />
    </div>
  </div>
);

/** As high as a day with three uses. */
function LoadingTimeline() {
  return (
    <div className="space-y-3">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex items-center gap-4">
          <Skeleton className="size-10 shrink-0 rounded-full" />
          <Skeleton className="h-14 grow" />
        </div>
      ))}
    </div>
  );
}
