'use client';

import { FileDown, FilePlus2, RefreshCw, ScanEye } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { regionOf } from '../../../../messages/languages.ts';
import { dateFormat } from '../../../_i18n/formats.ts';
import { useHolder } from '../../../_session/current.tsx';
import { useSession } from '../../../_session/session.tsx';
import { InstitutionName } from '../../../_trpc/institution-name.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { LongList } from '../../../_ui/long-list.tsx';
import { Skeleton } from '../../../_ui/skeleton.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { useDates } from '../../../_ui/use-dates.ts';
import { type AccessDay, type GranteeAccess, groupAccess, type Use } from './group-access.ts';
import { type Log, useLog } from './use-log.ts';

/** The uses of consents on a holder's records. Read on each visit; the read itself is not logged. */
export function AccessLog() {
  const t = useTranslations('access');
  const { view } = useHolder();
  const { isOpen } = useSession();
  const { state, load, loadOlder } = useLog(view.beo_id);
  const hasLoaded = useRef(false);
  const exists = view.status !== 'DESTROYED';

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
          <p>{t('locked')}</p>
        </Alert>
      )}
      {state.at === 'loaded' ? (
        <Shown log={state} ownId={view.beo_id} onReload={load} onLoadOlder={loadOlder} />
      ) : state.at === 'loading' ? (
        <>
          <p role="status" className="sr-only">
            {t('loading')}
          </p>
          <Skeleton className="h-60 w-full" />
        </>
      ) : (
        exists && (
          <div className="max-w-prose space-y-5">
            <Refused failure={state.failure} />
            <p className="text-muted">{t('open')}</p>
            <Button size="large" onClick={() => void load()}>
              {t(state.failure ? 'again' : 'action')}
            </Button>
          </div>
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
        <p className="rounded-lg border-2 border-dashed border-line px-6 py-10 text-center text-lg font-bold">
          {t(events.length === 0 ? 'empty' : cursor === null ? 'emptyWithoutMe' : 'emptySoFar')}
        </p>
      )}
      <LongList
        key={String(withoutMe)}
        label={t('days')}
        items={days}
        keyOf={({ day }) => day}
        usualHeight={220}
        gap={24}
        render={(day) => <Day day={day} ownId={ownId} />}
      />
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
          aria-disabled={isLoadingOlder || undefined}
          className="aria-disabled:opacity-60"
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

function Day({ day: { day, grantees }, ownId }: { day: AccessDay; ownId: string }) {
  const region = regionOf(useLocale());
  const words = dateFormat(region, { dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(day));
  return (
    <section aria-labelledby={`day-${day}`} className="space-y-3">
      <h2 id={`day-${day}`} className="text-lg first-letter:uppercase">
        {words}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {grantees.map((grantee) => (
          <GranteeRow key={grantee.id} grantee={grantee} isMe={grantee.id === ownId} />
        ))}
      </ul>
    </section>
  );
}

function GranteeRow({ grantee: { id, domain, uses }, isMe }: { grantee: GranteeAccess; isMe: boolean }) {
  const t = useTranslations('access');
  return (
    <li className="space-y-3 px-4 py-4 sm:px-5">
      <h3>
        {isMe ? t('me') : <InstitutionName id={id} domain={domain} />}
        {!isMe && domain && <span className="block text-sm font-normal break-words text-muted">{domain}</span>}
      </h3>
      <ul className="space-y-3">
        {uses.map((use) => (
          <UseRow key={`${use.kind} ${use.tokenId} ${use.format}`} use={use} />
        ))}
      </ul>
    </li>
  );
}

const ICONS = { submit: FilePlus2, read: ScanEye, export: FileDown };
const FORMATS = ['JSON', 'CSV', 'FHIR_R4'] as const;

function UseRow({ use: { kind, tokenId, format, events, records } }: { use: Use }) {
  const t = useTranslations('access');
  const dates = useDates();
  const [isOpen, setOpen] = useState(false);
  const Icon = ICONS[kind];
  const known = FORMATS.find((name) => name === format);
  const [newest, oldest] = [events[0], events.at(-1)];
  if (!newest || !oldest) return null;
  const count = events.length;
  const [from, to] = [dates.time(oldest.at), dates.time(newest.at)];
  const when =
    count === 1
      ? t('at', { time: to })
      : from === to
        ? t('often', { time: to, count })
        : t('between', { from, to, count });
  return (
    <li className="flex gap-3">
      <Icon aria-hidden className="mt-1 size-5 shrink-0 text-accent" />
      <div className="min-w-0 grow">
        <p>
          <span className="font-semibold">{t(`kind.${kind}`, { count: records })}</span>
          {format && ` ${t(`format.${known ?? 'OTHER'}`, { format })}`}
        </p>
        <p className="text-sm text-muted">
          {when}
          {' · '}
          <LocalLink href={`/me/consents/${tokenId}`} className={`${textLink} -my-2 inline-block py-2`}>
            {t('consent')}
          </LocalLink>
        </p>
        {count > 1 && (
          <details className="text-sm" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
            <summary className="inline-flex min-h-8 cursor-pointer items-center text-muted underline underline-offset-4">
              {t('each')}
            </summary>
            <ul className="pb-2 tabular-nums text-muted">
              {isOpen &&
                events.map(({ at, records: touched }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two requests can have the same time, and the order is fixed
                  <li key={index}>{t('request', { time: dates.time(at), count: touched })}</li>
                ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}
