import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { keptReceipts } from '../../../_keys/kept-receipts.ts';
import { UNREADABLE } from '../../../_keys/read.ts';
import type { UnfinishedSubmission } from '../../../_keys/unfinished-submissions.ts';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Dialog } from '../../../_ui/dialog.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { saveFile } from '../../../_ui/save-file.ts';
import { useDates } from '../../../_ui/use-dates.ts';
import { receiptsText } from '../submit/receipts.ts';
import type { useUnfinished } from '../use-unfinished.ts';

type UnfinishedListProps = Pick<ReturnType<typeof useUnfinished>, 'unfinished' | 'isRefused' | 'keep' | 'dismiss'> & {
  ieoId: string;
};

/** What is left to do of earlier submissions from this browser. */
export function UnfinishedList({ ieoId, unfinished, isRefused, keep, dismiss }: UnfinishedListProps) {
  const t = useTranslations('institution.submissions.unfinished');
  /** The submission with receipts that would be lost. */
  const [losing, setLosing] = useState<UnfinishedSubmission | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  const save = async (submission: UnfinishedSubmission) => {
    const { id, receipts } = submission;
    if (!receipts) return;
    const text = receipts.text ?? (await textOf(ieoId, id));
    setUnreadable(text === null);
    if (text === null) return;
    saveFile(receipts.name, 'application/json', text);
    await keep({ ...submission, receipts: null });
  };
  return (
    <>
      {(isRefused || isUnreadable) && (
        <div role="alert">
          <Alert tone="danger" className="max-w-prose">
            <p>{isUnreadable ? t('unreadable') : t('notStored')}</p>
          </Alert>
        </div>
      )}
      {unfinished.map((submission) => (
        <Unfinished
          key={submission.id}
          submission={submission}
          onSave={() => void save(submission)}
          onDismiss={() => (submission.receipts ? setLosing(submission) : void dismiss(submission.id))}
        />
      ))}
      {losing && (
        <Dialog
          title={t('losing.title', { count: acceptedOf(losing) })}
          description={t('losing.body')}
          onClose={() => setLosing(null)}
        >
          <div className="flex flex-col gap-3">
            <Button
              size="large"
              onClick={() => {
                void save(losing);
                setLosing(null);
              }}
            >
              <Download aria-hidden />
              {t('save')}
            </Button>
            <Button
              look="secondary"
              size="large"
              onClick={() => {
                void dismiss(losing.id);
                setLosing(null);
              }}
            >
              {t('losing.yes')}
            </Button>
            <Button look="quiet" size="large" onClick={() => setLosing(null)}>
              {t('losing.stay')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** The file of receipts; null where this browser does not let them be read now. */
async function textOf(ieoId: string, id: string): Promise<string | null> {
  const kept = await keptReceipts({ ieoId, id }).catch(() => UNREADABLE);
  return kept.state === 'read' ? receiptsText(ieoId, kept.value) : null;
}

const acceptedOf = ({ all, failed, unknown }: UnfinishedSubmission): number => all - failed.length - unknown.length;

type UnfinishedProps = { submission: UnfinishedSubmission; onSave: () => void; onDismiss: () => void };

function Unfinished({ submission, onSave, onDismiss }: UnfinishedProps) {
  const t = useTranslations('institution.submissions.unfinished');
  const dates = useDates();
  const { all, failed, unknown, receipts } = submission;
  const when = dates.moment(submission.at);
  const isDone = failed.length === 0 && unknown.length === 0;
  return (
    <Alert
      tone={isDone ? 'caution' : 'danger'}
      title={
        failed.length > 0
          ? t('failed', { left: failed.length, all, when })
          : unknown.length > 0
            ? t('unknown', { count: unknown.length, all, when })
            : t('unsaved', { count: acceptedOf(submission), when })
      }
      className="max-w-prose"
    >
      <p>
        {failed.length > 0 && t('failedBody')} {unknown.length > 0 && t('unknownBody', { count: unknown.length })}{' '}
        {receipts && t('unsavedBody')}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {receipts && (
          <Button onClick={onSave}>
            <Download aria-hidden />
            {t('save')}
          </Button>
        )}
        {!isDone && (
          <Button asChild look="secondary">
            <LocalLink href="/institution/submit">{t('again')}</LocalLink>
          </Button>
        )}
        <Button look="quiet" onClick={onDismiss}>
          {t('dismiss')}
        </Button>
      </div>
    </Alert>
  );
}
