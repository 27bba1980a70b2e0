'use client';

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { useHolder } from '../../../_session/current.tsx';
import { useTRPC } from '../../../_trpc/query-provider.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { deferred } from '../../../_ui/deferred.tsx';
import { EmptyState } from '../../../_ui/empty-state.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { RowsSkeleton } from '../../../_ui/skeletons.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { useDay } from '../../../_ui/use-day.ts';
import { useLoadAhead, useLoadMeanwhile } from '../../../_ui/use-load-ahead.ts';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';
import { arranged, isFiltering, NO_FILTER, type Words } from './consent-filter.ts';
import { countsOf, inForce, isOwn } from './consents-in-force.ts';
import { useConsents } from './use-consents.ts';
import { useFilter } from './use-filter.ts';
import type { Withdrawal } from './withdrawal.ts';

/** Loaded while the consents are read, or once the person begins to use the page. */
const loadList = async () => (await import('./consent-list.tsx')).ConsentList;
const loadDialog = async () => (await import('./withdraw-dialog.tsx')).WithdrawDialog;
const loadSeveral = async () => (await import('./withdraw-several.tsx')).WithdrawSeveral;
const loadDialogs = () => Promise.all([loadDialog(), loadSeveral()]);
const ConsentList = deferred(loadList, <RowsSkeleton />);
const Filters = deferred(async () => (await import('./consent-filters.tsx')).Filters);
const WithdrawDialog = deferred(loadDialog);
const WithdrawSeveral = deferred(loadSeveral);

/** From this number of consents on, they can be filtered. */
const MIN_FOR_FILTERS = 10;

/** All consents of a holder, those in force first; each can be withdrawn. */
export function AllConsents() {
  const t = useTranslations('consents');
  const { kept, view } = useHolder();
  const { consents: all, total: totalOfAll, complete, failure, retry } = useConsents(kept.id);
  const consents = useMemo(() => all.filter((consent) => !isOwn(consent)), [all]);
  const total = totalOfAll === null ? null : totalOfAll - (all.length - consents.length);
  const [filter, change] = useFilter();
  const words = useWords(filter.text);
  const shown = useMemo(() => arranged(consents, filter, words), [consents, filter, words]);
  const [several, setSeveral] = useState(false);
  const [withdrawal, setWithdrawal] = useState<Withdrawal | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useLoadMeanwhile(loadList);
  useLoadAhead(loadDialogs);
  const { live, ended, own } = useMemo(() => countsOf(all), [all]);

  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 max-w-form">
          <h1 ref={heading} tabIndex={-1} className="focus:outline-none">
            {t('title')}
          </h1>
          <p className="mt-1 text-muted">{t('lead')}</p>
        </div>
        <div className="flex flex-wrap gap-3">
          {view.status !== 'DESTROYED' && (
            <Button asChild>
              <LocalLink href="/me/consents/new">{t('give')}</LocalLink>
            </Button>
          )}
          {live + own > 1 && (
            <Button look="secondary" onClick={() => setSeveral(true)}>
              {t('withdrawSeveral')}
            </Button>
          )}
        </div>
      </div>

      {failure && (
        <div className="space-y-3">
          <Refused failure={failure} />
          <Button look="secondary" onClick={retry}>
            {t('retry')}
          </Button>
        </div>
      )}
      {total === null && !failure && <RowsSkeleton />}
      {total === 0 && <NoConsents />}
      {total !== null && total >= MIN_FOR_FILTERS && <Filters filter={filter} consents={consents} onChange={change} />}
      {total !== null && total > 0 && (
        <>
          <p role="status" className="text-sm text-muted">
            {complete
              ? isFiltering(filter)
                ? t('shown', { shown: shown.length, total })
                : t('counts', { live, ended, total })
              : t('loaded', { loaded: consents.length, total })}
          </p>
          {shown.length > 0 ? (
            <ConsentList
              consents={shown}
              onWithdraw={(consent, who) =>
                setWithdrawal({ kind: 'one', tokenId: consent.token_id, who, own: isOwn(consent) })
              }
            />
          ) : (
            complete && (
              <Card className="space-y-3">
                <p>{t('noneMatch')}</p>
                <Button look="secondary" onClick={() => change(NO_FILTER)}>
                  {t('showAll')}
                </Button>
              </Card>
            )
          )}
        </>
      )}

      {complete && <OwnConsents consents={all} />}

      {several && (
        <WithdrawSeveral
          consents={all}
          ownId={kept.id}
          onClose={() => setSeveral(false)}
          onChoose={(chosen) => {
            setSeveral(false);
            setWithdrawal(chosen);
          }}
        />
      )}
      {withdrawal && (
        <WithdrawDialog
          withdrawal={withdrawal}
          counted={complete}
          onClose={(withdrawn) => {
            setWithdrawal(null);
            // The button that had the focus is removed.
            if (withdrawn) requestAnimationFrame(() => heading.current?.focus());
          }}
        />
      )}
    </div>
  );
}

/** What lets the holder read their own records: it is no consent to anyone else. */
function OwnConsents({ consents }: { consents: readonly TokenView[] }) {
  const t = useTranslations('consents.own');
  const day = useDay();
  const own = consents.filter((consent) => isOwn(consent) && inForce(consent));
  if (own.length === 0) return null;
  return (
    <section className="space-y-1 border-t border-line pt-5">
      <h2 className="text-lg">{t('title')}</h2>
      <p className="text-muted">{t('body')}</p>
      <ul>
        {own.map(({ token_id, granted_at }) => (
          <li key={token_id}>
            <LocalLink href={`/me/consents/${token_id}`} className={`${textLink} inline-flex min-h-11 items-center`}>
              {t('see', { day: day(granted_at) })}
            </LocalLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoConsents() {
  const t = useTranslations('consents.none');
  return (
    <EmptyState title={t('title')}>
      <p className="mx-auto max-w-form">{t('body')}</p>
      <p className="mx-auto max-w-form text-muted">{t('asked')}</p>
    </EmptyState>
  );
}

/** What the search covers: domains, the labels of intents and categories, and the names of institutions. */
function useWords(text: string): Words {
  const trpc = useTRPC();
  const words = useScopeWords();
  const typed = useDeferredValue(text.trim());
  const { data } = useQuery(
    trpc.findInstitutions.queryOptions({ typed }, { enabled: typed.length > 1, placeholderData: (before) => before }),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: words change with the language only, and a page has one
  return useMemo(() => {
    const names = new Map<string, string>();
    const labelOf = (code: string, name: () => string) => {
      const label = names.get(code) ?? name();
      names.set(code, label);
      return label;
    };
    return {
      of: ({ ieo_domain, scope }) =>
        [
          ieo_domain ?? '',
          ...scope.intents.map((intent) => labelOf(intent, () => words.intent(intent))),
          ...scope.categories.map((code) => labelOf(code, () => words.category(code))),
        ].join(' '),
      granteeIds: new Set(typed.length > 1 ? data?.map(({ ieo_id }) => ieo_id) : []),
    };
  }, [data, typed]);
}
