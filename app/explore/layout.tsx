import type { ReactNode } from 'react';
import { SiteMap } from '../_ui/site-footer.tsx';

export default function ExploreLayout({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <SiteMap />
    </>
  );
}
