import { Check, Clock, Lock, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Badge } from '../_ui/badge.tsx';

const LOOK = {
  ACTIVE: { tone: 'accent', Icon: Check },
  LOCKED: { tone: 'caution', Icon: Lock },
  SUSPENDED: { tone: 'caution', Icon: TriangleAlert },
  EXPIRED: { tone: 'neutral', Icon: Clock },
  REVOKED: { tone: 'danger', Icon: X },
  DESTROYED: { tone: 'neutral', Icon: X },
} as const;

const OF_CONSENT = { ACTIVE: 'IN_FORCE', EXPIRED: 'EXPIRED', REVOKED: 'WITHDRAWN' } as const;

type StateWordProps =
  | { of: 'party'; state: Exclude<keyof typeof LOOK, 'EXPIRED'> }
  | { of: 'consent'; state: keyof typeof OF_CONSENT };

/** The status of a party or a consent. */
export function StateWord(props: StateWordProps) {
  const t = useTranslations('explore.state');
  const { tone, Icon } = LOOK[props.state];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {t(props.of === 'consent' ? OF_CONSENT[props.state] : props.state)}
    </Badge>
  );
}

type HeadingProps = { kind: string; title: ReactNode; badge?: ReactNode; children?: ReactNode };

/** The kind, the name and the status of an entity. */
export function Heading({ kind, title, badge, children }: HeadingProps) {
  return (
    <div className="mb-6">
      <p className="font-semibold text-muted">{kind}</p>
      <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="min-w-0 break-words">{title}</h1>
        {badge}
      </div>
      {children && <div className="mt-3 max-w-prose text-lg">{children}</div>}
    </div>
  );
}
