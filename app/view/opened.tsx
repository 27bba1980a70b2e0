'use client';

import { Download, Printer, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { BiomarkerNamesProvider } from '../_i18n/biomarker-names.tsx';
import { useFormats } from '../_i18n/use-formats.ts';
import { Alert } from '../_ui/alert.tsx';
import { Boundary } from '../_ui/boundary.tsx';
import { Button } from '../_ui/button.tsx';
import { saveFile } from '../_ui/save-file.ts';
import { Screen } from '../_ui/screen.tsx';
import { CardSkeleton } from '../_ui/skeletons.tsx';
import { useDates } from '../_ui/use-dates.ts';
import { ApartList } from './apart-list.tsx';
import { setApart } from './comparison.ts';
import { type Contents, readContents } from './contents.ts';
import { Crashed } from './crashed.tsx';
import { KindList } from './kind-list.tsx';
import { type Person, peopleOf } from './people.ts';
import { PersonName } from './person-name.tsx';
import { Legend, ProofSummary, type ProofSummaryProps } from './proof-summary.tsx';
import type { Results } from './result-table.tsx';
import { useVerdicts } from './use-verdicts.ts';
import type { OpenedShare } from './viewer.tsx';
import { VisitPanels } from './visit-panels.tsx';

/** For files that no part of this page expects: they can still be saved. */
const UNREADABLE: Contents = {
  subjects: [],
  records: [],
  others: [],
  damaged: 0,
  notes: [{ kind: 'fhir', problem: 'unreadable', issuer: null }],
};

/** The content of a share. What was received can be saved even if it cannot be shown. */
export function Opened(share: OpenedShare) {
  const [failures, setFailures] = useState(0);
  return (
    <Boundary key={failures} failed={<NotShown {...share} onRetry={() => setFailures(failures + 1)} />}>
      <Content {...share} />
    </Boundary>
  );
}

/** The page failed while it showed the content, which it still has: showing it again opens the link no second time. */
function NotShown({ files, onClose, onRetry }: OpenedShare & { onRetry: () => void }) {
  const t = useTranslations('view');
  return (
    <Crashed>
      <p>{t('crashed.opened')}</p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onRetry}>{t('crashed.retry')}</Button>
        <SaveFiles files={files} />
        <Button look="secondary" onClick={onClose}>
          {t('opened.close')}
        </Button>
      </div>
    </Crashed>
  );
}

function SaveFiles({ files }: Pick<OpenedShare, 'files'>) {
  const t = useTranslations('view.opened');
  return files.map(({ content }, index) => (
    <Button
      // biome-ignore lint/suspicious/noArrayIndexKey: the files of a share never change
      key={index}
      look="secondary"
      onClick={() => saveFile(`share-${index + 1}.json`, 'application/json', content)}
    >
      <Download aria-hidden />
      {files.length === 1 ? t('save') : t('saveOne', { number: index + 1 })}
    </Button>
  ));
}

function Content({ files, at, names, onClose }: OpenedShare) {
  const t = useTranslations('view');
  const [contents, setContents] = useState<Contents | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const show = (read: Contents) => isCurrent && setContents(read);
    readContents(files).then(show, () => show(UNREADABLE));
    return () => {
      isCurrent = false;
    };
  }, [files]);
  if (!contents)
    return (
      <Screen title={t('opened.reading')} heading="h1" className="space-y-5">
        <CardSkeleton lines={6} />
      </Screen>
    );
  return (
    <BiomarkerNamesProvider names={names}>
      <Screen title={t('opened.title')} heading="h1" className="space-y-5">
        <Shown contents={contents} at={at}>
          <div className="flex flex-wrap gap-3 print:hidden">
            <Button look="secondary" onClick={() => print()}>
              <Printer aria-hidden />
              {t('opened.print')}
            </Button>
            <SaveFiles files={files} />
            <Button look="secondary" onClick={onClose}>
              {t('opened.close')}
            </Button>
          </div>
          <p className="text-sm text-muted print:hidden">{t('opened.memory')}</p>
          <Notes contents={contents} />
        </Shown>
      </Screen>
    </BiomarkerNamesProvider>
  );
}

/** The person and the results, as far as the ledger is asked already; between them what needs no ledger. */
function Shown({ contents, at, children }: { contents: Contents; at: number; children: ReactNode }) {
  const { records } = contents;
  const [verdicts, checkRest] = useVerdicts(records);
  const people = useMemo(() => peopleOf(contents, verdicts), [contents, verdicts]);
  return (
    <>
      <About people={people} count={records.length} at={at} />
      {children}
      {records.length > 0 && <Records records={records} verdicts={verdicts} people={people} onContinue={checkRest} />}
    </>
  );
}

/** Whom the data is about, and when it was opened. */
function About({ people, count, at }: { people: readonly Person[]; count: number; at: number }) {
  const t = useTranslations('view.opened');
  const dates = useDates();
  return (
    <>
      {people.length > 1 && (
        <Alert tone="caution" title={t('several')}>
          <p>{t('severalBody')}</p>
        </Alert>
      )}
      <dl className="space-y-1 rounded-lg border border-line bg-surface px-5 py-4">
        <Fact name={t('of')}>
          {people.length === 0
            ? t('nobody')
            : people.map((person) => <PersonName key={JSON.stringify(person.subject)} person={person} />)}
        </Fact>
        <Fact name={t('holds')}>{t('results', { count })}</Fact>
        <Fact name={t('at')}>{dates.moment(at)}</Fact>
      </dl>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="inline text-muted">{name}</dt> <dd className="inline">{children}</dd>
    </div>
  );
}

/** What these files do not contain, and what of them is not shown. */
function Notes({ contents: { others, damaged, notes, records } }: { contents: Contents }) {
  const t = useTranslations('view.notes');
  const format = useFormats();
  const count = others.reduce((sum, [, each]) => sum + each, 0);
  const types = format.list(others.map(([type, each]) => (each === 1 ? type : `${type} (${each})`)));
  return (
    <div className="max-w-prose space-y-3">
      <p className="flex gap-2">
        <TriangleAlert aria-hidden className="mt-1 size-5 shrink-0 text-caution-ink" />
        <b>{t('measured')}</b>
      </p>
      {records.length === 0 && <p>{t('noResults')}</p>}
      {count > 0 && (
        <p>
          {t('others', { count })} <span translate="no">{types}</span>
        </p>
      )}
      {damaged > 0 && <p>{t('damaged', { count: damaged })}</p>}
      {notes.map(({ kind, problem, issuer }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the files of a share never change
        <div key={index} className="space-y-1 empty:hidden">
          {kind === 'api' && <p>{t('api')}</p>}
          {kind === 'card' && <p>{t('card', { issuer: issuer ?? '–' })}</p>}
          {problem && <p>{t(problem)}</p>}
        </div>
      ))}
    </div>
  );
}

const VIEWS = ['kinds', 'visits'] as const;

function Records({ onContinue, ...results }: Results & Pick<ProofSummaryProps, 'onContinue'>) {
  const { records, verdicts } = results;
  const t = useTranslations('records.filter');
  const [view, setView] = useState<(typeof VIEWS)[number]>('kinds');
  const { compared, apart } = useMemo(() => setApart(records, verdicts), [records, verdicts]);
  const hasProofs = useMemo(() => records.some(({ proof }) => proof), [records]);
  return (
    <>
      <ProofSummary verdicts={verdicts} hasProofs={hasProofs} onContinue={onContinue} />
      <fieldset className="flex flex-wrap gap-x-6 gap-y-1 print:hidden">
        <legend className="sr-only">{t('view')}</legend>
        {VIEWS.map((name) => (
          <label key={name} className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold">
            <input
              type="radio"
              name="view"
              className="size-5 accent-accent"
              checked={view === name}
              onChange={() => setView(name)}
            />
            {t(name)}
          </label>
        ))}
      </fieldset>
      {view === 'kinds' ? (
        <KindList {...results} compared={compared} />
      ) : (
        <VisitPanels {...results} compared={compared} />
      )}
      <ApartList {...results} apart={apart} />
      {hasProofs && <Legend />}
    </>
  );
}
