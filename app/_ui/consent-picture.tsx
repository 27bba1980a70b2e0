'use client';

import { clsx } from 'clsx';
import { Building2, CalendarClock, ChevronRight, FileText, type LucideIcon, UserRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Scope } from '../../protocol/entities/token.ts';
import type { ConsentTime } from './consent-time.ts';
import { TimeBar } from './time-bar.tsx';
import { useDay } from './use-day.ts';
import { useScopeWords } from './use-scope-words.ts';

type ConsentPictureProps = ConsentTime & {
  who: ReactNode;
  /** To the holder's own key. */
  own: boolean;
  scope: Pick<Scope, 'intents' | 'categories'>;
  /** The number of categories that are named; the rest are counted. */
  categoriesAtMost?: number;
  /** How it ended and when, ISO 8601; null for an active one. */
  ended?: { readonly name: string; readonly at: string } | null;
};

/** A consent as a picture: who can do what, and until when. In one row where there is room. Needs the messages of `scope`. */
export function ConsentPicture(props: ConsentPictureProps) {
  const { who, own, scope, granted_at, expires_at, categoriesAtMost, ended = null } = props;
  const t = useTranslations('scope');
  const words = useScopeWords();
  const day = useDay();
  const [now] = useState(() => Date.now());
  const faded = ended !== null;
  return (
    <div className="@container">
      <dl className="grid grid-cols-1 gap-y-4 @[38rem]:grid-cols-3 @[38rem]:gap-x-4">
        <Part Icon={own ? UserRound : Building2} name={t('who')} faded={faded}>
          {who}
        </Part>
        <Part Icon={FileText} name={t('may')} faded={faded}>
          <span className="block font-semibold first-letter:uppercase">{words.intents(scope.intents)}</span>
          <span className="block text-sm text-muted first-letter:uppercase">
            {words.categories(scope.categories, categoriesAtMost)}
          </span>
        </Part>
        <Part Icon={CalendarClock} name={ended ? ended.name : t('holds')} faded={faded} last>
          {ended ? (
            day(ended.at)
          ) : (
            <>
              <span className="block font-semibold first-letter:uppercase">{words.end(expires_at)}</span>
              <TimeBar granted_at={granted_at} expires_at={expires_at} now={now} />
            </>
          )}
        </Part>
      </dl>
    </div>
  );
}

type PartProps = {
  Icon: LucideIcon;
  name: ReactNode;
  faded: boolean;
  last?: boolean;
  children: ReactNode;
};

/** One of the three parts, and the line to the next: downwards, or to the right in a row. */
function Part({ Icon, name, faded, last = false, children }: PartProps) {
  return (
    <div className="relative min-h-10 pl-13 max-[16rem]:pt-11 max-[16rem]:pl-0 @[38rem]:pt-12 @[38rem]:pl-0">
      <dt className="text-sm text-muted">
        <span
          aria-hidden
          className={clsx(
            'absolute top-0 left-0 grid size-10 place-items-center rounded-full',
            faded ? 'bg-sunken text-muted' : 'bg-accent-soft text-accent-ink',
          )}
        >
          <Icon className="size-5" />
        </span>
        {!last && (
          <span
            aria-hidden
            className="absolute top-11 -bottom-3 left-[1.1875rem] flex w-0.5 items-center bg-line max-[16rem]:hidden @[38rem]:top-[1.1875rem] @[38rem]:right-0 @[38rem]:bottom-auto @[38rem]:left-12 @[38rem]:h-0.5 @[38rem]:w-auto"
          >
            <ChevronRight className="-mr-1.5 ml-auto size-5 shrink-0 text-edge @max-[38rem]:hidden" />
          </span>
        )}
        {name}
      </dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
