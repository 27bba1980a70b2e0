'use client';

import { useEffect } from 'react';

/** Deletes the key that this browser drafted for an invitation that can no longer be accepted. */
export function ForgetDraft({ invitationId }: { invitationId: string }) {
  useEffect(() => {
    // Without a connection the next visit deletes it.
    void import('../../_keys/browser-copy.ts').then(
      ({ dropDraft }) => dropDraft(invitationId),
      () => undefined,
    );
  }, [invitationId]);
  return null;
}
