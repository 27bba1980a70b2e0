'use client';

import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { Badge } from '../../../_ui/badge.tsx';

const TONES = { ACTIVE: 'accent', EXPIRED: 'neutral', REVOKED: 'neutral' } as const;

/** The status of a consent. */
export function ConsentState({ status }: Pick<TokenView, 'status'>) {
  const t = useTranslations('consents.state');
  return <Badge tone={TONES[status]}>{t(status)}</Badge>;
}
