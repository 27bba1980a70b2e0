'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';
import { IDENTITIES_CHANNEL } from '../_keys/identities-channel.ts';
import { Button } from '../_ui/button.tsx';
import { KNOWN_KEY } from '../_ui/early-script.ts';
import { LocalLink } from '../_ui/local-link.tsx';

/** `icon`: from the server, so that pages without other icons load none. */
type MyPagesProps = { signIn: string; name: string; icon: ReactNode };

/** A link to the pages of the identity that this browser used last, or to sign in. */
export function MyPages({ signIn, name, icon }: MyPagesProps) {
  const path = usePathname();
  const [home, setHome] = useState<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: signing in or out leads to another page
  useEffect(() => {
    let reading = new AbortController();
    const read = async ({ signal }: AbortController) => {
      // Most visitors have no identity in this browser, and need not load what reads them.
      if (localStorage.getItem(KNOWN_KEY) === null) return setHome(null);
      const [{ homeOf, keptIdentities }, { untilRead }] = await Promise.all([
        import('../_keys/identities.ts'),
        import('../_keys/read.ts'),
      ]);
      const [last] = await untilRead(keptIdentities, signal);
      setHome(last ? homeOf(last.kind) : null);
    };
    const show = () => {
      reading.abort();
      reading = new AbortController();
      read(reading).catch(() => {});
    };
    show();
    const channel = new BroadcastChannel(IDENTITIES_CHANNEL);
    channel.onmessage = show;
    return () => {
      reading.abort();
      channel.close();
    };
  }, [path]);

  return (
    <Button asChild look="quiet" className="px-3 max-sm:w-11 max-sm:px-0">
      <LocalLink href={home ?? '/sign-in'}>
        {icon}
        <span className="sr-only sm:not-sr-only">{home ? name : signIn}</span>
      </LocalLink>
    </Button>
  );
}
