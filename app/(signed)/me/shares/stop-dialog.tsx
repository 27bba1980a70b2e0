'use client';

import { useTranslations } from 'use-intl/react';
import { Refused } from '../../../_trpc/refused.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Dialog } from '../../../_ui/dialog.tsx';
import { useSubmission } from '../../../_wizard/use-submission.ts';
import type { Share, useShares } from './use-shares.ts';

type StopDialogProps = {
  share: Share;
  stop: ReturnType<typeof useShares>['stop'];
  onClose: (stopped: boolean) => void;
};

/** Asks for confirmation before a link is stopped. */
export function StopDialog({ share: { share_id: shareId, label }, stop, onClose }: StopDialogProps) {
  const t = useTranslations('shares.stop');
  const { sending, failure, submit } = useSubmission();
  const send = async () => {
    const stopped = await submit(async () => (await stop(shareId)) ?? { ok: false, failure: null });
    if (stopped?.ok) onClose(true);
  };
  return (
    <Dialog title={t('title', { label })} description={t('what')} onClose={() => onClose(false)}>
      <div className="space-y-4">
        <Refused failure={failure} />
        <div className="grid gap-3 sm:grid-cols-2">
          <Button size="large" look="secondary" onClick={() => void send()} busy={sending}>
            {sending ? t('stopping') : t('yes')}
          </Button>
          <Button size="large" look="secondary" onClick={() => onClose(false)} disabled={sending}>
            {t('no')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
