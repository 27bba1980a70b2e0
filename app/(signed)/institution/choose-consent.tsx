'use client';

import { ChevronRight } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { useInstitution } from '../../_session/current.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { EmptyState } from '../../_ui/empty-state.tsx';
import { ScopeSummary } from '../../_ui/scope-summary.tsx';
import { SearchField } from '../../_ui/search-field.tsx';
import { CardSkeleton, RowsSkeleton } from '../../_ui/skeletons.tsx';
import { StateBadge } from '../../_ui/state-badge.tsx';
import { useScopeWords } from '../../_ui/use-scope-words.ts';
import { FrozenNotice } from './frozen-notice.tsx';
import { EVERYTHING, filtered, usableFor } from './received-filter.ts';
import { useReferences } from './references.ts';
import { useChosenConsent } from './use-chosen-consent.ts';
import { useReceived } from './use-received-consents.ts';

type UnderConsentProps = {
  intent: Use;
  /** May ask before another consent is chosen, where that discards something. */
  beforeAnother?: (choose: () => void) => void;
  /** Rendered under the chosen consent; another consent remounts it. */
  children: (consent: TokenView) => ReactNode;
};

type Use = 'SUBMIT_RECORD' | 'READ_RECORDS' | 'EXPORT_DATA';

/** The texts for each intent. */
const TEXTS = {
  SUBMIT_RECORD: { lead: 'submitLead', none: 'noneSubmit' },
  READ_RECORDS: { lead: 'readLead', none: 'noneRead' },
  EXPORT_DATA: { lead: 'exportLead', none: 'noneExport' },
} as const;

const MAX_SHOWN = 20;
const MAX_CATEGORIES = 4;

/** Asks for a consent, then shows it above the content that uses it. */
export function UnderConsent({ intent, beforeAnother = (choose) => choose(), children }: UnderConsentProps) {
  const t = useTranslations('institution.choose');
  const { view } = useInstitution();
  const { chosen, choose } = useChosenConsent(view.ieo_id, intent);
  const { references } = useReferences(view.ieo_id);
  if (view.status !== 'ACTIVE') return <p className="text-lg">{t('notActive')}</p>;
  switch (chosen.state) {
    case 'none':
      return <ChooseConsent intent={intent} onChoose={choose} />;
    case 'gone':
      return (
        <div className="space-y-5">
          <Alert tone="caution">
            <p role="status">{t('gone')}</p>
          </Alert>
          <ChooseConsent intent={intent} onChoose={choose} />
        </div>
      );
    case 'loading':
      return <CardSkeleton lines={3} />;
    case 'failed':
      return <Refused failure={chosen.failure} />;
    case 'chosen': {
      const { consent, isFrozen } = chosen;
      const reference = references.get(consent.beo_id);
      return (
        <div key={consent.token_id} className="space-y-6">
          <Card>
            <div className="flex flex-wrap items-start justify-between gap-3">
              <div className="min-w-0">
                <h2 className="text-lg break-words">{t('chosen', { domain: consent.beo_domain ?? '' })}</h2>
                {reference && <p className="text-muted">{reference}</p>}
              </div>
              <Button look="secondary" onClick={() => beforeAnother(() => choose(null))}>
                {t('another')}
              </Button>
            </div>
            <ScopeSummary scope={consent.scope} categoriesAtMost={MAX_CATEGORIES} className="mt-3 space-y-2" />
          </Card>
          {isFrozen && (
            <div role="alert">
              <FrozenNotice domain={consent.beo_domain} />
            </div>
          )}
          {children(consent)}
        </div>
      );
    }
  }
}

function ChooseConsent({ intent, onChoose }: Pick<UnderConsentProps, 'intent'> & { onChoose: (id: string) => void }) {
  const t = useTranslations('institution.choose');
  const words = useScopeWords();
  const { view } = useInstitution();
  const { references } = useReferences(view.ieo_id);
  const [typed, setTyped] = useState('');
  const { consents, frozen, failure, isLoading } = useReceived(view.ieo_id, { isWhole: typed.trim() !== '' });
  const usable = useMemo(() => usableFor(consents ?? [], intent), [consents, intent]);
  const found = filtered(usable, { ...EVERYTHING, holder: typed }, references);

  if (!consents) return failure ? <Refused failure={failure} /> : <RowsSkeleton />;
  return (
    <section className="max-w-prose space-y-4">
      <h2>{t('title')}</h2>
      {usable.length === 0 ? (
        <EmptyState title={t('none')}>
          <p className="text-muted">{t(TEXTS[intent].none)}</p>
        </EmptyState>
      ) : (
        <>
          <p>{t(TEXTS[intent].lead)}</p>
          {usable.length > 1 && (
            <SearchField label={t('search')} placeholder={t('hint')} value={typed} onChange={setTyped} />
          )}
          {found.length === 0 && !isLoading && <p role="status">{t('nothing')}</p>}
          <ul className="space-y-3">
            {found.slice(0, MAX_SHOWN).map(({ token_id: id, beo_id, beo_domain: holder, scope, expires_at: end }) => (
              <li key={id}>
                <button
                  type="button"
                  onClick={() => onChoose(id)}
                  className="flex w-full cursor-pointer items-center gap-4 rounded-lg border-2 border-edge bg-surface p-4 text-left hover:border-ink hover:bg-sunken"
                >
                  <span className="min-w-0 grow">
                    <span className="block text-lg font-bold break-words">{holder}</span>
                    {references.has(beo_id) && <span className="block">{references.get(beo_id)}</span>}
                    {frozen.has(beo_id) && <StateBadge state="LOCKED" />}
                    <span className="block text-muted first-letter:uppercase">
                      {words.categories(scope.categories, MAX_CATEGORIES)} · {words.end(end)}
                    </span>
                  </span>
                  <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
                </button>
              </li>
            ))}
          </ul>
          {found.length > MAX_SHOWN && <p className="text-muted">{t('more', { count: found.length - MAX_SHOWN })}</p>}
        </>
      )}
    </section>
  );
}
