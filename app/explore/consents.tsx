'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { MAX_PAGE_SIZE } from '../../protocol/page.ts';
import type { Answers } from '../../server/http/trpc/router.ts';
import { CertificationMarkOf } from '../_trpc/certification-mark-of.tsx';
import { failureOf } from '../_trpc/failure.ts';
import { useTRPC, useTRPCClient } from '../_trpc/query-provider.tsx';
import { Refused } from '../_trpc/refused.tsx';
import { useListFile } from '../_trpc/use-list-file.ts';
import { TOOLS_BESIDE, useChosenColumns } from '../_ui/chosen-columns.tsx';
import { pageOf } from '../_ui/explore-address.ts';
import { LocalLink } from '../_ui/local-link.tsx';
import { Moment } from '../_ui/moment.tsx';
import { Name } from '../_ui/name.tsx';
import { Pager } from '../_ui/pager.tsx';
import { SaveCsv } from '../_ui/save-csv.tsx';
import { consentState, StateBadge } from '../_ui/state-badge.tsx';
import { Table, TableCell, TableHead, TableRow } from '../_ui/table.tsx';
import { textLink } from '../_ui/text-link.ts';
import { useScopeWords } from '../_ui/use-scope-words.ts';
import { consentsQuery, type FirstAnswer } from './first-answer.ts';
import { useAddressWith } from './use-address-with.ts';

type ConsentsProps = { holder: string; first: FirstAnswer; renderedAt: string };

/** The consents that an identity has given, newest first, page by page. */
export function Consents({ holder, first, renderedAt }: ConsentsProps) {
  const t = useTranslations('explore');
  const trpc = useTRPC();
  const addressWith = useAddressWith('consents', 'consents');
  const { consents, pages } = first;
  const { data, error } = useQuery(
    trpc.consents.queryOptions(
      consentsQuery(holder, pages),
      consents?.data ? { initialData: consents.data, initialDataUpdatedAt: Date.parse(renderedAt) } : {},
    ),
  );
  const { shown, isShown, choice } = useChosenColumns('explore-consents', [
    { key: 'for', name: t('consent.for') },
    { key: 'may', name: t('consents.may') },
    { key: 'given', name: t('consent.given') },
    { key: 'state', name: t('consents.state') },
  ]);
  const client = useTRPCClient();
  const file = useListFile({
    name: 'perpetua-consents.csv',
    key: `consents ${holder}`,
    read: (cursor: string | null) => client.consents.query({ reference: holder, limit: MAX_PAGE_SIZE, cursor }),
    next: ({ next_cursor }) => next_cursor,
    csv: async (read) =>
      (await import('./given-consents-csv.ts')).givenConsentsCsv(read.flatMap(({ tokens }) => tokens)),
  });
  const tokens = data?.tokens ?? [];
  const next = data?.next_cursor ?? null;

  return (
    <section id="consents" aria-labelledby="consents-title" className="mt-14">
      <h2 id="consents-title">{t('consents.title')}</h2>
      {data && <p className="mt-2 mb-5 max-w-prose text-muted">{t('consents.lead', { count: data.count })}</p>}
      {tokens.length > 0 && (
        <>
          <div className={TOOLS_BESIDE}>
            <SaveCsv onSave={file.save} busy={file.busy} />
            {choice}
          </div>
          <Refused failure={file.failure} />
          <Table caption={t('consents.title')} columns={shown.map(({ name }) => name)}>
            {tokens.map((token) => (
              <ConsentRow key={token.token_id} token={token} isShown={isShown} renderedAt={renderedAt} />
            ))}
          </Table>
        </>
      )}
      <Refused failure={error ? failureOf(error) : (consents?.failure ?? null)} />
      <Pager
        label={t('consents.pages')}
        previous={pages.consents === null ? null : { name: t('consents.newest'), href: addressWith(null) }}
        next={next === null ? null : { name: t('consents.older'), href: addressWith(next) }}
      />
    </section>
  );
}

type ConsentRowProps = {
  token: Answers['consents']['tokens'][number];
  /** Whether a column is shown. */
  isShown: (key: string) => boolean;
  renderedAt: string;
};

function ConsentRow({ token, isShown, renderedAt }: ConsentRowProps) {
  const t = useTranslations('explore');
  const words = useScopeWords();
  return (
    <TableRow>
      <TableHead>
        <LocalLink href={pageOf(token.token_id)} className={`${textLink} -my-2 inline-block py-2`}>
          <Name>{token.ieo_domain ?? token.ieo_id}</Name>
        </LocalLink>{' '}
        {token.ieo_id !== token.beo_id && <CertificationMarkOf id={token.ieo_id} />}
      </TableHead>
      {isShown('may') && (
        <TableCell label={t('consents.may')} className="col-span-2">
          {words.intents(token.scope.intents)}
          <span className="block text-sm text-muted">{words.categories(token.scope.categories, 2)}</span>
        </TableCell>
      )}
      {isShown('given') && (
        <TableCell label={t('consent.given')}>
          <Moment at={token.granted_at} renderedAt={renderedAt} />
        </TableCell>
      )}
      {isShown('state') && (
        <TableCell label={t('consents.state')}>
          <StateBadge state={consentState(token.status)} />
        </TableCell>
      )}
    </TableRow>
  );
}
