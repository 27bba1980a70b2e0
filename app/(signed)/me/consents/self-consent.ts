'use client';

import { useCallback, useMemo } from 'react';
import type { TokenView } from '../../../../protocol/token.ts';
import { useHolder } from '../../../_session/current.tsx';
import type { AnswerTo } from '../../../_session/operations.ts';
import { useWrite, type Written } from '../../../_session/write.tsx';
import type { Failure } from '../../../_trpc/failure.ts';
import { SELF_INTENTS, type SelfIntent, selfConsentFor } from './self-consent-for.ts';
import { useConsents } from './use-consents.ts';

export interface SelfConsent {
  /** A consent in force that covers all of somebody's own records; null where there is none (or it is not known yet). */
  readonly token: TokenView | null;
  /** Not known yet: some of the consents were not looked at. */
  readonly loading: boolean;
  /** Why it could not be looked up. */
  readonly failure: Failure | null;
  retry(): void;
  /** Gives a consent that holds until it is withdrawn, and is public: only after the person agreed. See SelfConsentOffer. */
  grant(): Promise<Written<AnswerTo<'grantConsent', { beoId: string; ieoId: string }>>>;
}

/** The consent with which a holder reads or exports their own records (protocol §3). Only below the layout of /me. */
export function useSelfConsent(intent: SelfIntent = 'READ_RECORDS'): SelfConsent {
  const { kept } = useHolder();
  const write = useWrite();
  const { consents, complete, failure, retry } = useConsents(kept.id);
  const token = useMemo(() => selfConsentFor(intent, kept.id, consents), [intent, kept.id, consents]);

  const grant = useCallback(
    () =>
      write('grantConsent', {
        beoId: kept.id,
        ieoId: kept.id,
        scope: { intents: [...SELF_INTENTS], categories: ['*'] },
        expiresInDays: null,
      }),
    [write, kept.id],
  );
  return { token, loading: !token && !complete && !failure, failure: token ? null : failure, retry, grant };
}
