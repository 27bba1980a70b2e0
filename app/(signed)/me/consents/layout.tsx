import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { WithMessages } from '../../../intl/translated.tsx';
import { translator } from '../../../intl/translator.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('consents');
  return { title: t('title') };
}

export default function Layout({ children }: { children: ReactNode }) {
  return <WithMessages namespaces={['consents', 'scope']}>{children}</WithMessages>;
}
