import type { ReactNode } from 'react';
import { InstitutionShell } from '../_shell/institution-shell.tsx';

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <div className="desk contents">
      <InstitutionShell>{children}</InstitutionShell>
    </div>
  );
}
