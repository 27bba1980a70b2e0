'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { Button } from '../../../_ui/button.tsx';
import { Dialog } from '../../../_ui/dialog.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { Name } from '../../../_ui/name.tsx';
import { Fact, ScopeSummary } from '../../../_ui/scope-summary.tsx';
import { consentState, StateBadge } from '../../../_ui/state-badge.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { TimeBar } from '../../../_ui/time-bar.tsx';
import { useDay } from '../../../_ui/use-day.ts';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';
import { FrozenNotice } from '../frozen-notice.tsx';
import { ReferenceForm } from './reference-form.tsx';

const MAX_CATEGORIES = 6;
const USES = [
  ['SUBMIT_RECORD', 'submit', '/institution/submit'],
  ['READ_RECORDS', 'read', '/institution/read'],
  ['EXPORT_DATA', 'export', '/institution/export'],
] as const;

type ConsentDialogProps = {
  consent: TokenView;
  isFrozen: boolean;
  /** Whether the institution may use consents now. */
  canUse: boolean;
  reference: string;
  onReference: (reference: string) => Promise<boolean>;
  onClose: () => void;
};

/** One received consent: what it allows, what it can be used for, and the local reference of the person. */
export function ConsentDialog({ consent, isFrozen, canUse, reference, onReference, onClose }: ConsentDialogProps) {
  const t = useTranslations('institution.consents');
  const day = useDay();
  const words = useScopeWords();
  const [now] = useState(() => Date.now());
  const { token_id: id, beo_domain: holder, status, scope, granted_at, expires_at, revoked_at } = consent;
  const uses = USES.filter(([intent]) => canUse && status === 'ACTIVE' && scope.intents.includes(intent));
  return (
    <Dialog title={holder ? <Name>{holder}</Name> : t('destroyedHolder')} onClose={onClose}>
      <div className="mt-2 space-y-5">
        <StateBadge state={consentState(status)} />
        {isFrozen && <FrozenNotice domain={holder} />}
        <ScopeSummary scope={scope} categoriesAtMost={MAX_CATEGORIES} className="space-y-2">
          <Fact name={t('given')}>{day(granted_at)}</Fact>
          {status === 'ACTIVE' && (
            <Fact name={t('holds')}>
              {words.end(expires_at)}
              <TimeBar granted_at={granted_at} expires_at={expires_at} now={now} />
            </Fact>
          )}
          {status === 'EXPIRED' && expires_at && <Fact name={t('endedOn')}>{day(expires_at)}</Fact>}
          {status === 'REVOKED' && revoked_at && <Fact name={t('withdrawnOn')}>{day(revoked_at)}</Fact>}
        </ScopeSummary>
        {uses.length > 0 && (
          <div className="flex flex-wrap gap-3">
            {uses.map(([intent, label, path], index) => (
              <Button key={intent} asChild look={index === 0 ? 'primary' : 'secondary'}>
                <LocalLink href={`${path}?${new URLSearchParams({ consent: id })}`}>{t(label)}</LocalLink>
              </Button>
            ))}
          </div>
        )}
        <ReferenceForm reference={reference} onReference={onReference} />
        <p>
          <LocalLink href={`/explore/${id}`} className={`${textLink} inline-flex min-h-11 items-center`}>
            {t('see')}
          </LocalLink>
        </p>
      </div>
    </Dialog>
  );
}
