'use client';

import { Building2, UserRound } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../../../../server/http/trpc/router.ts';
import { Choice } from '../../../../_keys/choice.tsx';
import { useHolderOnceRead } from '../../../../_session/current.tsx';
import { failureOf } from '../../../../_trpc/failure.ts';
import { Refused } from '../../../../_trpc/refused.tsx';
import { useFoundInstitutions } from '../../../../_trpc/use-found-institutions.ts';
import { Alert } from '../../../../_ui/alert.tsx';
import { CertificationMark } from '../../../../_ui/certification-mark.tsx';
import { useCertifiedOnlyFor } from '../../../../_ui/certified-for.tsx';
import { InstitutionSearch } from '../../../../_ui/institution-search.tsx';
import { Name } from '../../../../_ui/name.tsx';
import { Screen } from '../../../../_ui/screen.tsx';
import { StateBadge } from '../../../../_ui/state-badge.tsx';
import { useScopeWords } from '../../../../_ui/use-scope-words.ts';
import { inForce, isOwn } from '../consents-in-force.ts';
import { useConsents } from '../use-consents.ts';
import type { Recipient } from './restrictions.ts';

type ChooseRecipientProps = {
  /** A domain from a link: it is searched, but the person chooses it. */
  proposed: string;
  onChoose: (recipient: Recipient) => void;
};

/** To whom: an institution, found by the words of its name or by its exact domain, or the person whose key cannot read their records yet. */
export function ChooseRecipient({ proposed, onChoose }: ChooseRecipientProps) {
  const t = useTranslations('consents.who');
  const search = useSearchParams();
  const [typed, setTyped] = useState(search.get('typed') ?? proposed);
  const { found, isPerson, isSearching, error } = useFoundInstitutions(typed, null);
  const { consents, complete } = useConsents(useHolderOnceRead()?.kept.id);
  // Only once it is known: an option must not vanish under a finger.
  const offersSelf = complete && !consents.some((consent) => inForce(consent) && isOwn(consent));
  return (
    <Screen title={t('title')} heading="h1" className="space-y-5">
      {proposed !== '' && typed === proposed && (
        <Alert>
          <p>{t('proposed')}</p>
        </Alert>
      )}
      <EarlyForm>
        <InstitutionSearch
          label={t('search')}
          hint={t('hint')}
          typed={typed}
          onType={setTyped}
          found={found}
          status={
            typed.trim() !== '' &&
            !error &&
            (isSearching ? t('looking') : isPerson ? t('person') : t('found', { count: found.length }))
          }
        >
          {(institution) => <Found institution={institution} onChoose={onChoose} />}
        </InstitutionSearch>
      </EarlyForm>
      {error !== null && <Refused failure={failureOf(error)} />}
      {offersSelf && (
        <div className="border-t border-line pt-5">
          <Choice icon={UserRound} name={t('self')} what={t('selfWhat')} onChoose={() => onChoose({ kind: 'self' })} />
        </div>
      )}
    </Screen>
  );
}

/** Before the scripts run, it submits what is typed to this page. */
function EarlyForm({ children }: { children: ReactNode }) {
  const lang = useSearchParams().get('lang');
  return (
    <form className="space-y-5" onSubmit={(event) => event.preventDefault()}>
      {lang && <input type="hidden" name="lang" value={lang} />}
      {children}
    </form>
  );
}

function Found({
  institution,
  onChoose,
}: {
  institution: Answers['institution'];
  onChoose: (recipient: Recipient) => void;
}) {
  const t = useTranslations('consents.who');
  const words = useScopeWords();
  const onlyFor = useCertifiedOnlyFor();
  const { ieo_id, domain, display_name, ieo_type, status } = institution;
  const about = (
    <>
      <span className="block">
        <Name>{domain}</Name>
      </span>
      <span className="block first-letter:uppercase">{words.ieoType(ieo_type)}</span>
      <CertificationMark institution={institution} isWithin />
      {onlyFor(institution) && <span className="block">{onlyFor(institution)}</span>}
      {institution.certification.level === 'UNCERTIFIED' && <span className="block">{t('uncertified')}</span>}
    </>
  );
  if (status !== 'ACTIVE') {
    return (
      <div className="space-y-2 rounded-lg border-2 border-dashed border-edge p-4 sm:p-5">
        <p className="flex flex-wrap items-center justify-between gap-2 text-lg font-bold">
          {display_name ?? domain}
          <StateBadge state={status} />
        </p>
        <div className="text-muted">{about}</div>
        <p>{t('notActive')}</p>
      </div>
    );
  }
  return (
    <Choice
      icon={Building2}
      name={display_name ?? domain}
      what={about}
      onChoose={() =>
        onChoose({
          kind: 'institution',
          id: ieo_id,
          domain,
          name: display_name,
          type: ieo_type,
          mark: institution,
        })
      }
    />
  );
}
