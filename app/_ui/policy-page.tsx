import type { ReactNode } from 'react';
import { translator } from '../_i18n/translator.ts';
import { Alert } from './alert.tsx';
import { LocalLink } from './local-link.tsx';
import { ProsePage } from './prose-page.tsx';
import { textLink } from './text-link.ts';

type PolicyPageProps = {
  title: string;
  lead: string;
  /** What the page is, and what the operator must add. */
  notice: string;
  /** The operator's name; undefined until it is set. */
  operator: string | undefined;
  children: ReactNode;
};

/** A page of rules that the operator is responsible for: who that is, the sections, and how to reach them. */
export async function PolicyPage({ title, lead, notice, operator, children }: PolicyPageProps) {
  const t = await translator('contact');
  return (
    <ProsePage title={title} lead={lead}>
      <Alert tone={operator ? 'info' : 'caution'} className="mt-6">
        <p>{notice}</p>
        <p className="mt-2">{operator ? t('operator.set', { name: operator }) : t('operator.unset')}</p>
      </Alert>
      {children}
      <p className="mt-8">
        <LocalLink href="/contact" className={textLink}>
          {t('title')}
        </LocalLink>
      </p>
    </ProsePage>
  );
}
