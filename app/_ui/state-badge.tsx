'use client';

import { useTranslations } from 'use-intl/react';
import { Badge } from './badge.tsx';

const TONES = {
  ACTIVE: 'accent',
  LOCKED: 'caution',
  SUSPENDED: 'caution',
  REVOKED: 'danger',
  DESTROYED: 'danger',
} as const;

export type Status = keyof typeof TONES;

/** The status of an identity or an institution. */
export function StateBadge({ status }: { status: Status }) {
  const t = useTranslations('dashboard.state');
  return <Badge tone={TONES[status]}>{t(status)}</Badge>;
}
