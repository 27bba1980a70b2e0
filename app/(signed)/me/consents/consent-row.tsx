'use client';

import { clsx } from 'clsx';
import { ChevronDown, CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { Button } from '../../../_ui/button.tsx';
import { CertificationMark } from '../../../_ui/certification-mark.tsx';
import { useNotCertifiedFor } from '../../../_ui/certified-for.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { Fact, Label, ScopeLimits } from '../../../_ui/scope-summary.tsx';
import { consentState, StateBadge } from '../../../_ui/state-badge.tsx';
import { TimeLine } from '../../../_ui/time-bar.tsx';
import { useDay } from '../../../_ui/use-day.ts';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';
import { GranteeLine, useGranteeName } from './new/grantee-name.tsx';
import { type KnownGrantee, useGrantee } from './new/use-grantee.ts';
import { useEnd } from './use-end.ts';

const MOST_CATEGORIES = 2;

type ConsentRowProps = {
  consent: TokenView;
  /** False while the list is scrolled: the grantee is not read then. */
  settled: boolean;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onWithdraw: (name: string) => void;
  /** Milliseconds. */
  now: number;
};

/** One consent of the list: who may do what, until when, and what is left of that. It opens to the rest, and to its withdrawal. */
export function ConsentRow({ consent, settled, isOpen, onOpen, onWithdraw, now }: ConsentRowProps) {
  const t = useTranslations('consents');
  const scopeText = useTranslations('scope');
  const words = useScopeWords();
  const day = useDay();
  const id = useId();
  const grantee = useGrantee(consent, settled);
  const name = useGranteeName()({ consent, grantee });
  const warnings = useWarnings(consent, grantee);
  const ended = useEnd(consent);
  const { status, scope, granted_at, expires_at } = consent;
  return (
    <div className="rounded-md border border-line bg-surface">
      <div
        className={clsx(
          'relative grid gap-x-6 gap-y-0.5 py-2.5 pr-12 pl-4 has-[button:hover]:bg-sunken lg:items-center',
          'lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1.3fr)_minmax(0,1.2fr)]',
        )}
      >
        <div className="min-w-0">
          <h2 className="text-base leading-snug">
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={id}
              onClick={() => onOpen(!isOpen)}
              className="w-full cursor-pointer text-left break-words after:absolute after:inset-0 after:rounded-md focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-focus lg:line-clamp-2"
            >
              {name}
              {warnings.length > 0 && (
                <>
                  {' '}
                  <CircleAlert aria-hidden className="inline size-4.5 align-text-bottom text-caution-ink" />
                  <span className="sr-only">{t('attention')}</span>
                </>
              )}
            </button>
          </h2>
          {grantee.institution && (
            <p className="relative z-1 w-fit max-w-full">
              <CertificationMark institution={grantee.institution} />
            </p>
          )}
        </div>
        <p className="min-w-0 text-sm leading-snug">
          <span className="block first-letter:uppercase lg:truncate">{words.intents(scope.intents)}</span>
          <span className="block text-muted first-letter:uppercase lg:truncate">
            {words.categories(scope.categories, MOST_CATEGORIES)}
          </span>
        </p>
        {ended ? (
          <p className="flex flex-wrap items-center gap-x-2 text-sm">
            <StateBadge state={consentState(status)} />
            <span className="text-muted">{day(ended.at)}</span>
          </p>
        ) : (
          <TimeLine granted_at={granted_at} expires_at={expires_at} now={now} />
        )}
        <ChevronDown
          aria-hidden
          className={clsx('absolute top-3 right-4 size-5 text-muted print:hidden', isOpen && 'rotate-180')}
        />
      </div>
      {isOpen && (
        <div id={id} className="grid gap-x-8 gap-y-4 border-t border-line px-4 py-4 lg:grid-cols-[minmax(0,1fr)_auto]">
          <div className="space-y-2">
            <dl className="space-y-2">
              <Fact name={scopeText('who')}>
                <GranteeLine consent={consent} grantee={grantee} />
              </Fact>
              {scope.categories.length > 1 && (
                <Fact name={scopeText('about')}>
                  <Label>{words.categories(scope.categories)}</Label>
                </Fact>
              )}
              <ScopeLimits scope={scope} />
              <Fact name={t('receipt.given')}>{day(granted_at)}</Fact>
            </dl>
            {warnings}
          </div>
          <div className="flex flex-wrap items-start gap-x-3 gap-y-1 lg:flex-col lg:items-stretch">
            {status === 'ACTIVE' && (
              <Button look="secondary" onClick={() => onWithdraw(name)}>
                {t('withdraw')}
                <span className="sr-only">{name}</span>
              </Button>
            )}
            <Button asChild look="quiet">
              <LocalLink href={`/me/consents/${consent.token_id}`}>
                {t('receipt.see')}
                <span className="sr-only">{name}</span>
              </LocalLink>
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

/** What a holder should know of an active consent before reading further. */
function useWarnings({ status, scope }: TokenView, { institution }: KnownGrantee): ReactNode[] {
  const t = useTranslations('consents');
  const beyond = useNotCertifiedFor();
  if (status !== 'ACTIVE' || !institution) return [];
  const notCertified = beyond(institution, scope);
  return [
    ...(notCertified
      ? [
          <p key="certified" className="font-semibold text-caution-ink">
            {notCertified}
          </p>,
        ]
      : []),
    ...(institution.status === 'ACTIVE' ? [] : [<p key="pauses">{t('pauses')}</p>]),
  ];
}
