'use client';

import { Check, Clock, type LucideIcon, Snowflake, TriangleAlert, X } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Badge } from './badge.tsx';

/** Green is what works now, amber what waits for somebody or is paused, red what an authority or its owner ended, grey the rest. */
export const STATES = {
  /** Of an identity or an institution. */
  ACTIVE: { tone: 'accent', Icon: Check },
  LOCKED: { tone: 'caution', Icon: Snowflake },
  SUSPENDED: { tone: 'caution', Icon: TriangleAlert },
  REVOKED: { tone: 'danger', Icon: X },
  DESTROYED: { tone: 'danger', Icon: X },
  /** Of a consent. Its Portuguese and Spanish words have another gender than those of an identity. */
  ACTIVE_CONSENT: { tone: 'accent', Icon: Check },
  EXPIRED: { tone: 'neutral', Icon: Clock },
  WITHDRAWN: { tone: 'neutral', Icon: X },
  /** Of a guardian. */
  free: { tone: 'neutral', Icon: null },
  invited: { tone: 'neutral', Icon: Clock },
  lapsed: { tone: 'caution', Icon: Clock },
  accepted: { tone: 'caution', Icon: TriangleAlert },
  confirmed: { tone: 'accent', Icon: Check },
  removed: { tone: 'neutral', Icon: X },
  /** Of a proposal. */
  PENDING: { tone: 'caution', Icon: Clock },
  EXECUTED: { tone: 'accent', Icon: Check },
  EXPIRED_PROPOSAL: { tone: 'neutral', Icon: Clock },
} as const satisfies Record<string, { tone: 'accent' | 'caution' | 'danger' | 'neutral'; Icon: LucideIcon | null }>;

export type State = keyof typeof STATES;

/** The status of an identity or an institution. */
export type Status = 'ACTIVE' | 'LOCKED' | 'SUSPENDED' | 'REVOKED' | 'DESTROYED';

/** On the wire, a consent that its holder withdrew is revoked. */
const CONSENT_STATES = { ACTIVE: 'ACTIVE_CONSENT', EXPIRED: 'EXPIRED', REVOKED: 'WITHDRAWN' } as const;

export const consentState = (status: keyof typeof CONSENT_STATES): State => CONSENT_STATES[status];

/** A state, with the same word, colour and symbol on every page. */
export function StateBadge({ state }: { state: State }) {
  const t = useTranslations('common.state');
  const { tone, Icon } = STATES[state];
  return (
    <Badge tone={tone}>
      {Icon && <Icon aria-hidden />}
      {t(state)}
    </Badge>
  );
}
