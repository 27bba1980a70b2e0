'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { openCopy } from '../../_keys/browser-copy.ts';
import { Accepted } from './accepted.tsx';

type UnlessOwnProps = {
  beoId: string;
  beoDomain: string;
  /** The key that accepted, hex. */
  publicKey: string | null;
  children: ReactNode;
};

/** Where this browser keeps the key that accepted, the acceptance is its own, and has arrived. */
export function UnlessOwn({ beoId, beoDomain, publicKey, children }: UnlessOwnProps) {
  const [own, setOwn] = useState(false);

  useEffect(() => {
    if (publicKey === null) return;
    let gone = false;
    openCopy({ purpose: 'guardian', beoId, publicKey }).then((secret) => {
      if (!gone) setOwn(secret !== null);
    });
    return () => {
      gone = true;
    };
  }, [beoId, publicKey]);

  return own && publicKey !== null ? (
    <div className="max-w-[38rem] pt-6 pb-20">
      <Accepted beoId={beoId} beoDomain={beoDomain} publicKey={publicKey} focus={false} />
    </div>
  ) : (
    children
  );
}
