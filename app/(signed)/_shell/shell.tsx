'use client';

import { usePathname } from 'next/navigation';
import { Fragment, type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import type { IdentityKind, KeptIdentity } from '../../_keys/identities.ts';
import { useSession } from '../../_session/session.tsx';
import { failureOf } from '../../_trpc/failure.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { CardSkeleton, LoadingWords, RowsSkeleton } from '../../_ui/skeletons.tsx';
import type { Status } from '../../_ui/state-badge.tsx';
import { Frame, type Place, placeAt } from './frame.tsx';
import { IdentityBar } from './identity-bar.tsx';
import { NoIdentity } from './no-identity.tsx';

/** The last used identity of a kind; undefined until it is read, null where this browser has none. */
export function useKept(kind: IdentityKind): KeptIdentity | null | undefined {
  const { identities } = useSession();
  if (identities.state !== 'read') return undefined;
  return identities.value.find((identity) => identity.kind === kind) ?? null;
}

type ShellProps = {
  kind: IdentityKind;
  /** The result of `useKept`. */
  kept: KeptIdentity | null | undefined;
  places: readonly Place[];
  /** The status of the identity, once it is read. */
  status: Status | undefined;
  error: unknown;
  notices: ReactNode;
  /** Falsy until there is something to show. */
  children: ReactNode;
};

/**
 * Surrounds the pages of an identity. Until the identity is read, a class of the document shows whether this browser has one;
 * while it cannot be read, nothing else is offered.
 */
export function Shell({ kind, kept, places, status, error, notices, children }: ShellProps) {
  const t = useTranslations('dashboard');
  const here = placeAt(places, usePathname());
  const pagesOf = useOtherThanFirst(kept?.id);
  const isUnreadable = useSession().identities.state === 'unreadable';
  if (kept === null) return <NoIdentity kind={kind} />;
  return (
    <>
      <div className={kept || isUnreadable ? undefined : 'hidden known:block unscripted:hidden'}>
        <Frame
          places={places}
          head={
            kept ? (
              <IdentityBar key={kept.id} kept={kept} status={status} />
            ) : (
              <div className="flex min-h-12 items-center rounded-lg border border-line bg-surface px-4 lg:min-h-36">
                <LoadingWords words={t('looking')} />
              </div>
            )
          }
          notices={notices}
        >
          {children ? (
            <Fragment key={pagesOf}>{children}</Fragment>
          ) : error ? (
            <Refused failure={failureOf(error)} />
          ) : (
            <Opening title={here?.name} />
          )}
        </Frame>
      </div>
      {!kept && !isUnreadable && (
        <div className="known:hidden">
          <NoIdentity kind={kind} />
        </div>
      )}
    </>
  );
}

/** The id, unless it is the first: pages that begin before the identity is read continue with it. */
function useOtherThanFirst(id: string | undefined): string | undefined {
  const first = useRef(id);
  first.current ??= id;
  return id === first.current ? undefined : id;
}

function Opening({ title }: { title: string | undefined }) {
  const t = useTranslations('dashboard');
  return (
    <div className="space-y-5">
      <h1>{title}</h1>
      <p className="max-w-form text-lg text-muted">{t('opening')}</p>
      <CardSkeleton lines={3} />
      <RowsSkeleton rows={2} />
    </div>
  );
}
