'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { CertificationMark } from '../_ui/certification-mark.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { addressOf } from '../_ui/match-address.ts';
import { Name } from '../_ui/name.tsx';
import { StateBadge } from '../_ui/state-badge.tsx';
import { textLink } from '../_ui/text-link.ts';
import { useOperationLabel } from '../_ui/use-operation-label.ts';
import { shownText } from './read-reference.ts';

type Found = Answers['search'];
type Match = Found['matches'][number];

/** What a typed text may mean, where it is more than one thing. */
export function Results({ typed, found }: { typed: string; found: Found }) {
  const t = useTranslations('explore.results');
  const { matches, hasMore } = found;
  return (
    <div>
      <h1 className="break-words">{t('title', { count: matches.length, typed: shownText(typed) })}</h1>
      <ul className="mt-6 divide-y divide-line border-y border-line">
        {matches.map((match) => (
          <Result key={`${match.kind} ${addressOf(match)}`} match={match} />
        ))}
      </ul>
      {hasMore && <p className="mt-4 max-w-prose text-muted">{t('more')}</p>}
    </div>
  );
}

function Result({ match }: { match: Match }) {
  const t = useTranslations('explore');
  const labelOf = useOperationLabel();
  switch (match.kind) {
    case 'identity':
      return (
        <Row match={match} name={match.domain} kind={t('kind.identity')}>
          <StateBadge state={match.status} />
        </Row>
      );
    case 'destroyed':
      return (
        <Row match={match} name={match.domain} kind={t('results.destroyed')}>
          <StateBadge state="DESTROYED" />
        </Row>
      );
    case 'institution': {
      const { institution } = match;
      return (
        <Row
          match={match}
          name={institution.domain}
          kind={t('kind.institution')}
          selfDeclared={institution.display_name}
        >
          {institution.status === 'ACTIVE' ? (
            <CertificationMark institution={institution} />
          ) : (
            <StateBadge state={institution.status} />
          )}
        </Row>
      );
    }
    case 'entry':
      return <Row match={match} name={t('kind.transaction', { seq: match.seq })} kind={labelOf(match.function)} />;
  }
}

type RowProps = { match: Match; name: string; kind: string; selfDeclared?: string | null; children?: ReactNode };

function Row({ match, name, kind, selfDeclared = null, children }: RowProps) {
  const t = useTranslations('explore.results');
  return (
    <li className="grid gap-x-6 gap-y-1 py-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-baseline">
      <div className="min-w-0">
        <LocalLink href={addressOf(match)} className={`${textLink} -my-1.5 inline-block py-1.5`}>
          <Name>{name}</Name>
        </LocalLink>
        <p className="text-sm text-muted">{kind}</p>
        {selfDeclared !== null && <p className="text-sm">{t('selfDeclared', { name: selfDeclared })}</p>}
      </div>
      <div>{children}</div>
    </li>
  );
}
