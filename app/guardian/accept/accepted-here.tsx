'use client';

import { type ReactNode, useCallback } from 'react';
import type { GuardianRole } from '../../../protocol/entities/guardian.ts';
import { openCopy } from '../../_keys/browser-copy.ts';
import { readAs } from '../../_keys/read.ts';
import { useStored } from '../../_keys/use-stored.ts';
import { AcceptedPart } from './accepted-part.tsx';

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
  const copy = useStored(
    useCallback(
      async () => (publicKey === null ? readAs(null) : openCopy({ purpose: 'guardian', beoId, publicKey })),
      [beoId, publicKey],
    ),
  );
  return copy.state === 'read' && copy.value && publicKey !== null ? (
    <div className="max-w-form pt-6 pb-20">
      <AcceptedPart {...{ beoId, beoDomain, role, publicKey }} focus={false} />
    </div>
  ) : (
    children
  );
}
