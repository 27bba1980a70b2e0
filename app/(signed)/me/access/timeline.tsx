'use client';

import { clsx } from 'clsx';
import { FileDown, FilePlus2, ScanEye } from 'lucide-react';
import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { regionOf } from '../../../../messages/languages.ts';
import { dateFormat } from '../../../_i18n/formats.ts';
import { InstitutionName } from '../../../_trpc/institution-name.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { LongList } from '../../../_ui/long-list.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { useDates } from '../../../_ui/use-dates.ts';
import type { AccessDay, Use } from './group-access.ts';

type TimelineProps = { label: string; days: readonly AccessDay[]; ownId: string };

/** The days on which consents were used, the newest first. */
export function Timeline({ label, days, ownId }: TimelineProps) {
  return (
    <LongList
      label={label}
      items={days}
      keyOf={({ day }) => day}
      usualHeight={220}
      gap={24}
      render={(day) => <TimelineDay day={day} ownId={ownId} />}
    />
  );
}

/** The uses of one day along a line, the newest first. */
function TimelineDay({ day: { day, uses }, ownId }: { day: AccessDay; ownId: string }) {
  const region = regionOf(useLocale());
  const words = dateFormat(region, { dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(day));
  return (
    <section aria-labelledby={`day-${day}`} className="space-y-3">
      <h2 id={`day-${day}`} className="text-lg first-letter:uppercase">
        {words}
      </h2>
      <ol>
        {uses.map((use) => (
          <UseRow key={keyOf(use)} use={use} isOwn={use.granteeId === ownId} />
        ))}
      </ol>
    </section>
  );
}

const keyOf = ({ granteeId, kind, tokenId, format }: Use): string => [granteeId, kind, tokenId, format].join(' ');

const LOOKS = {
  submit: { Icon: FilePlus2, className: 'bg-sunken text-ink' },
  read: { Icon: ScanEye, className: 'bg-accent-soft text-accent-ink' },
  export: { Icon: FileDown, className: 'bg-caution-soft text-caution-ink' },
};
const FORMATS = ['JSON', 'CSV', 'FHIR_R4'] as const;

function UseRow({ use, isOwn }: { use: Use; isOwn: boolean }) {
  const t = useTranslations('access');
  const { kind, tokenId, granteeId, granteeDomain: domain, format, events, records } = use;
  const { Icon, className } = LOOKS[kind];
  const known = FORMATS.find((name) => name === format);
  const count = events.length;
  return (
    <li className="group relative grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-4 pb-6 last:pb-2 sm:grid-cols-[7.5rem_2.5rem_minmax(0,1fr)]">
      <span
        aria-hidden
        className="absolute top-11 bottom-1 left-[1.1875rem] w-0.5 bg-line group-last:hidden sm:left-[9.6875rem]"
      />
      <Times events={events} className="col-start-2 row-start-2 sm:col-start-1 sm:row-start-1 sm:pt-2 sm:text-right" />
      <span
        aria-hidden
        className={clsx(
          'col-start-1 row-start-1 grid size-10 place-items-center rounded-full sm:col-start-2',
          className,
        )}
      >
        <Icon className="size-5" />
      </span>
      <div className="col-start-2 row-start-1 min-w-0 pt-1.5 sm:col-start-3">
        <h3 className="text-base">
          {isOwn ? t('me') : <InstitutionName id={granteeId} domain={domain} />}
          {!isOwn && domain && <span className="block text-sm font-normal break-words text-muted">{domain}</span>}
        </h3>
        <p>
          {t(`kind.${kind}`, { count: records })}
          {format && ` ${t(`format.${known ?? 'OTHER'}`, { format })}`}
        </p>
      </div>
      <div className="col-start-2 min-w-0 text-sm text-muted sm:col-start-3">
        {count > 1 && <>{t('requests', { count })} · </>}
        <LocalLink href={`/me/consents/${tokenId}`} className={`${textLink} -my-2 inline-block py-2`}>
          {t('consent')}
        </LocalLink>
        {count > 1 && <EachRequest events={events} />}
      </div>
    </li>
  );
}

/** The time of the requests; of several, from the first to the last. */
function Times({ events, className }: { events: Use['events']; className: string }) {
  const dates = useDates();
  const [newest, oldest] = [events[0], events.at(-1)];
  if (!newest || !oldest) return null;
  const [from, to] = [dates.time(oldest.at), dates.time(newest.at)];
  return <p className={clsx('text-sm text-muted tabular-nums', className)}>{from === to ? to : `${from} – ${to}`}</p>;
}

function EachRequest({ events }: { events: Use['events'] }) {
  const t = useTranslations('access');
  const dates = useDates();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="inline-flex min-h-8 cursor-pointer items-center underline underline-offset-4">
        {t('each')}
      </summary>
      <ul className="pb-2 tabular-nums">
        {isOpen &&
          events.map(({ at, records: touched }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two requests can have the same time, and the order is fixed
            <li key={index}>{t('request', { time: dates.time(at), count: touched })}</li>
          ))}
      </ul>
    </details>
  );
}
