import type { ReactNode } from 'react';
import { Translated } from '../_i18n/translated.tsx';

export default function GuardianLayout({ children }: { children: ReactNode }) {
  return <Translated namespaces={['guardian']}>{children}</Translated>;
}
