'use client';

import { CircleUserRound } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { homeOf, IDENTITIES_CHANNEL, type IdentityKind, keptIdentities } from '../_keys/identities.ts';
import { Button } from '../_ui/button.tsx';
import { LocalLink } from '../_ui/local-link.tsx';

type MyPagesProps = { signIn: string; name: string };

/** A link to the pages of the identity that this browser used last, or to sign in. */
export function MyPages({ signIn, name }: MyPagesProps) {
  const path = usePathname();
  const [kind, setKind] = useState<IdentityKind | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: signing in or out leads to another page
  useEffect(() => {
    let left = false;
    const read = () =>
      void keptIdentities().then(([last]) => {
        if (!left) setKind(last?.kind ?? null);
      });
    read();
    const channel = new BroadcastChannel(IDENTITIES_CHANNEL);
    channel.onmessage = read;
    return () => {
      left = true;
      channel.close();
    };
  }, [path]);

  return (
    <Button asChild look="quiet" className="px-3 max-sm:w-11 max-sm:px-0">
      <LocalLink href={kind ? homeOf(kind) : '/sign-in'}>
        <CircleUserRound aria-hidden />
        <span className="sr-only sm:not-sr-only">{kind ? name : signIn}</span>
      </LocalLink>
    </Button>
  );
}
