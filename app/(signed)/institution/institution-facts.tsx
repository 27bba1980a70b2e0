'use client';

import { useLocale, useTranslations } from 'use-intl/react';
import type { IeoView } from '../../../protocol/entities/ieo.ts';
import { Card } from '../../_ui/card.tsx';
import { countryName } from '../../_ui/country-name.ts';
import { Identifier } from '../../_ui/identifier.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Fact, Label } from '../../_ui/scope-summary.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useDay } from '../../_ui/use-day.ts';
import { useScopeWords } from '../../_ui/use-scope-words.ts';
import { Decisions } from './decisions.tsx';
import { LatestEntries } from './latest-entries.tsx';

/** What everyone can see of an institution, what the institute decided about it, and its latest entries. */
export function InstitutionFacts({ institution }: { institution: IeoView }) {
  return (
    <>
      <PublicFacts institution={institution} />
      <Decisions ieoId={institution.ieo_id} />
      <LatestEntries id={institution.ieo_id} renderedAt={institution.updated_at} />
    </>
  );
}

/** What everyone can see of an institution, with the pages that change it. */
function PublicFacts({ institution }: { institution: IeoView }) {
  const t = useTranslations('institution.overview');
  const certification = useTranslations('institution.certification');
  const words = useScopeWords();
  const day = useDay();
  const locale = useLocale();
  const { level, expires_at: until } = institution.certification;
  const { api_endpoint: api, webhook_url: webhook } = institution.contacts;
  const isNone = level === 'UNCERTIFIED';
  const facts = [
    ['certification', isNone ? certification('none') : <Label key="certification">{words.certLevel(level)}</Label>],
    ['certifiedUntil', until && day(until)],
    ['domain', institution.domain],
    ['type', <Label key="type">{words.ieoType(institution.ieo_type)}</Label>],
    ['country', institution.country && countryName(institution.country, locale)],
    ['jurisdiction', institution.jurisdiction],
    ['legalId', institution.legal_id],
    ['registered', day(institution.created_at)],
    ['api', api],
    ['webhook', webhook],
    [
      'key',
      institution.public_key && <Identifier key="key" value={institution.public_key} what="publicKey" keep={8} />,
    ],
    ['id', <Identifier key="id" value={institution.ieo_id} what="id" keep={8} />],
  ] as const;
  return (
    <Card className="space-y-3">
      <h2>{t('facts')}</h2>
      <dl className="grid gap-x-12 gap-y-2 xl:grid-cols-2">
        {facts.map(
          ([name, value]) =>
            value && (
              <Fact key={name} name={t(name)}>
                {value}
              </Fact>
            ),
        )}
      </dl>
      {institution.status === 'ACTIVE' && (
        <p className="flex flex-wrap gap-x-6">
          <LocalLink href="/institution/certification" className={action}>
            {certification(isNone ? 'apply' : 'see')}
          </LocalLink>
          <LocalLink href="/institution/settings#contacts" className={action}>
            {t('changeContacts')}
          </LocalLink>
        </p>
      )}
    </Card>
  );
}

const action = `${textLink} inline-flex min-h-11 items-center`;
