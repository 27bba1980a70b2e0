import type { ReactNode } from 'react';
import { HolderShell } from '../../dashboard/holder-shell.tsx';

export default function Layout({ children }: { children: ReactNode }) {
  return <HolderShell>{children}</HolderShell>;
}
