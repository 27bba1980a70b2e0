import type { Metadata } from 'next';
import { getContext } from '../../server/context.ts';
import { translator } from '../_i18n/translator.ts';
import { Alert } from '../_ui/alert.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { publicMetadata } from '../_ui/page-metadata.ts';
import { ProsePage, ProseSection } from '../_ui/prose-page.tsx';
import { textLink } from '../_ui/text-link.ts';

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
  const { OPERATOR_NAME: name, RECORDS_ON_NETWORK } = getContext().config;
  const t = await translator('privacy');
  const contact = await translator('contact');
  return (
    <ProsePage title={t('title')} lead={t('lead')}>
      <Alert tone={name ? 'info' : 'caution'} className="mt-6">
        <p>{t('notice')}</p>
        <p className="mt-2">{name ? contact('operator.set', { name }) : contact('operator.unset')}</p>
      </Alert>
      {SECTIONS.map((section) => (
        <ProseSection key={section} title={t(`sections.${section}.title`)}>
          <p>{t(`sections.${section}.body`)}</p>
          {section === 'private' && <p className="mt-2">{t(`network.${RECORDS_ON_NETWORK}`)}</p>}
        </ProseSection>
      ))}
      <p className="mt-8">
        <LocalLink href="/contact" className={textLink}>
          {contact('title')}
        </LocalLink>
      </p>
    </ProsePage>
  );
}
