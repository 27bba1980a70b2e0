import type { ReactNode } from 'react';
import { HolderShell } from '../_shell/holder-shell.tsx';
import { RecordsProvider } from './records/records-provider.tsx';

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <HolderShell>
      <RecordsProvider>{children}</RecordsProvider>
    </HolderShell>
  );
}
