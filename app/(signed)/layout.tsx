import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { NeedsScripts } from '../dashboard/needs-scripts.tsx';
import { WritesStrip } from '../dashboard/writes-strip.tsx';
import { WithMessages } from '../intl/translated.tsx';
import { SessionProvider } from '../session/session.tsx';
import { WritesProvider } from '../session/write.tsx';
import { Queries } from '../trpc/provider.tsx';

/** Somebody's own pages: in no index. */
export const metadata: Metadata = { robots: { index: false, follow: false } };

/** The pages that work with a key. Going from one to another keeps it open. */
export default function SignedLayout({ children }: { children: ReactNode }) {
  return (
    <WithMessages namespaces={['keys', 'session', 'dashboard']}>
      <Queries>
        <SessionProvider>
          <WritesProvider>
            <div className="flex min-h-svh flex-col">
              <NeedsScripts />
              {children}
              <WritesStrip />
            </div>
          </WritesProvider>
        </SessionProvider>
      </Queries>
    </WithMessages>
  );
}
