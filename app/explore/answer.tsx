'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { failureOf, isTemporary } from '../_trpc/failure.ts';
import { useTRPC } from '../_trpc/query-provider.tsx';
import { Refused } from '../_trpc/refused.tsx';
import { Consent } from './consent-facts.tsx';
import { Consents } from './consents.tsx';
import { History } from './entry-history.tsx';
import type { FirstAnswer } from './first-answer.ts';
import { Identity } from './identity.tsx';
import { Institution } from './institution.tsx';
import { Proposal } from './proposal.tsx';
import { Transaction } from './transaction.tsx';
import { UnknownReference } from './unknown-reference.tsx';

type Explored = Answers['explore']['found'];

const MOVING_MS = 3_000;
const RETRY_MS = 15_000;

type AnswerProps = { reference: string; suffix: string; first: FirstAnswer; renderedAt: string };

/** The entity of a reference, polled until its entry is final. */
export function Answer({ reference, suffix, first, renderedAt }: AnswerProps) {
  const t = useTranslations('explore');
  const trpc = useTRPC();
  const { data, error, isPending } = useQuery(
    trpc.explore.queryOptions(
      { reference },
      {
        ...(first.explored.data && {
          initialData: first.explored.data,
          initialDataUpdatedAt: Date.parse(renderedAt),
        }),
        retry: false,
        refetchInterval: ({ state }) => {
          if (state.error) return isTemporary(failureOf(state.error)) && RETRY_MS;
          const status = state.data && statusOf(state.data.found);
          return status !== undefined && status !== 'FINAL' && MOVING_MS;
        },
      },
    ),
  );
  if (!data) {
    const failure = error ? failureOf(error) : isPending ? first.explored.failure : null;
    return (
      <>
        <h1 className="mb-5">{t('title')}</h1>
        <Refused failure={failure} />
      </>
    );
  }
  return <Found explored={data.found} {...{ reference, suffix, first, renderedAt }} />;
}

function Found({ explored, reference, suffix, first, renderedAt }: AnswerProps & { explored: Explored }) {
  switch (explored.kind) {
    case 'identity':
      return (
        <>
          <Identity identity={explored.identity} renderedAt={renderedAt} />
          <History entityId={explored.identity.beo_id} first={first} renderedAt={renderedAt} />
          <Consents holder={explored.identity.beo_id} first={first} renderedAt={renderedAt} />
        </>
      );
    case 'institution':
      return (
        <>
          <Institution {...explored} renderedAt={renderedAt} />
          <History entityId={explored.institution.ieo_id} first={first} renderedAt={renderedAt} />
        </>
      );
    case 'consent':
      return (
        <>
          <Consent {...explored} renderedAt={renderedAt} />
          <History entityId={explored.consent.token.token_id} first={first} renderedAt={renderedAt} />
        </>
      );
    case 'proposal':
      return (
        <>
          <Proposal {...explored} renderedAt={renderedAt} />
          <History entityId={explored.proposal.proposal_id} first={first} renderedAt={renderedAt} />
        </>
      );
    case 'transaction':
      return <Transaction {...explored} renderedAt={renderedAt} />;
    default:
      return (
        <UnknownReference
          reference={reference}
          suffix={suffix}
          isMalformed={explored.kind === 'malformed'}
          destroyed={explored.kind === 'nothing' ? explored.destroyed : null}
        />
      );
  }
}

function statusOf(explored: Explored) {
  if (explored.kind === 'identity') return explored.identity.ledger.status;
  if (explored.kind === 'institution') return explored.institution.ledger.status;
  if (explored.kind === 'consent') return explored.consent.token.ledger.status;
  if (explored.kind === 'proposal') return explored.proposal.ledger.status;
  return explored.kind === 'transaction' ? explored.transaction.status : undefined;
}
