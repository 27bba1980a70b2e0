import type { Metadata } from 'next';
import { getContext } from '../../server/http/context.ts';
import { translator } from '../_i18n/translator.ts';
import { LocalLink } from '../_ui/local-link.tsx';
import { publicMetadata } from '../_ui/page-metadata.ts';
import { ProsePage, ProseSection } from '../_ui/prose-page.tsx';
import { textLink } from '../_ui/text-link.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('contact');
  return publicMetadata(t('title'), t('lead'));
}

/** Who operates this server. */
export default async function ContactPage() {
  const { OPERATOR_NAME: name, CONTACT_EMAIL: email } = getContext().config;
  const t = await translator('contact');
  const links = [
    ['/help', t('answers')],
    ['/explore#network', t('status')],
  ] as const;
  return (
    <ProsePage title={t('title')} lead={t('lead')}>
      <ProseSection title={t('operator.title')}>
        <p>{name ? t('operator.set', { name }) : t('operator.unset')}</p>
      </ProseSection>
      <ProseSection title={t('email.title')}>
        {email ? (
          <a
            href={`mailto:${email}`}
            className={`${textLink} inline-flex min-h-11 max-w-full items-center wrap-anywhere`}
          >
            {email}
          </a>
        ) : (
          <p>{t('email.unset')}</p>
        )}
      </ProseSection>
      <ProseSection title={t('secrets.title')}>
        <p>{t('secrets.body')}</p>
      </ProseSection>
      {email && (
        <ProseSection title={t('security.title')}>
          <p>{t('security.body')}</p>
        </ProseSection>
      )}
      <ul className="mt-8">
        {links.map(([path, label]) => (
          <li key={path}>
            <LocalLink href={path} className={`${textLink} inline-flex min-h-11 max-w-full items-center wrap-anywhere`}>
              {label}
            </LocalLink>
          </li>
        ))}
      </ul>
    </ProsePage>
  );
}
