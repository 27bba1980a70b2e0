'use client';

import { Download } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl/react';
import { Progress } from '../../../_keys/progress.tsx';
import { useInstitution } from '../../../_session/current.tsx';
import type { Failure } from '../../../_trpc/failure.ts';
import { useSentence } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Badge } from '../../../_ui/badge.tsx';
import { Button } from '../../../_ui/button.tsx';
import { FormActions } from '../../../_ui/form-actions.tsx';
import { useLeaveGuard } from '../../../_ui/leave-guard.ts';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { Name } from '../../../_ui/name.tsx';
import { Screen } from '../../../_ui/screen.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { saveFile } from '../save-file.ts';
import { invalidIn } from './invalid.ts';
import { LeaveDialog, LeaveUnsent } from './leave-dialog.tsx';
import type { LeftRow } from './left-rows.ts';
import { LeftRows } from './left-rows-part.tsx';
import type { ParsedCsv } from './read-csv.ts';
import { receiptsFileName, receiptsOf } from './receipts.ts';
import { rowRanges } from './row-ranges.ts';
import { useProblemWords } from './use-problem-words.ts';
import { type Batch, isAccepted, type SendingState } from './use-submission-sending.ts';

type SendingProps = {
  sending: SendingState;
  /** The file that the records are from, with the rows that were held back; null for a form. */
  file: SentFile | null;
  onAgain: () => void;
};

/** A file of which rows were sent. */
export interface SentFile {
  readonly parsed: ParsedCsv;
  readonly held: readonly LeftRow[];
}

const countIn = (batches: readonly Batch[]): number => batches.reduce((sum, { items }) => sum + items.length, 0);

/** The progress of a submission: what was accepted, and what to do about the rest. */
export function Sending({ sending, file, onAgain }: SendingProps) {
  const t = useTranslations('institution.submit.sending');
  const submit = useTranslations('institution.submit');
  const { view } = useInstitution();
  const { batches, isBusy, limitedUntil, isUnsigned, isUnsaved, savedAs, resume, resend } = sending;
  const [discarding, setDiscarding] = useState(false);
  const all = countIn(batches);
  const accepted = batches.filter(isAccepted);
  const done = countIn(accepted);
  const rest = all - done;
  const waiting = isBusy ? 0 : countIn(batches.filter(({ state }) => state.kind === 'waiting'));
  const isKept = isBusy || isUnsaved || waiting > 0;
  const leaving = useLeaveGuard(isKept);
  const leave = discarding ? onAgain : leaving.leave;
  const isUnknown = batches.some(({ state }) => state.kind === 'unknown');
  const people = new Set(batches.map(({ consent }) => consent.beo_id)).size;

  const save = () => {
    const name = receiptsFileName(view.domain, batches, new Date());
    saveFile(name, 'application/json', receiptsOf(view.ieo_id, batches));
    sending.markSaved(name);
  };
  const leftRows = useLeftRows(file, batches);
  const stay = () => {
    setDiscarding(false);
    leaving.stay();
  };
  return (
    <Screen
      key={isBusy ? 'busy' : 'over'}
      title={isBusy ? t('title') : t('done', { count: done })}
      className="max-w-prose space-y-5"
    >
      <Progress doing={t('progress', { done, all })} fraction={all === 0 ? 0 : done / all} />
      {isBusy && <p className="text-muted">{t('stay')}</p>}
      {limitedUntil !== null && <Limited until={limitedUntil} />}
      {isUnsigned && (
        <Alert tone="caution">
          <p role="status">{t('stopped')}</p>
        </Alert>
      )}
      <ol className="space-y-3">
        {batches.map((batch, index) => (
          <BatchCard
            key={`${batch.consent.token_id} ${batch.items[0]?.row}`}
            batch={batch}
            number={index + 1}
            withPerson={people > 1}
            actions={
              !isBusy && (
                <>
                  <Button onClick={() => void resume()}>{t('ask')}</Button>
                  <Button look="secondary" onClick={() => void resend(index)}>
                    {t('notThere')}
                  </Button>
                </>
              )
            }
          />
        ))}
      </ol>
      {!isBusy && (
        <>
          {done > 0 && rest > 0 && <p className="font-semibold">{t('takenStays')}</p>}
          {file && <LeftRows parsed={file.parsed} rows={leftRows} text={t('leftRows', { count: leftRows.length })} />}
          {done > 0 && !savedAs && <p className="text-muted">{t('receiptsWhat')}</p>}
          <div role="status">
            {savedAs && (
              <Alert>
                <p className="break-words">{t('saved', { file: savedAs })}</p>
              </Alert>
            )}
          </div>
          <FormActions>
            {rest > 0 && !isUnknown && (
              <Button size="large" onClick={() => void resume()}>
                {done > 0 ? t('goOn', { count: rest }) : submit('preview.send', { count: rest })}
              </Button>
            )}
            {done > 0 && (
              <Button look={rest > 0 || savedAs ? 'secondary' : 'primary'} size="large" onClick={save}>
                <Download aria-hidden />
                {t(savedAs ? 'saveAgain' : 'receipts')}
              </Button>
            )}
            <Button look="secondary" size="large" onClick={() => (isKept ? setDiscarding(true) : onAgain())}>
              {t('more')}
            </Button>
          </FormActions>
        </>
      )}
      {(discarding || leaving.isAsking) &&
        (isBusy || isUnsaved ? (
          <LeaveDialog isBusy={isBusy} onSave={save} onLeave={leave} onStay={stay} />
        ) : (
          <LeaveUnsent count={waiting} onLeave={leave} onStay={stay} />
        ))}
    </Screen>
  );
}

/** The rows of a file that were held back, and those that were not accepted. */
function useLeftRows(file: SentFile | null, batches: readonly Batch[]): readonly LeftRow[] {
  const t = useTranslations('institution.submit.sending');
  const sentence = useSentence();
  const words = useProblemWords();
  const notAccepted = batches
    .filter((batch) => !isAccepted(batch))
    .flatMap(({ items, state }) =>
      items.map(({ row }) => {
        const reason = () => {
          if (state.kind !== 'refused') return t(state.kind);
          const own = invalidIn(state.failure, items).filter((invalid) => invalid.row === row);
          return own.map(({ problem }) => words(problem)).join('. ') || String(sentence(state.failure));
        };
        return { row, reason };
      }),
    );
  return [...(file?.held ?? []), ...notAccepted];
}

function Limited({ until }: { until: number }) {
  const t = useTranslations('institution.submit.sending');
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Alert>
      <p>{t('limited', { seconds: Math.max(0, Math.ceil((until - now) / 1_000)) })}</p>
    </Alert>
  );
}

type BatchCardProps = { batch: Batch; number: number; withPerson: boolean; actions: ReactNode };

const TONES = {
  waiting: 'neutral',
  now: 'neutral',
  accepted: 'accent',
  acceptedUnseen: 'accent',
  refused: 'danger',
  unknown: 'caution',
} as const;

function BatchCard({ batch: { consent, items, state }, number, withPerson, actions }: BatchCardProps) {
  const t = useTranslations('institution.submit.sending');
  const format = useFormatter();
  const { ranges, more } = rowRanges(items.map(({ row }) => row));
  const rows =
    more > 0
      ? t('rowsMore', { rows: ranges.join(', '), count: more })
      : t('rows', { count: items.length, rows: format.list(ranges) });
  const id =
    state.kind === 'accepted'
      ? state.receipt.transactionId
      : state.kind === 'acceptedUnseen'
        ? state.transactionId
        : null;
  return (
    <li className="space-y-3 rounded-lg border border-line bg-surface p-4">
      {withPerson && consent.beo_domain && (
        <p className="font-semibold">
          <Name>{consent.beo_domain}</Name>
        </p>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <p>
          <span className="font-semibold">{t('batch', { number, count: items.length })}</span>{' '}
          <span className="text-muted">{rows}</span>
        </p>
        <Badge tone={TONES[state.kind]} className="whitespace-normal!">
          {t(state.kind)}
        </Badge>
      </div>
      {id && (
        <LocalLink href={`/explore/${id}`} className={`${textLink} inline-flex min-h-11 items-center`}>
          {t('entry')}
        </LocalLink>
      )}
      {state.kind === 'refused' && <Refusal failure={state.failure} items={items} />}
      {state.kind === 'unknown' && (
        <>
          <p>{t('unknownBody')}</p>
          <p>
            <LocalLink href={`/explore/${consent.token_id}`} className={textLink}>
              {t('ledger')}
            </LocalLink>
          </p>
          <div className="flex flex-wrap gap-3">{actions}</div>
        </>
      )}
    </li>
  );
}

function Refusal({ failure, items }: { failure: Failure; items: Batch['items'] }) {
  const t = useTranslations('institution.submit.sending');
  const sentence = useSentence();
  const words = useProblemWords();
  const invalid = invalidIn(failure, items);
  return (
    <div role="alert" className="text-danger-ink">
      <p className="font-semibold">{invalid.length > 0 ? t('invalid') : sentence(failure)}</p>
      <ul className="mt-1 space-y-1">
        {invalid.map(({ row, problem }) => (
          <li key={`${row} ${words(problem)}`}>
            {t('record', { row })}: {words(problem)}
          </li>
        ))}
      </ul>
    </div>
  );
}
