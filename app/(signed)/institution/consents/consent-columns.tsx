'use client';

import { BookOpenText, Clock, Download, FileUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Intent } from '../../../../protocol/entities/intents.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { endsSoon } from '../../../_ui/consent-time.ts';
import type { DataColumn } from '../../../_ui/data-table.tsx';
import { consentState, StateBadge } from '../../../_ui/state-badge.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { useDates } from '../../../_ui/use-dates.ts';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';

const ICONS = [
  ['SUBMIT_RECORD', FileUp],
  ['READ_RECORDS', BookOpenText],
  ['EXPORT_DATA', Download],
] as const;

type ColumnsOf = {
  frozen: ReadonlySet<string>;
  references: ReadonlyMap<string, string>;
  onOpen: (consent: TokenView) => void;
};

/** The columns of the table of received consents. */
export function useConsentColumns({ frozen, references, onOpen }: ColumnsOf): readonly DataColumn<TokenView>[] {
  const t = useTranslations('institution.consents');
  const dates = useDates();
  const endOf = ({ status, expires_at, revoked_at }: TokenView) => (status === 'REVOKED' ? revoked_at : expires_at);
  return [
    {
      key: 'person',
      width: 'minmax(3.5rem,2fr)',
      name: t('person'),
      sortBy: ({ beo_domain, beo_id }) => beo_domain ?? beo_id,
      title: ({ beo_domain }) => beo_domain ?? t('destroyedHolder'),
      cell: (consent) => (
        <button
          type="button"
          onClick={() => onOpen(consent)}
          className={`${textLink} min-h-11 max-w-full cursor-pointer text-left font-semibold wrap-anywhere md:truncate`}
        >
          {consent.beo_domain ?? t('destroyedHolder')}
        </button>
      ),
    },
    {
      key: 'reference',
      width: 'minmax(6rem,1fr)',
      name: t('reference'),
      sortBy: ({ beo_id }) => references.get(beo_id)?.toLowerCase() ?? null,
      title: ({ beo_id }) => references.get(beo_id) ?? '',
      cell: ({ beo_id }) => references.get(beo_id) ?? null,
    },
    { key: 'can', name: t('can'), width: 'minmax(5rem,8.5rem)', cell: ({ scope }) => <Uses intents={scope.intents} /> },
    {
      key: 'given',
      width: 'minmax(6rem,6.5rem)',
      name: t('given'),
      sortBy: ({ granted_at }) => Date.parse(granted_at),
      cell: ({ granted_at }) => (
        <time dateTime={granted_at} className="whitespace-normal">
          {dates.day(granted_at)}
        </time>
      ),
    },
    {
      key: 'ends',
      width: 'minmax(6.5rem,7.5rem)',
      name: t('ends'),
      sortBy: (consent) => Date.parse(endOf(consent) ?? '') || null,
      cell: (consent) => {
        const end = endOf(consent);
        if (!end) return t('open');
        const day = (
          <time dateTime={end} className="whitespace-normal">
            {dates.day(end)}
          </time>
        );
        return consent.status === 'ACTIVE' && endsSoon(consent, Date.now()) ? <EndsSoon>{day}</EndsSoon> : day;
      },
    },
    {
      key: 'status',
      width: '6.5rem',
      name: t('state'),
      sortBy: ({ beo_id, status }) => (status === 'ACTIVE' && frozen.has(beo_id) ? 'FROZEN' : status),
      cell: ({ beo_id, status }) => (
        <StateBadge state={status === 'ACTIVE' && frozen.has(beo_id) ? 'LOCKED' : consentState(status)} />
      ),
    },
  ];
}

/** The end of a consent that ends soon: a symbol before it, with words. */
function EndsSoon({ children }: { children: ReactNode }) {
  const t = useTranslations('scope');
  return (
    <span title={t('endsSoon')} className="inline-flex items-center gap-1 font-semibold text-caution-ink">
      <Clock aria-hidden className="size-4 shrink-0" />
      <span className="sr-only">{t('endsSoon')}: </span>
      {children}
    </span>
  );
}

/** What a consent allows, as symbols with a word each. */
function Uses({ intents }: { intents: readonly Intent[] }) {
  const t = useTranslations('institution.consents.use');
  const words = useScopeWords();
  const shown = ICONS.filter(([intent]) => intents.includes(intent));
  const others = intents.filter((intent) => !shown.some(([known]) => known === intent));
  if (shown.length === 0) return words.intents(intents);
  return (
    <span className="inline-flex flex-wrap gap-x-3 align-middle">
      {shown.map(([intent, Icon]) => (
        <span key={intent} title={words.intent(intent)} className="inline-flex items-center gap-1">
          <Icon aria-hidden className="size-4 shrink-0" />
          {t(intent)}
        </span>
      ))}
      {others.length > 0 && (
        <span title={words.intents(others)}>
          <span aria-hidden>+{others.length}</span>
          <span className="sr-only">{words.intents(others)}</span>
        </span>
      )}
    </span>
  );
}
