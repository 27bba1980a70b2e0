import type { Metadata } from 'next';
import { getContext } from '../../server/http/context.ts';
import { translator } from '../_i18n/translator.ts';
import { publicMetadata } from '../_ui/page-metadata.ts';
import { PolicyPage } from '../_ui/policy-page.tsx';
import { ProseSection } from '../_ui/prose-page.tsx';

const SECTIONS = ['service', 'key', 'permanent', 'medical', 'institutions', 'availability', 'misuse'] as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('terms');
  return publicMetadata(t('title'), t('lead'));
}

/** The terms of use, for the operator to complete. */
export default async function TermsPage() {
  const { OPERATOR_NAME: operator, GOVERNING_LAW: law } = getContext().config;
  const t = await translator('terms');
  return (
    <PolicyPage title={t('title')} lead={t('lead')} notice={t('notice')} operator={operator}>
      {SECTIONS.map((section) => (
        <ProseSection key={section} title={t(`sections.${section}.title`)}>
          <p>{t(`sections.${section}.body`)}</p>
        </ProseSection>
      ))}
      <ProseSection title={t('law.title')}>
        <p>{law ? t('law.set', { law }) : t('law.unset')}</p>
      </ProseSection>
    </PolicyPage>
  );
}
