'use client';

import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { CertificationMarkOf } from '../_trpc/certification-mark-of.tsx';
import { failureOf } from '../_trpc/failure.ts';
import { useTRPC } from '../_trpc/provider.tsx';
import { Refused } from '../_trpc/refused.tsx';
import type { Settled } from '../_trpc/settled.ts';
import { Button } from '../_ui/button.tsx';
import { pageOf } from '../_ui/explore-address.ts';
import { LocalLink } from '../_ui/local-link.tsx';
import { Moment } from '../_ui/moment.tsx';
import { Name } from '../_ui/name.tsx';
import { consentState, StateBadge } from '../_ui/state-badge.tsx';
import { Table, TableCell, TableHead, TableRow } from '../_ui/table.tsx';
import { textLink } from '../_ui/text-link.ts';
import { useScopeWords } from '../_ui/use-scope-words.ts';
import { CONSENTS_PAGE } from './first-answer.ts';

type ConsentsProps = { holder: string; first: Settled<Answers['consents']> | null; renderedAt: string };

/** The consents that an identity has given, newest first, page by page. */
export function Consents({ holder, first, renderedAt }: ConsentsProps) {
  const t = useTranslations('explore');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  const pages = useQueries({
    queries: cursors.map((cursor) =>
      trpc.consents.queryOptions(
        { reference: holder, limit: CONSENTS_PAGE, cursor },
        cursor === null && first?.data ? { initialData: first.data, initialDataUpdatedAt: Date.parse(renderedAt) } : {},
      ),
    ),
  });
  const tokens = pages.flatMap(({ data }) => data?.tokens ?? []);
  const error = pages.find((page) => page.error)?.error;
  const next = pages.at(-1)?.data?.next_cursor ?? null;
  const count = pages[0]?.data?.count ?? 0;

  return (
    <section aria-labelledby="consents" className="mt-14">
      <h2 id="consents">{t('consents.title')}</h2>
      <p className="mt-2 mb-5 max-w-prose text-muted">{t('consents.lead', { count })}</p>
      {tokens.length > 0 && (
        <Table
          caption={t('consents.title')}
          columns={[t('consent.for'), t('consents.may'), t('consent.given'), t('consents.state')]}
        >
          {tokens.map((token) => (
            <ConsentRow key={token.token_id} token={token} renderedAt={renderedAt} />
          ))}
        </Table>
      )}
      <Refused failure={error ? failureOf(error) : null} />
      {next !== null && (
        <Button look="secondary" className="mt-5" onClick={() => setCursors([...cursors, next])}>
          {common('more')}
        </Button>
      )}
    </section>
  );
}

function ConsentRow({ token, renderedAt }: { token: Answers['consents']['tokens'][number]; renderedAt: string }) {
  const t = useTranslations('explore');
  const words = useScopeWords();
  return (
    <TableRow>
      <TableHead>
        <LocalLink href={pageOf(token.token_id)} className={`${textLink} -my-2 inline-block py-2`}>
          <Name>{token.ieo_domain ?? token.ieo_id}</Name>
        </LocalLink>
        {token.ieo_id !== token.beo_id && <CertificationMarkOf id={token.ieo_id} />}
      </TableHead>
      <TableCell label={t('consents.may')} className="col-span-2">
        {words.intents(token.scope.intents)}
        <span className="block text-sm text-muted">{words.categories(token.scope.categories, 2)}</span>
      </TableCell>
      <TableCell label={t('consent.given')}>
        <Moment at={token.granted_at} renderedAt={renderedAt} />
      </TableCell>
      <TableCell label={t('consents.state')}>
        <StateBadge state={consentState(token.status)} />
      </TableCell>
    </TableRow>
  );
}
