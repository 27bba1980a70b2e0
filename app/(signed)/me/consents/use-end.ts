'use client';

import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';

type Ended = Pick<TokenView, 'status' | 'expires_at' | 'revoked_at'>;

/** How and when a consent ended; null for an active one. */
export function useEnd({ status, expires_at, revoked_at }: Ended): { name: string; at: string } | null {
  const t = useTranslations('consents');
  if (status === 'EXPIRED' && expires_at) return { name: t('ended'), at: expires_at };
  if (status === 'REVOKED' && revoked_at) return { name: t('withdrawnOn'), at: revoked_at };
  return null;
}
