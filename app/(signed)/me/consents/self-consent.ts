'use client';

import { useCallback, useMemo } from 'react';
import { useHolder } from '../../../_session/current.tsx';
import { type SelfIntent, selfConsentFields } from '../../../_session/self-consent-fields.ts';
import type { Answer } from '../../../_session/send.ts';
import { useWrite, type Written } from '../../../_session/write.tsx';
import type { Failure } from '../../../_trpc/failure.ts';
import { type UsableConsents, usableConsents } from './usable-consents.ts';
import { useConsents } from './use-consents.ts';

export interface SelfConsent extends UsableConsents {
  /** Some of the consents are not read yet, and none of the others covers everything. */
  readonly loading: boolean;
  /** Why the consents could not be read. */
  readonly failure: Failure | null;
  retry(): void;
  /** Grants a public consent without an end; only after the person has agreed (SelfConsentOffer). */
  grant(): Promise<Written<Answer<'grantConsent'>>>;
}

/** The consents with which a holder reads or exports their own records. Only below the layout of /me. */
export function useSelfConsent(intent: SelfIntent = 'READ_RECORDS'): SelfConsent {
  const { kept } = useHolder();
  const write = useWrite();
  const { consents, complete, failure, retry } = useConsents(kept.id);
  const usable = useMemo(() => usableConsents(intent, consents), [intent, consents]);

  const grant = useCallback(() => write('grantConsent', selfConsentFields(kept.id)), [write, kept.id]);
  const found = usable.coverEverything;
  return { ...usable, loading: !found && !complete && !failure, failure: found ? null : failure, retry, grant };
}
