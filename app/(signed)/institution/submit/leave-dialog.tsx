'use client';

import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../../_ui/button.tsx';
import { Dialog } from '../../../_ui/dialog.tsx';

type LeaveDialogProps = {
  /** Whether records are still being sent. */
  isBusy: boolean;
  onSave: () => void;
  onLeave: () => void;
  onStay: () => void;
};

/** Asks before the page is left while records are sent, or with receipts that cannot be shown again. */
export function LeaveDialog({ isBusy, onSave, onLeave, onStay }: LeaveDialogProps) {
  const t = useTranslations('institution.submit.leave');
  if (isBusy)
    return (
      <StayOrLeave title={t('busyTitle')} body={t('busyBody')} yes={t('busyYes')} onLeave={onLeave} onStay={onStay} />
    );
  return (
    <Dialog title={t('title')} description={t('body')} onClose={onStay}>
      <div className="flex flex-col gap-3">
        <Button
          size="large"
          onClick={() => {
            onSave();
            onLeave();
          }}
        >
          <Download aria-hidden />
          {t('save')}
        </Button>
        <Button look="secondary" size="large" onClick={onLeave}>
          {t('yes')}
        </Button>
        <Button look="quiet" size="large" onClick={onStay}>
          {t('stay')}
        </Button>
      </div>
    </Dialog>
  );
}

type LeaveUnsentProps = { count: number; onLeave: () => void; onStay: () => void };

/** Asks before results that were entered but not submitted are discarded. */
export function LeaveUnsent({ count, onLeave, onStay }: LeaveUnsentProps) {
  const t = useTranslations('institution.submit.leave');
  const body = t('unsentBody', { count });
  return <StayOrLeave title={t('unsentTitle')} body={body} yes={t('unsentYes')} onLeave={onLeave} onStay={onStay} />;
}

type StayOrLeaveProps = { title: string; body: string; yes: string; onLeave: () => void; onStay: () => void };

function StayOrLeave({ title, body, yes, onLeave, onStay }: StayOrLeaveProps) {
  const t = useTranslations('institution.submit.leave');
  return (
    <Dialog title={title} description={body} onClose={onStay}>
      <div className="flex flex-col gap-3">
        <Button size="large" onClick={onStay}>
          {t('stay')}
        </Button>
        <Button look="secondary" size="large" onClick={onLeave}>
          {yes}
        </Button>
      </div>
    </Dialog>
  );
}
