import type { ReactNode } from 'react';
import { WithMessages } from '../../../intl/translated.tsx';

export default function Layout({ children }: { children: ReactNode }) {
  return <WithMessages namespaces={['consents', 'scope']}>{children}</WithMessages>;
}
