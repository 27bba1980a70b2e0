import { Check, Lock, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Answers } from '../../server/trpc/router.ts';
import { en } from '../messages/en.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { formatNumber } from '../ui/format.ts';
import { Identifier } from '../ui/identifier.tsx';
import { Moment } from '../ui/moment.tsx';
import { LedgerStatus } from './ledger-status.tsx';

const text = en.home.lookup;

type Identity = NonNullable<Answers['lookUp']['identity']>;

const LOOK = {
  ACTIVE: { tone: 'accent', Icon: Check },
  LOCKED: { tone: 'caution', Icon: Lock },
  DESTROYED: { tone: 'neutral', Icon: X },
} as const;

/** An identity as it stands now: who may sign for it, since when, and how far that is on the network. */
export function FoundIdentity({ identity, renderedAt }: { identity: Identity; renderedAt: string }) {
  const { tone, Icon } = LOOK[identity.status];
  const version = formatNumber(en.locale, identity.key_version);
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-xl break-all" translate="no">
          {identity.domain ?? identity.beo_id}
        </h2>
        <Badge tone={tone}>
          <Icon aria-hidden />
          {text.status[identity.status]}
        </Badge>
      </div>
      <p className="mt-1 text-muted">{text.sentence[identity.status]}</p>
      <dl className="mt-5 divide-y divide-line border-t border-line *:last:pb-0">
        {identity.public_key && (
          <Line name={text.key}>
            <Identifier value={identity.public_key} name={text.keyName} />
          </Line>
        )}
        {identity.public_key && (
          <Line name={text.keyVersion}>{identity.key_version === 1 ? text.firstKey : text.changedKey(version)}</Line>
        )}
        <Line name={text.since}>
          <Moment at={identity.created_at} renderedAt={renderedAt} />
        </Line>
        {identity.status === 'LOCKED' && identity.locked_at && (
          <Line name={text.lockedAt}>
            <Moment at={identity.locked_at} renderedAt={renderedAt} />
          </Line>
        )}
        {identity.status === 'DESTROYED' && (
          <Line name={text.destroyedAt}>
            <Moment at={identity.updated_at} renderedAt={renderedAt} />
          </Line>
        )}
        <Line name={text.onNetwork}>
          <LedgerStatus status={identity.ledger.status} />
          <span className="mt-1 block text-sm text-muted">
            {text.latestEntry(formatNumber(en.locale, identity.ledger.seq))}
          </span>
        </Line>
        <Line name={text.transaction}>
          <Identifier value={identity.arweave_tx} name={text.transactionName} keep={10} />
        </Line>
      </dl>
    </Card>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 py-3 sm:grid-cols-[8.5rem_1fr] sm:items-baseline">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
