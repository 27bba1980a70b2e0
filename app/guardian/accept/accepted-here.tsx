'use client';

import { type ReactNode, useEffect, useState } from 'react';
import type { GuardianRole } from '../../../protocol/entities/guardian.ts';
import { openCopy } from '../../_keys/browser-copy.ts';
import { Accepted } from './accepted.tsx';

type AcceptedHereProps = {
  beoId: string;
  beoDomain: string;
  role: GuardianRole | null;
  /** The key that accepted, hex. */
  publicKey: string | null;
  children: ReactNode;
};

/** Shows the end of the acceptance in the browser that has the accepting key, and `children` in any other. */
export function AcceptedHere({ beoId, beoDomain, role, publicKey, children }: AcceptedHereProps) {
  const [hasKey, setHasKey] = useState(false);

  useEffect(() => {
    if (publicKey === null) return;
    let cancelled = false;
    openCopy({ purpose: 'guardian', beoId, publicKey }).then((secret) => {
      if (!cancelled) setHasKey(secret !== null);
    });
    return () => {
      cancelled = true;
    };
  }, [beoId, publicKey]);

  return hasKey && publicKey !== null ? (
    <div className="max-w-form pt-6 pb-20">
      <Accepted {...{ beoId, beoDomain, role, publicKey }} focus={false} />
    </div>
  ) : (
    children
  );
}
