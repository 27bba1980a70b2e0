'use client';

import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { type Failure, failureOf, isTemporary } from '../_trpc/failure.ts';
import { useTRPC } from '../_trpc/query-provider.tsx';
import type { Settled } from '../_trpc/settled.ts';
import { useAddress } from '../_ui/address.ts';
import { LookUpForm } from '../_ui/look-up-form.tsx';
import { normalizeReference } from '../_ui/reference.ts';
import { CardSkeleton } from '../_ui/skeletons.tsx';
import { useLoadAhead } from '../_ui/use-load-ahead.ts';

/** Loaded after the page, because most visitors look nothing up. Not in a Suspense, so that the server renders an outcome. */
const loadOutcome = () => import('./lookup-outcome.tsx');
const LookupOutcome = lazy(async () => ({ default: (await loadOutcome()).LookupOutcome }));
const LookupSummary = lazy(async () => ({ default: (await loadOutcome()).LookupSummary }));

const MOVING_MS = 3_000;
const RETRY_MS = 15_000;

/** The result that the server rendered. */
export type FirstLookup = { readonly reference: string; readonly settled: Settled<Answers['lookUp']> } | null;

type LookupProps = { suffix: string; first: FirstLookup; renderedAt: string };

/** Looks up an identity. The reference is in the address, so that links, the back button and pages without scripts work. */
export function Lookup({ suffix, first, renderedAt }: LookupProps) {
  const t = useTranslations('home.lookup');
  const { search, push } = useAddress();
  const query = search.get('domain') ?? '';
  const reference = normalizeReference(query, suffix);
  const { answer, failure } = useLookUp(reference, first, renderedAt);
  const outcome = { reference, suffix, answer, failure };
  const isLooking = !answer && !failure;

  useLoadAhead(loadOutcome);

  const lookUp = (typed: string) => {
    const domain = typed.trim();
    const lang = search.get('lang');
    const query = new URLSearchParams({ ...(domain && { domain }), ...(lang && { lang }) });
    push(query.size > 0 ? `?${query}` : location.pathname);
  };

  return (
    <div id="lookup">
      <search id="ledger-search">
        <LookUpForm
          key={query}
          action="/"
          name="domain"
          initial={query}
          label={t('label')}
          hint={t('hint', { suffix })}
          submit={t('submit')}
          onLookUp={lookUp}
        />
      </search>
      <p role="status" className="sr-only">
        {reference && (isLooking ? t('looking', { domain: reference }) : <LookupSummary {...outcome} />)}
      </p>
      {reference && (
        <div className="mt-6" aria-busy={isLooking}>
          {isLooking ? (
            <CardSkeleton lines={5} words={t('looking', { domain: reference })} />
          ) : (
            <LookupOutcome {...outcome} renderedAt={renderedAt} />
          )}
        </div>
      )}
    </div>
  );
}

function useLookUp(reference: string, first: FirstLookup, renderedAt: string) {
  const trpc = useTRPC();
  const given = first?.reference === reference ? first.settled : undefined;
  const query = useQuery(
    trpc.lookUp.queryOptions(
      { reference },
      {
        ...(given?.data && { initialData: given.data, initialDataUpdatedAt: Date.parse(renderedAt) }),
        enabled: reference !== '',
        retry: false,
        refetchInterval: ({ state }) => {
          if (state.error) return isTemporary(failureOf(state.error)) && RETRY_MS;
          const status = state.data?.identity?.ledger.status;
          return status !== undefined && status !== 'FINAL' && MOVING_MS;
        },
      },
    ),
  );
  const failure: Failure | undefined = query.error
    ? failureOf(query.error)
    : query.isPending
      ? given?.failure
      : undefined;
  return { answer: query.data, failure };
}
