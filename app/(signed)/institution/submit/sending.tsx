'use client';

import { Download } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useFormats } from '../../../_i18n/use-formats.ts';
import { Progress } from '../../../_keys/progress.tsx';
import { useInstitution } from '../../../_session/current.tsx';
import { useSentence } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { FormActions } from '../../../_ui/form-actions.tsx';
import { useLeaveGuard } from '../../../_ui/leave-guard.ts';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { Name } from '../../../_ui/name.tsx';
import { Submitted } from '../../../_ui/pictures/submitted.tsx';
import { saveFile } from '../../../_ui/save-file.ts';
import { Screen } from '../../../_ui/screen.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { useUnfinished } from '../use-unfinished.ts';
import { outcomesOf } from './batch-outcomes.ts';
import { isAccepted, type Stop, sendable, stopsIn, withoutInvalid } from './batch-states.ts';
import { LeaveDialog, LeaveUnsent } from './leave-dialog.tsx';
import type { LeftRow } from './left-rows.ts';
import { LeftRows } from './left-rows-part.tsx';
import type { ParsedCsv } from './read-csv.ts';
import { receiptOf, receiptsFileName, receiptsText } from './receipts.ts';
import { rowRanges } from './row-ranges.ts';
import { useProblemWords } from './use-problem-words.ts';
import type { Batch, SendingState } from './use-submission-sending.ts';

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

/** The progress of a submission: what was accepted, why it stopped, and what can be done about the rest. */
export function Sending({ sending, file, onAgain }: SendingProps) {
  const t = useTranslations('institution.submit.sending');
  const submit = useTranslations('institution.submit');
  const { view } = useInstitution();
  const { batches, isBusy, isStopped, limitedUntil, isUnsaved, savedAs, resume, stop } = sending;
  const [discarding, setDiscarding] = useState(false);
  const all = countIn(batches);
  const done = countIn(batches.filter(isAccepted));
  const rest = all - done;
  const possible = countIn([...sendable(withoutInvalid(batches))]);
  const isKept = isBusy || isUnsaved || possible > 0;
  const leaving = useLeaveGuard(isKept);
  const leave = discarding ? onAgain : leaving.leave;
  const isUnknown = batches.some(({ state }) => state.kind === 'unknown');

  const save = () => {
    const name = receiptsFileName(view.domain, batches, new Date());
    const accepted = batches.flatMap((batch) => receiptOf(batch) ?? []);
    saveFile(name, 'application/json', receiptsText(view.ieo_id, accepted));
    sending.markSaved(name);
  };
  const isRefused = useKeptUnfinished(sending);
  const leftRows = useLeftRows(file, batches);
  const stay = () => {
    setDiscarding(false);
    leaving.stay();
  };
  return (
    <Screen
      key={isBusy ? 'busy' : 'over'}
      title={isBusy ? t('title') : t(rest > 0 ? 'over' : 'done', { count: done })}
      className="max-w-prose space-y-5"
    >
      {!isBusy && rest === 0 && <Submitted className="w-48" />}
      {!isBusy && rest > 0 && <Outcome sending={sending} done={done} all={all} />}
      <Progress doing={t('progress', { done, all })} fraction={all === 0 ? 0 : done / all} />
      {isRefused && (
        <div role="alert">
          <Alert tone="danger" title={t('notKept')}>
            {isUnsaved && <p>{t('notKeptBody')}</p>}
          </Alert>
        </div>
      )}
      {isBusy && (
        <>
          <p className="text-muted">{t(isStopped ? 'stopping' : 'stay')}</p>
          {limitedUntil !== null && <Limited until={limitedUntil} />}
          <FormActions>
            <Button look="secondary" size="large" busy={isStopped} onClick={stop}>
              {t('stop')}
            </Button>
          </FormActions>
        </>
      )}
      {!isBusy && (
        <>
          {done > 0 && !savedAs && <p className="text-muted">{t('receiptsWhat')}</p>}
          <div role="status">
            {savedAs && (
              <Alert>
                <p className="break-words">{t('saved', { file: savedAs })}</p>
              </Alert>
            )}
          </div>
          <FormActions>
            {possible > 0 && !isUnknown && (
              <Button size="large" onClick={() => void resume()}>
                {done > 0 ? t('goOn', { count: possible }) : submit('preview.send', { count: possible })}
              </Button>
            )}
            {done > 0 && (
              <Button look={possible > 0 || savedAs ? 'secondary' : 'primary'} size="large" onClick={save}>
                <Download aria-hidden />
                {t(savedAs ? 'saveAgain' : 'receipts')}
              </Button>
            )}
            <Button look="secondary" size="large" onClick={() => (isKept ? setDiscarding(true) : onAgain())}>
              {t('more')}
            </Button>
          </FormActions>
          {file && <LeftRows parsed={file.parsed} rows={leftRows} text={t('leftRows', { count: leftRows.length })} />}
        </>
      )}
      <Parts batches={batches} />
      {(discarding || leaving.isAsking) &&
        (isBusy || isUnsaved ? (
          <LeaveDialog isBusy={isBusy} onSave={save} onLeave={leave} onStay={stay} />
        ) : (
          <LeaveUnsent count={possible} onLeave={leave} onStay={stay} />
        ))}
    </Screen>
  );
}

/**
 * Keeps what is left to do for the overview, once a part is on its way and after each: the page may end at any time.
 * @returns whether this browser could not store it
 */
function useKeptUnfinished({ batches, isBusy, isUnsaved }: SendingState): boolean {
  const { view } = useInstitution();
  const { ieo_id: ieoId, domain } = view;
  const { keep, keepReceipts, isRefused } = useUnfinished(ieoId);
  const [{ id, at, kept }] = useState(() => ({ id: crypto.randomUUID(), at: new Date(), kept: new Set<number>() }));
  const writes = useRef(Promise.resolve());
  /** How many parts had been accepted when the receipts were saved. */
  const saved = useRef(0);
  useEffect(() => {
    if (isBusy && batches.every(({ state }) => state.kind === 'waiting')) return;
    const { accepted, failed, unknown } = outcomesOf(batches);
    const count = batches.filter(isAccepted).length;
    if (!isUnsaved) saved.current = count;
    const receipts = isUnsaved ? { name: receiptsFileName(domain, batches, at), parts: count - saved.current } : null;
    const parts = batches.flatMap((batch, part) => {
      const receipt = kept.has(part) ? null : receiptOf(batch, false);
      return receipt ? [[part, receipt] as const] : [];
    });
    for (const [part] of parts) kept.add(part);
    const write = async () => {
      // First the receipts, then that there are some. What was not stored is tried again with the next part.
      if (!(await keepReceipts(id, parts))) for (const [part] of parts) kept.delete(part);
      await keep({ id, at: at.toISOString(), all: countIn(batches), failed, unknown, receipts }, accepted);
    };
    writes.current = writes.current.then(write);
  }, [batches, isBusy, isUnsaved, domain, id, at, kept, keep, keepReceipts]);
  return isRefused;
}

type OutcomeProps = { sending: SendingState; done: number; all: number };

/** Why not everything was submitted, and how much was. */
function Outcome({ sending: { batches, isUnsigned, isStopped, resume, resend }, done, all }: OutcomeProps) {
  const t = useTranslations('institution.submit.sending');
  const stops = stopsIn(batches);
  const unknown = batches.findIndex(({ state }) => state.kind === 'unknown');
  const submitted = (
    <p>
      {t('submitted', { done, all })} {done > 0 && t('takenStays')}
    </p>
  );
  return (
    <div role="alert" className="space-y-3">
      {stops.length > 0 && <Stops stops={stops}>{submitted}</Stops>}
      {unknown >= 0 && (
        <Unknown batch={batches[unknown]} onAsk={() => void resume()} onResend={() => void resend(unknown)}>
          {stops.length === 0 && submitted}
        </Unknown>
      )}
      {stops.length === 0 && unknown < 0 && (
        <Alert tone="caution" title={isUnsigned ? t('stopped') : isStopped ? t('stoppedByYou') : undefined}>
          {submitted}
        </Alert>
      )}
    </div>
  );
}

const MAX_LINES = 20;

/** The row and the reason where the records of each person were refused. */
function Stops({ stops, children }: { stops: readonly Stop[]; children: ReactNode }) {
  const t = useTranslations('institution.submit.sending');
  const sentence = useSentence();
  const words = useProblemWords();
  const reasonOf = ({ batch: { state } }: Stop): string => {
    if (state.kind !== 'refused') return '';
    const [first] = state.invalid;
    return first ? words(first.problem) : String(sentence(state.failure));
  };
  const [first] = stops;
  const others = stops.length > 1 || first?.batch.state.kind !== 'refused' ? [] : first.batch.state.invalid.slice(1);
  return (
    <Alert
      tone="danger"
      title={
        stops.length === 1 && first
          ? t('stoppedAt', { row: first.row, reason: reasonOf(first) })
          : t('stoppedFor', { count: stops.length })
      }
    >
      {stops.length > 1 && (
        <ul>
          {stops.slice(0, MAX_LINES).map((stop) => (
            <li key={stop.batch.consent.beo_id} className="break-words">
              {stop.batch.consent.beo_domain && <Name>{stop.batch.consent.beo_domain}</Name>}
              {`, ${t('record', { row: stop.row })}: ${reasonOf(stop)}`}
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul>
          {others.slice(0, MAX_LINES).map(({ row, problem }) => (
            <li key={`${row} ${words(problem)}`}>
              {t('record', { row })}: {words(problem)}
            </li>
          ))}
        </ul>
      )}
      {children}
    </Alert>
  );
}

type UnknownProps = { batch: Batch | undefined; onAsk: () => void; onResend: () => void; children: ReactNode };

/** A part without response: it is asked about first, because it may have been accepted. */
function Unknown({ batch, onAsk, onResend, children }: UnknownProps) {
  const t = useTranslations('institution.submit.sending');
  const row = batch?.items[0]?.row ?? 0;
  return (
    <Alert tone="danger" title={t('unknownAt', { row })}>
      {children}
      <p>{t('unknownBody')}</p>
      {batch && (
        <p>
          <LocalLink href={`/explore/${batch.consent.token_id}`} className={textLink}>
            {t('ledger')}
          </LocalLink>
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-3">
        <Button onClick={onAsk}>{t('ask')}</Button>
        <Button look="secondary" onClick={onResend}>
          {t('notThere')}
        </Button>
      </div>
    </Alert>
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
          const own = state.invalid.filter((invalid) => invalid.row === row);
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

const LOOKS = {
  waiting: 'text-muted',
  now: 'text-muted',
  accepted: 'text-accent-ink',
  acceptedUnseen: 'text-accent-ink',
  refused: 'text-danger-ink',
  unknown: 'text-caution-ink',
} as const;

/** The requests of a submission, each with its rows and its status. */
function Parts({ batches }: { batches: readonly Batch[] }) {
  const t = useTranslations('institution.submit.sending');
  const withPerson = new Set(batches.map(({ consent }) => consent.beo_id)).size > 1;
  return (
    <details className="rounded-md border border-line px-4 py-1">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">
        {t('parts', { done: batches.filter(isAccepted).length, count: batches.length })}
      </summary>
      <ol className="divide-y divide-line text-sm">
        {batches.map((batch, index) => (
          <Part
            key={`${batch.consent.token_id} ${batch.items[0]?.row}`}
            batch={batch}
            number={index + 1}
            withPerson={withPerson}
          />
        ))}
      </ol>
    </details>
  );
}

type PartProps = { batch: Batch; number: number; withPerson: boolean };

function Part({ batch: { consent, items, state }, number, withPerson }: PartProps) {
  const t = useTranslations('institution.submit.sending');
  const format = useFormats();
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
    <li className="flex flex-wrap items-center gap-x-4 py-1.5">
      <span className="min-w-0 grow">
        <span className="font-semibold">{t('batch', { number, count: items.length })}</span>{' '}
        <span className="text-muted">
          {withPerson && consent.beo_domain && (
            <>
              <Name>{consent.beo_domain}</Name>,{' '}
            </>
          )}
          {rows}
        </span>
      </span>
      <span className={`font-semibold ${LOOKS[state.kind]}`}>{t(state.kind)}</span>
      {id && (
        <LocalLink href={`/explore/${id}`} className={`${textLink} inline-flex min-h-11 items-center`}>
          {t('entry')}
        </LocalLink>
      )}
    </li>
  );
}
