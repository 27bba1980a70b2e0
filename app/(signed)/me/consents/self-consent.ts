'use client';

import { useCallback, useMemo } from 'react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { useHolder } from '../../../_session/current.tsx';
import type { AnswerTo } from '../../../_session/operation-types.ts';
import { useWrite, type Written } from '../../../_session/write.tsx';
import type { Failure } from '../../../_trpc/failure.ts';
import { SELF_INTENTS, type SelfIntent, selfConsentFor } from './self-consent-for.ts';
import { useConsents } from './use-consents.ts';

export interface SelfConsent {
  /** A consent in force that covers all own records; null without one, or until it is read. */
  readonly token: TokenView | null;
  /** Some of the consents are not read yet. */
  readonly loading: boolean;
  /** Why the consents could not be read. */
  readonly failure: Failure | null;
  retry(): void;
  /** Grants a public consent without an end; only after the person has agreed (SelfConsentOffer). */
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
