import type { Metadata } from 'next';
import { getContext } from '../../server/http/context.ts';
import { translator } from '../_i18n/translator.ts';
import { publicMetadata } from '../_ui/page-metadata.ts';
import { PolicyPage } from '../_ui/policy-page.tsx';
import { ProseSection } from '../_ui/prose-page.tsx';

const SECTIONS = [
  'public',
  'private',
  'server',
  'device',
  'connection',
  'mail',
  'sharing',
  'erasure',
  'rights',
] as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('privacy');
  return publicMetadata(t('title'), t('lead'));
}

/** What is stored, who can see it, and what can be erased. */
export default async function PrivacyPage() {
  const { OPERATOR_NAME: operator, RECORDS_ON_NETWORK } = getContext().config;
  const t = await translator('privacy');
  return (
    <PolicyPage title={t('title')} lead={t('lead')} notice={t('notice')} operator={operator}>
      {SECTIONS.map((section) => (
        <ProseSection key={section} title={t(`sections.${section}.title`)}>
          <p>{t(`sections.${section}.body`)}</p>
          {section === 'private' && <p className="mt-2">{t(`network.${RECORDS_ON_NETWORK}`)}</p>}
        </ProseSection>
      ))}
    </PolicyPage>
  );
}
