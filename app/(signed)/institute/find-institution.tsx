'use client';

import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { IeoStatus, IeoView } from '../../../protocol/entities/ieo.ts';
import { CertificationMarkOf } from '../../_trpc/certification-mark-of.tsx';
import { useTRPC } from '../../_trpc/query-provider.tsx';
import { useFoundInstitutions } from '../../_trpc/use-found-institutions.ts';
import { Button } from '../../_ui/button.tsx';
import { CertificationMark } from '../../_ui/certification-mark.tsx';
import { InstitutionSearch } from '../../_ui/institution-search.tsx';
import { Name } from '../../_ui/name.tsx';
import { StateBadge } from '../../_ui/state-badge.tsx';
import { matching } from './matching.ts';

/** The members of a chosen institution that are shown and sent. */
export type ChosenInstitution = Pick<IeoView, 'ieo_id' | 'domain' | 'display_name' | 'status'>;

type FindInstitutionProps = {
  suffix: string;
  /** The statuses that the institution may have. */
  statuses: readonly IeoStatus[];
  chosen: ChosenInstitution | null;
  /** Whether to report that none is chosen. */
  isMissing: boolean;
  onChoose: (institution: ChosenInstitution | null) => void;
};

const SUSPENDED_SHOWN = 200;
const SHOWN = 20;

/** Finds an institution by the beginning of its name, or by its whole domain or id; lists the suspended ones at first. */
export function FindInstitution({ suffix, statuses, chosen, isMissing, onChoose }: FindInstitutionProps) {
  const t = useTranslations('institute.propose');
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const { found, isPerson, isSearching } = useFound(text, suffix, statuses);

  if (chosen) {
    return (
      <div className="space-y-3">
        <h2 className="text-lg font-bold">{t('institution')}</h2>
        <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {t('chosen', { name: chosen.display_name ?? chosen.domain, domain: chosen.domain })}{' '}
          <StateBadge state={chosen.status} />
          <CertificationMarkOf id={chosen.ieo_id} />
        </p>
        <Button look="secondary" onClick={() => onChoose(null)}>
          {t('another')}
        </Button>
      </div>
    );
  }
  return (
    <div className="space-y-3">
      <InstitutionSearch
        label={t('institution')}
        hint={t('searchHint')}
        error={isMissing ? t('noInstitution') : undefined}
        typed={typed}
        onType={setTyped}
        found={found.slice(0, SHOWN)}
        status={
          text !== '' &&
          !isSearching &&
          found.length === 0 && (
            <span className="flex gap-2 text-base text-ink">
              <CircleAlert aria-hidden className="mt-1 size-5 shrink-0" />
              {isPerson ? t('person', { domain: text }) : t('noneFound')}
            </span>
          )
        }
      >
        {(institution) => (
          <button
            type="button"
            onClick={() => onChoose(institution)}
            className="flex min-h-13 w-full cursor-pointer flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-md border-2 border-edge bg-surface px-4 py-2 text-left hover:border-ink hover:bg-sunken"
          >
            <span className="min-w-0">
              <span className="block font-bold break-words">{institution.display_name}</span>
              <span className="block text-muted">
                <Name>{institution.domain}</Name>
              </span>
              <CertificationMark institution={institution} isWithin />
            </span>
            <StateBadge state={institution.status} />
          </button>
        )}
      </InstitutionSearch>
    </div>
  );
}

/** Institutions of a status: those that are found, then the suspended ones, which only the institute decides about. */
function useFound(typed: string, suffix: string, statuses: readonly IeoStatus[]) {
  const trpc = useTRPC();
  const { found, isPerson, isSearching } = useFoundInstitutions(typed, suffix);
  const suspended = useQuery(
    trpc.institutions.queryOptions(
      { status: 'SUSPENDED', limit: SUSPENDED_SHOWN },
      { enabled: statuses.includes('SUSPENDED') },
    ),
  );
  const candidates = [...found, ...matching(suspended.data?.ieos ?? [], typed)];
  return {
    found: [...new Map(candidates.map((candidate) => [candidate.ieo_id, candidate])).values()].filter(({ status }) =>
      statuses.includes(status),
    ),
    isPerson,
    isSearching: isSearching || suspended.isFetching,
  };
}
