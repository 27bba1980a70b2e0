'use client';

import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { BeoView } from '../../../protocol/entities/beo.ts';
import type { IeoView } from '../../../protocol/entities/ieo.ts';
import { type KeptIdentity, lacksCopy } from '../../_keys/identities.ts';
import { useSession } from '../../_session/session.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useBrowser } from '../../_ui/use-browser.ts';
import { keptRequest } from '../../_wizard/kept-request.ts';

/** Loaded when it is opened: few identities are ever recovered. */
const CancelRecoveryDialog = deferred(
  async () => (await import('../../_session/cancel-recovery.tsx')).CancelRecoveryDialog,
);

type NoticesProps<View> = {
  view: View;
  kept: KeptIdentity;
  /** The view could not be read again. */
  stale: boolean;
};

/** The notices on every page of a holder, the most urgent first. */
export function HolderNotices({ view, kept, stale }: NoticesProps<BeoView>) {
  const t = useTranslations('dashboard');
  const { active_recovery: recovery, status } = view;
  const { domain } = kept;
  const [cancelling, setCancelling] = useState<string | null>(null);
  const path = usePathname();
  // Its page has the button, too.
  const hasButton = path !== '/me/guardians';
  if (status === 'DESTROYED') return <Destroyed kept={kept} />;
  return (
    <>
      {stale && <Stale />}
      <OpenRequest />
      {cancelling !== null && (
        <CancelRecoveryDialog
          beoId={kept.id}
          requestId={cancelling}
          domain={domain}
          onClose={() => setCancelling(null)}
        />
      )}
      {recovery && recovery.new_public_key !== kept.publicKey && (
        <Alert tone="danger" title={t('recovery.title', { domain })}>
          <p>
            {t('recovery.body', { given: recovery.confirmations, needed: recovery.confirmations_needed })}{' '}
            <LocalLink href="/me/guardians?step=request" className={textLink}>
              {t('recovery.action')}
            </LocalLink>
          </p>
          {hasButton && (
            <Button look="secondary" className="mt-3" onClick={() => setCancelling(recovery.request_id)}>
              {t('cancelRecovery.action')}
            </Button>
          )}
        </Alert>
      )}
      {view.public_key !== kept.publicKey && <OtherKey domain={domain} />}
      {/* The overview has it among the tasks. */}
      {status === 'LOCKED' && path !== '/me' && (
        <Alert tone="caution" title={t('locked.title', { domain })}>
          <p>{t('locked.holder')}</p>
        </Alert>
      )}
      {lacksCopy(kept) && (
        <Alert tone="danger">
          <p>
            {t('backup.holder', { domain })}{' '}
            <LocalLink href="/me/safety#backup" className={textLink}>
              {t('backup.action')}
            </LocalLink>
          </p>
        </Alert>
      )}
    </>
  );
}

/** The notices on every page of an institution. */
export function InstitutionNotices({ view, kept, stale }: NoticesProps<IeoView>) {
  const t = useTranslations('dashboard');
  const { status } = view;
  const { domain } = kept;
  if (status === 'DESTROYED') return <Destroyed kept={kept} />;
  return (
    <>
      {stale && <Stale />}
      {view.public_key !== kept.publicKey && status !== 'REVOKED' && <OtherKey domain={domain} />}
      {status !== 'ACTIVE' && (
        <Alert
          tone={status === 'REVOKED' ? 'danger' : 'caution'}
          title={t(`institutionState.${status}.title`, { domain })}
        >
          <p>{t(`institutionState.${status}.body`)}</p>
        </Alert>
      )}
      {!kept.backedUp && (
        <Alert tone="caution" title={t('backup.title')}>
          <p>
            {t('backup.body')}{' '}
            <LocalLink href="/institution/key#backup" className={textLink}>
              {t('backup.action')}
            </LocalLink>
          </p>
        </Alert>
      )}
    </>
  );
}

/** Leads back to the request from which this tab came, as after signing in. */
function OpenRequest() {
  const t = useTranslations('dashboard.asked');
  const isElsewhere = usePathname() !== '/me/consents/new';
  if (!useBrowser() || !isElsewhere || keptRequest() === null) return null;
  return (
    <Alert>
      <p>
        {t('body')}{' '}
        <LocalLink href="/ask" className={textLink}>
          {t('action')}
        </LocalLink>
      </p>
    </Alert>
  );
}

function Stale() {
  const t = useTranslations('dashboard');
  return (
    <Alert tone="caution">
      <p role="status">{t('unreachable')}</p>
    </Alert>
  );
}

function OtherKey({ domain }: { domain: string }) {
  const t = useTranslations('dashboard.otherKey');
  return (
    <Alert tone="danger" title={t('title', { domain })}>
      <p>
        {t('body')}{' '}
        <LocalLink href={`/sign-in/bring?domain=${encodeURIComponent(domain)}`} className={textLink}>
          {t('action')}
        </LocalLink>
      </p>
    </Alert>
  );
}

function Destroyed({ kept }: { kept: KeptIdentity }) {
  const t = useTranslations('dashboard.destroyed');
  const { forget } = useSession();
  // On the page that destroys it, the last screen reports that.
  if (usePathname().endsWith('/destroy')) return null;
  return (
    <Alert tone="danger" title={t('title', { domain: kept.domain })}>
      <p>{t('body')}</p>
      <Button look="secondary" className="mt-3" onClick={() => void forget(kept.id)}>
        {t('forget')}
      </Button>
    </Alert>
  );
}
