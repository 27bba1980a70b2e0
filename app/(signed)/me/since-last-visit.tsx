'use client';

import { useQuery } from '@tanstack/react-query';
import { CalendarX2, CircleCheck, Eye, FileDown, FilePlus2, ScanEye, ScrollText, Share2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../protocol/entities/token.ts';
import type { Answers } from '../../../server/http/trpc/router.ts';
import { noteVisit, visitBefore } from '../../_keys/last-visit.ts';
import { useHolder } from '../../_session/current.tsx';
import { useSession } from '../../_session/session.tsx';
import { failureOf } from '../../_trpc/failure.ts';
import { InstitutionName } from '../../_trpc/institution-name.tsx';
import { useTRPC } from '../../_trpc/query-provider.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { pageOf } from '../../_ui/explore-address.ts';
import { LocalLink } from '../../_ui/local-link.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useDates } from '../../_ui/use-dates.ts';
import { useEntryWords } from '../../_ui/use-entry-words.ts';
import type { AccessEvent } from './access/group-access.ts';
import { type Log, useLog } from './access/use-log.ts';
import { isOwn } from './consents/consents-in-force.ts';
import { type Share, useShares } from './shares/use-shares.ts';
import { useGranteeNames } from './use-grantee-names.ts';
import { isCut, usesSince } from './uses-since.ts';

const SHOWN = 3;
/** So many events are read at most. */
const MAX_EVENTS = 20_000;
/** So many entries of the public ledger are read. */
const EVENTS_READ = 50;

/** `consents`: all of them, null until they are read. */
type SinceLastVisitProps = { consents: readonly TokenView[] | null };

/** Who used the holder's consents, which of these expired, and what the public ledger says, since the last visit in this browser. */
export function SinceLastVisit({ consents }: SinceLastVisitProps) {
  const t = useTranslations('overview.since');
  const { kept } = useHolder();
  const { isOpen } = useSession();
  const dates = useDates();
  const { state, load, loadOlder } = useLog(kept.id);
  const { shares, failure: sharesFailure } = useShares(kept.id);
  const [visit, setVisit] = useState<{ since: number | null; now: number } | null>(null);
  const hasLoaded = useRef(false);

  useEffect(() => {
    const now = Date.now();
    setVisit({ since: visitBefore(kept.id, now), now });
  }, [kept.id]);

  useEffect(() => {
    if (!isOpen || hasLoaded.current) return;
    hasLoaded.current = true;
    void load();
  }, [isOpen, load]);

  const since = visit?.since ?? null;
  const goesOn =
    state.at === 'loaded' &&
    state.failure === null &&
    since !== null &&
    isCut(state, since) &&
    state.events.length < MAX_EVENTS;

  useEffect(() => {
    if (goesOn) void loadOlder();
  }, [goesOn, loadOlder]);

  const events = useQuery(useTRPC().latestEvents.queryOptions({ reference: kept.id, limit: EVENTS_READ }));
  const isShown = state.at === 'loaded' && state.failure === null && !goesOn;
  const openedShares = (shares ?? []).flatMap((share): Share[] => {
    const openings = share.openings.filter(({ at }) => Date.parse(at) > (since ?? 0));
    return openings.length > 0 ? [{ ...share, openings }] : [];
  });
  // The next visit leaves out what this one showed, so all of it must have been read.
  const hasRead = isShown && shares !== null && consents !== null && events.isSuccess && !events.isFetching;
  useEffect(() => {
    if (hasRead && visit) noteVisit(kept.id, visit.now);
  }, [hasRead, visit, kept.id]);

  // With the time: a visit may be of the same day.
  const day = since === null ? null : dates.moment(since);
  return (
    <section aria-labelledby="since" className="max-w-prose space-y-4">
      <h2 id="since">{day === null ? t('first') : t('title', { day })}</h2>
      <Card className="space-y-4">
        {state.at === 'loading' || goesOn ? (
          <p role="status" className="text-muted">
            {t('reading')}
          </p>
        ) : isShown ? (
          <>
            <Uses log={state} since={since} day={day} isAll={shares !== null && openedShares.length === 0} />
            <OpenedShares shares={openedShares} />
            <Refused failure={sharesFailure} />
          </>
        ) : (
          <>
            <Refused failure={state.failure} />
            <p>{t('locked')}</p>
            <Button look="secondary" onClick={() => void load()}>
              <Eye aria-hidden />
              {t('show')}
            </Button>
          </>
        )}
        <Refused failure={events.error ? failureOf(events.error) : null} />
        {since !== null && events.data && <PublicEvents latest={events.data} since={since} />}
        {visit && since !== null && consents && <Expired consents={consents} from={since} to={visit.now} />}
        <p>
          <LocalLink href="/me/access" className={`${textLink} inline-flex min-h-11 items-center`}>
            {t('all')}
          </LocalLink>
        </p>
      </Card>
    </section>
  );
}

const ICONS = { submit: FilePlus2, read: ScanEye, export: FileDown };

type UsesProps = { log: Log; since: number | null; day: string | null; isAll: boolean };

/** The uses by others, by institution and kind, the latest first. `isAll`: nobody read by a link either. */
function Uses({ log, since, day, isAll }: UsesProps) {
  const t = useTranslations('overview.since');
  const access = useTranslations('access');
  const { kept } = useHolder();
  const dates = useDates();
  const uses = usesSince(log, since ?? 0, kept.id);
  if (uses.length === 0) {
    // It is not known that no one did.
    if (!isAll || isCut(log, since ?? 0)) return null;
    return (
      <p className="flex items-start gap-3 text-lg">
        <CircleCheck aria-hidden className="mt-0.5 size-7 shrink-0 text-accent" />
        {day === null ? access('emptyWithoutMe') : t('none', { day })}
      </p>
    );
  }
  const totalOf = (use: readonly AccessEvent[]) => use.reduce((sum, { records }) => sum + records, 0);
  return (
    <ul className="space-y-3">
      {uses.slice(0, SHOWN).map((use) =>
        use.slice(0, 1).map(({ at, kind, grantee_id, grantee_domain }) => (
          <Line key={`${grantee_id} ${kind}`} Icon={ICONS[kind]}>
            <b>
              <InstitutionName id={grantee_id} domain={grantee_domain} />
            </b>
            <span className="block">{access(`kind.${kind}`, { count: totalOf(use) })}</span>
            <span className="block text-sm text-muted">{dates.moment(at)}</span>
          </Line>
        )),
      )}
      {uses.length > SHOWN && <li className="text-muted">{t('more', { count: uses.length - SHOWN })}</li>}
    </ul>
  );
}

/** The links that were opened. */
function OpenedShares({ shares }: { shares: readonly Share[] }) {
  const t = useTranslations('overview.since');
  const dates = useDates();
  if (shares.length === 0) return null;
  return (
    <ul className="space-y-3">
      {shares.slice(0, SHOWN).map(({ share_id: id, label, openings }) => (
        <Line key={id} Icon={Share2}>
          <LocalLink href="/me/shares" className={textLink}>
            {t('opened', { label, count: openings.length })}
          </LocalLink>
          <span className="block text-sm text-muted">{dates.moment(openings[0]?.at ?? '')}</span>
        </Line>
      ))}
    </ul>
  );
}

/** What the public ledger says since the last visit, whoever did it: what a feed reader shows. */
function PublicEvents({ latest, since }: { latest: Answers['latestEvents']; since: number }) {
  const t = useTranslations('overview.since');
  const { kept } = useHolder();
  const dates = useDates();
  const wordsOf = useEntryWords();
  const events = latest.filter(({ accepted_at }) => Date.parse(accepted_at) > since);
  if (events.length === 0) return null;
  return (
    <ul className="space-y-3">
      {events.slice(0, SHOWN).map((entry) => (
        <Line key={entry.id} Icon={ScrollText}>
          <LocalLink href={pageOf(entry.id)} className={textLink}>
            {wordsOf(entry)}
          </LocalLink>
          <span className="block text-sm text-muted">{dates.moment(entry.accepted_at)}</span>
        </Line>
      ))}
      {events.length > SHOWN && (
        <li>
          <LocalLink href={pageOf(kept.id)} className={textLink}>
            {t('moreEvents')}
          </LocalLink>
        </li>
      )}
    </ul>
  );
}

function Expired({ consents, from, to }: { consents: readonly TokenView[]; from: number; to: number }) {
  const t = useTranslations('overview.since');
  const dates = useDates();
  const expired = consents
    .filter((consent) => {
      const end = Date.parse(consent.expires_at ?? '');
      return consent.revoked_at === null && !isOwn(consent) && from < end && end <= to;
    })
    .slice(0, SHOWN);
  const nameOf = useGranteeNames(expired);
  if (expired.length === 0) return null;
  return (
    <ul className="space-y-3">
      {expired.map((consent) => (
        <Line key={consent.token_id} Icon={CalendarX2}>
          {t('expired', { name: nameOf(consent), day: dates.day(consent.expires_at ?? '') })}
        </Line>
      ))}
    </ul>
  );
}

function Line({ Icon, children }: { Icon: typeof Eye; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <Icon aria-hidden className="mt-0.5 size-6 shrink-0 text-accent" />
      <div className="min-w-0 break-words">{children}</div>
    </li>
  );
}
