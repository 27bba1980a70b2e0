import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { WithMessages } from '../_i18n/translated.tsx';
import { SessionProvider } from '../_session/session.tsx';
import { WritesProvider } from '../_session/write.tsx';
import { Queries } from '../_trpc/query-provider.tsx';
import { NeedsScripts } from './_shell/needs-scripts.tsx';
import { WritesStrip } from './_shell/writes-strip.tsx';

/** Private pages: not indexed. */
export const metadata: Metadata = { robots: { index: false, follow: false } };

/** The pages that use a key. Navigating between them keeps it open. */
export default function SignedLayout({ children }: { children: ReactNode }) {
  return (
    <WithMessages namespaces={['keys', 'session', 'dashboard', 'operations']}>
      <Queries>
        <SessionProvider>
          <WritesProvider>
            <div className="flex min-h-svh flex-col print:min-h-0">
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
