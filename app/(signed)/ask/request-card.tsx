'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { typeRestriction } from '../../../protocol/entities/token.ts';
import { Alert } from '../../_ui/alert.tsx';
import { CertificationMark } from '../../_ui/certification-mark.tsx';
import { useNotCertifiedFor } from '../../_ui/certified-for.tsx';
import { Name } from '../../_ui/name.tsx';
import { Fact, Label, ScopeSummary } from '../../_ui/scope-summary.tsx';
import { useDay } from '../../_ui/use-day.ts';
import { useScopeWords } from '../../_ui/use-scope-words.ts';
import { lessOf, unusualIn } from '../../_wizard/unusual.ts';
import type { AskedConsent } from '../../_wizard/verify-request.ts';

/** Who asks, as the registry has it; what is asked; and what is unusual about it. */
export function RequestCard({ asked: { request, institution } }: { asked: AskedConsent }) {
  const t = useTranslations('ask');
  const words = useScopeWords();
  const day = useDay();
  const { scope, expiresInDays: days, purpose, reference, validUntil } = request;
  const { display_name: name, domain, ieo_type: type } = institution;
  return (
    <>
      <div className="rounded-lg border border-line bg-surface p-5">
        <p className="text-sm text-muted">{t('registry')}</p>
        <p className="text-lg font-bold break-words">{name ?? domain}</p>
        <p>
          <Name>{domain}</Name>
        </p>
        <p className="text-muted first-letter:uppercase">{words.ieoType(type)}</p>
        <CertificationMark institution={institution} />
      </div>
      <Unusual request={request} institution={institution} />
      <div className="space-y-4 rounded-lg border border-line bg-surface p-5">
        <ScopeSummary scope={scope} className="space-y-3">
          <Fact name={t('long')}>
            <Label>{days === null ? words.end(null) : t('days', { count: days })}</Label>
          </Fact>
          {reference !== null && (
            <Fact name={t('reference')}>
              <span className="break-words">{reference}</span>
            </Fact>
          )}
          <Fact name={t('answerBy')}>{day(validUntil)}</Fact>
        </ScopeSummary>
        {purpose && (
          <figure>
            <figcaption className="text-sm text-muted">{t('purpose')}</figcaption>
            <blockquote className="border-l-2 border-line pl-3 break-words" dir="auto">
              {purpose}
            </blockquote>
          </figure>
        )}
      </div>
      <p>{t(lessOf(request, institution).isLess ? 'less' : 'narrow')}</p>
    </>
  );
}

function Unusual({ request, institution }: Pick<AskedConsent, 'request' | 'institution'>) {
  const t = useTranslations('ask.unusual');
  const words = useScopeWords();
  const beyond = useNotCertifiedFor();
  const { ieo_type: type } = institution;
  const unusual = unusualIn(request, institution);
  const impossible = typeRestriction(type, request.scope, request.expiresInDays !== null);
  const notCertified = beyond(institution, request.scope);
  const points: readonly (readonly [key: string, text: ReactNode])[] = [
    ...(unusual.uncertified ? [['uncertified', t('uncertified')] as const] : []),
    ...(unusual.intents.length > 0
      ? [['intents', t('intents', { type, what: words.intents(unusual.intents) })] as const]
      : []),
    ...(unusual.everything ? [['everything', t('everything')] as const] : []),
    ...(unusual.intimate.length > 0
      ? [['intimate', t('intimate', { what: words.categories(unusual.intimate) })] as const]
      : []),
    ...(unusual.long ? [['long', t('long')] as const] : []),
    ...(notCertified ? [['beyond', notCertified] as const] : []),
    ...(impossible ? [['impossible', t('impossible')] as const] : []),
  ];
  if (points.length === 0) return null;
  return (
    <Alert tone="caution" title={t('title')}>
      <ul className="list-disc space-y-1 pl-5">
        {points.map(([key, text]) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
    </Alert>
  );
}
