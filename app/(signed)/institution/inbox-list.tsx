'use client';

import {
  BadgeX,
  CircleCheck,
  Clock,
  FileQuestionMark,
  FileWarning,
  FileX,
  HandHeart,
  Lock,
  type LucideIcon,
  MessageSquareWarning,
  Webhook as WebhookIcon,
} from 'lucide-react';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl/react';
import type { IeoView } from '../../../protocol/entities/ieo.ts';
import { useSession } from '../../_session/session.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Matter as MatterItem, Matters, type MatterTone } from '../../_ui/matter.tsx';
import { useNow } from '../../_ui/now.ts';
import { RowsSkeleton } from '../../_ui/skeletons.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useDay } from '../../_ui/use-day.ts';
import { useCertificationRequest } from './certification/use-certification-request.ts';
import { inboxOf, type Matter, weekOf } from './inbox.ts';
import { countsOf } from './received-filter.ts';
import { useWebhook } from './settings/use-webhook.ts';
import { useAcceptedRequests } from './use-accepted-requests.ts';
import { useReceived } from './use-received-consents.ts';
import { useUnfinishedList } from './use-unfinished-list.ts';

/** What needs attention, and the numbers of the week. What only the key may read is read once it is open. */
export function Inbox({ institution }: { institution: IeoView }) {
  const t = useTranslations('institution.inbox');
  const { isOpen } = useSession();
  const { consents, failure, isComplete } = useReceived(institution.ieo_id, { isWhole: true });
  const { request, failure: requestFailure } = useCertificationRequest(institution.ieo_id);
  const { webhook, failure: webhookFailure, read } = useWebhook(institution.ieo_id);
  const hasWebhook = institution.contacts.webhook_url !== null;
  const now = useNow(institution.updated_at);
  useEffect(() => {
    if (isOpen && hasWebhook) void read();
  }, [isOpen, hasWebhook, read]);

  const accepted = useAcceptedRequests(institution.ieo_id, consents?.[0]?.token_id);
  const unfinished = useUnfinishedList(institution.ieo_id);
  // Until the state of both is known, nothing is said that it may contradict.
  const isKnown = request !== undefined && (webhook !== null || !hasWebhook);
  const signedFailure = isKnown ? null : (requestFailure ?? webhookFailure);
  const isAwaited = isOpen && !isKnown && !signedFailure;
  const matters =
    consents && !isAwaited
      ? inboxOf({ view: institution, consents, unfinished, accepted, webhook, request, now })
      : null;
  const week = consents && weekOf(consents, now);
  return (
    <section aria-labelledby="inbox" className="space-y-4">
      <h2 id="inbox">{t('title')}</h2>
      <Refused failure={isComplete ? signedFailure : failure} />
      {(!isComplete || isAwaited) && !failure && !matters?.length && <RowsSkeleton rows={2} />}
      {matters?.length === 0 && isComplete && isKnown && institution.status === 'ACTIVE' && (
        <p className={box}>
          <CircleCheck aria-hidden className="size-6 shrink-0 text-accent" />
          {t('calm')}
        </p>
      )}
      {!isOpen && !isKnown && (
        <p className={box}>
          <Lock aria-hidden className="size-6 shrink-0 text-muted" />
          {t('locked', { webhook: hasWebhook ? 'yes' : 'no' })}
        </p>
      )}
      {matters && matters.length > 0 && (
        <Matters>
          {matters.map((matter) => (
            <Item key={matter.kind} matter={matter} />
          ))}
        </Matters>
      )}
      {week && (
        <p className="text-muted">
          {isComplete && consents && <b className="text-ink">{t('active', countsOf(consents))}</b>}{' '}
          {t('week', { ...week, more: isComplete ? 'no' : 'yes' })}{' '}
          <LocalLink href="/institution/consents" className={textLink}>
            {t('seeConsents')}
          </LocalLink>
        </p>
      )}
    </section>
  );
}

const box = 'flex items-center gap-3 rounded-lg border border-line bg-surface p-4';

const LOOKS = {
  failed: { icon: FileX, tone: 'danger', href: '/institution/submissions' },
  unknown: { icon: FileQuestionMark, tone: 'danger', href: '/institution/submissions' },
  unsaved: { icon: FileWarning, tone: 'caution', href: '/institution/submissions' },
  webhook: { icon: WebhookIcon, tone: 'danger', href: '/institution/settings#webhook' },
  declined: { icon: MessageSquareWarning, tone: 'caution', href: '/institution/certification' },
  certificationEnded: { icon: BadgeX, tone: 'danger', href: '/institution/certification' },
  certificationEnds: { icon: Clock, tone: 'caution', href: '/institution/certification' },
  uncertified: { icon: BadgeX, tone: 'muted', href: '/institution/certification' },
  accepted: { icon: HandHeart, tone: 'muted', href: '/institution/consents' },
  consentsEnd: { icon: Clock, tone: 'muted', href: '/institution/consents' },
} satisfies Record<Matter['kind'], { icon: LucideIcon; tone: MatterTone; href: string }>;

function Item({ matter }: { matter: Matter }) {
  const t = useTranslations('institution.inbox');
  const day = useDay();
  const { kind } = matter;
  const facts = {
    status: 'status' in matter ? matter.status : '',
    reason: 'reason' in matter ? matter.reason : '',
    reference: 'reference' in matter ? matter.reference : '',
    count: 'count' in matter ? matter.count : 0,
    day: 'ends' in matter ? day(matter.ends) : '',
  };
  return (
    <MatterItem {...LOOKS[kind]} title={t(`${kind}.title`, facts)} action={t(`${kind}.action`)}>
      {t(`${kind}.body`, facts)}
    </MatterItem>
  );
}
