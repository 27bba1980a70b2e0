import type { ReactNode } from 'react';
import { InstitutionShell } from '../../dashboard/institution-shell.tsx';

export default function Layout({ children }: { children: ReactNode }) {
  return <InstitutionShell>{children}</InstitutionShell>;
}
