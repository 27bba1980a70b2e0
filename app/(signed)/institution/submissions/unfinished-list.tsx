import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { UnfinishedSubmission } from '../../../_keys/unfinished-submissions.ts';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { saveFile } from '../../../_ui/save-file.ts';
import { useDates } from '../../../_ui/use-dates.ts';
import type { useUnfinished } from '../use-unfinished.ts';

/** What is left to do of earlier submissions from this browser. */
export function UnfinishedList({ unfinished, keep, dismiss }: ReturnType<typeof useUnfinished>) {
  const t = useTranslations('institution.submissions.unfinished');
  const dates = useDates();
  const save = (submission: UnfinishedSubmission, { name, text }: { name: string; text: string }) => {
    saveFile(name, 'application/json', text);
    void keep({ ...submission, receipts: null });
  };
  return unfinished.map((submission) => {
    const { id, at, accepted, all, receipts } = submission;
    const left = all - accepted;
    return (
      <Alert
        key={id}
        tone={left > 0 ? 'danger' : 'caution'}
        title={
          left > 0
            ? t('failed', { left, all, when: dates.moment(at) })
            : t('unsaved', { count: all, when: dates.moment(at) })
        }
        className="max-w-prose"
      >
        <p>
          {left > 0 && t('failedBody')} {receipts && t('unsavedBody')}
        </p>
        <div className="mt-3 flex flex-wrap gap-3">
          {receipts && (
            <Button onClick={() => save(submission, receipts)}>
              <Download aria-hidden />
              {t('save')}
            </Button>
          )}
          {left > 0 && (
            <Button asChild look="secondary">
              <LocalLink href="/institution/submit">{t('again')}</LocalLink>
            </Button>
          )}
          <Button look="quiet" onClick={() => void dismiss(id)}>
            {t('dismiss')}
          </Button>
        </div>
      </Alert>
    );
  });
}
