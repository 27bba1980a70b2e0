import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { keptReceipts } from '../../../_keys/kept-receipts.ts';
import { readAs, UNREADABLE } from '../../../_keys/read.ts';
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
  const [trouble, setTrouble] = useState<string | null>(null);
  const save = async (submission: UnfinishedSubmission) => {
    if (!submission.receipts) return;
    const file = await fileOf(ieoId, submission.id, submission.receipts).catch(() => UNREADABLE);
    if (file.state === 'unreadable') return setTrouble(t('unreadable'));
    const { text, saved, lost } = file.value;
    if (text !== null) saveFile(submission.receipts.name, 'application/json', text);
    setTrouble(lost > 0 ? t('lost', { lost, saved }) : null);
    if (lost === 0) await keep({ ...submission, receipts: null });
  };
  return (
    <>
      {(isRefused || trouble) && (
        <div role="alert">
          <Alert tone="danger" className="max-w-prose">
            <p>{trouble ?? t('notStored')}</p>
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
                setTrouble(null);
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

type Unsaved = NonNullable<UnfinishedSubmission['receipts']>;

/** The file of the receipts of `saved` parts; its text is null where none of them can be opened. */
async function fileOf(ieoId: string, id: string, { text, parts = 1 }: Unsaved) {
  if (text !== undefined) return readAs({ text, saved: 1, lost: 0 });
  const kept = await keptReceipts({ ieoId, id }, parts);
  if (kept.state === 'unreadable') return kept;
  const { receipts, lost } = kept.value;
  return readAs({ text: receipts.length > 0 ? receiptsText(ieoId, receipts) : null, saved: receipts.length, lost });
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
