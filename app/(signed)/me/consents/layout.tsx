import type { ReactNode } from 'react';
import { WithMessages } from '../../../_i18n/translated.tsx';

export default function Layout({ children }: { children: ReactNode }) {
  return <WithMessages namespaces={['consents', 'scope']}>{children}</WithMessages>;
}
