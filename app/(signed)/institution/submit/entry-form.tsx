'use client';

import { Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { useInstitution } from '../../../_session/current.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Field } from '../../../_ui/field.tsx';
import { FormActions } from '../../../_ui/form-actions.tsx';
import { Screen } from '../../../_ui/screen.tsx';
import { useBrowser } from '../../../_ui/use-browser.ts';
import { BiomarkerField, useBiomarkerNames } from './biomarker-field.tsx';
import { listedBiomarker } from './biomarkers.ts';
import { catalogueWarnings } from './catalogue-check.ts';
import { coverOf } from './cover.ts';
import { type Cells, COLUMNS, type Column, type FileColumn, NUMBER_COLUMNS, REQUIRED_COLUMNS } from './file-columns.ts';
import { withZone } from './local-times.ts';
import { recordOfCells } from './record-of-cells.ts';
import type { CellProblem, RowWarning } from './row-problem.ts';
import { useWarningWords } from './use-problem-words.ts';
import type { WasSent } from './use-sent-before.ts';
import type { Item } from './use-submission-sending.ts';

type Entry = Pick<Item, 'row' | 'record'> & { readonly warnings: readonly RowWarning[] };
type EntryFormProps = {
  consent: TokenView;
  wasSent: WasSent;
  onSend: (entries: readonly Entry[]) => void;
  /** Reports how many results would be lost by leaving; 0 once they are sent or discarded. */
  onUnsent: (count: number) => void;
};

/** Only files have ranges as JSON. */
const OPTIONAL = COLUMNS.filter(
  (column) => column !== 'ref_range' && !REQUIRED_COLUMNS.some((required) => required === column),
);
/** The bounds of each range, which are in one row. */
const RANGES = ['ref', 'optimal', 'deficiency', 'toxicity', 'critical'] as const;
const NOT_RANGES = OPTIONAL.filter((column) => !/_(low|high)$/.test(column));
const NUMERIC: readonly Column[] = OPTIONAL.filter((column) => /confidence|_low|_high/.test(column));

type Errors = Partial<Record<Column, string | undefined>>;

/** Adds records to a list, which is then submitted at once. */
export function EntryForm({ consent, wasSent, onSend, onUnsent }: EntryFormProps) {
  const t = useTranslations('institution.submit');
  const names = useBiomarkerNames();
  const warningWords = useWarningWords();
  const { view } = useInstitution();
  const cover = useMemo(() => coverOf(consent, view.ieo_type), [consent, view.ieo_type]);
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const inBrowser = useBrowser();
  const [cells, setCells] = useState<Cells>({});
  /** Empty where only the day is known. */
  const [time, setTime] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const [items, setItems] = useState<readonly Entry[]>([]);
  /** The list that was to be sent although records in it were sent before, or are unusual. */
  const [asked, setAsked] = useState<readonly Entry[] | null>(null);
  const zone = inBrowser ? Intl.DateTimeFormat().resolvedOptions().timeZone : 'UTC';

  // The time is kept for the next result, and alone is none.
  const isFilled = COLUMNS.some((column) => column !== 'collected_at' && cells[column]?.trim());
  const unsent = items.length + (isFilled ? 1 : 0);
  useEffect(() => {
    onUnsent(unsent);
    return () => onUnsent(0);
  }, [unsent, onUnsent]);

  const code = (cells.biomarker ?? '').trim().toUpperCase();
  const unitWarning = catalogueWarnings(code, cells.unit?.trim() ?? '').find(({ kind }) => kind === 'unit');

  const set = (column: Column, text: string) => {
    setCells({ ...cells, [column]: text });
    setErrors({ ...errors, [column]: undefined });
  };

  /** The result in the form; null where it has problems, which are then shown. */
  const readForm = (): Entry | null => {
    const at = [cells.collected_at, time].filter(Boolean).join(' ');
    const complete = { ...cells, collected_at: withZone(at, 'iso', zone) };
    // The form asks for a decimal point; a comma can mean both.
    const mark = NUMBER_COLUMNS.some((column) => cells[column]?.includes(',')) ? null : '.';
    const { record, problems, warnings } = recordOfCells(complete, {
      mark,
      rangeMark: mark,
      dateOrder: 'iso',
      cover,
      now: Date.now(),
    });
    if (problems.length === 0) return { row: (items.at(-1)?.row ?? 0) + 1, record, warnings };
    showErrors(problems.filter((problem) => problem.kind === 'cell'));
    return null;
  };

  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entry = readForm();
    if (entry) take([...items, entry]);
  };

  /** Empties the form, whose result is in the list now. */
  const take = (entries: readonly Entry[]) => {
    setItems(entries);
    setCells(cells.collected_at ? { collected_at: cells.collected_at } : {});
    setErrors({});
    form.current?.querySelector('input')?.focus();
  };

  const isRepeated = ({ record }: Entry) => wasSent(consent.beo_id, record);
  const isUnusual = ({ warnings }: Entry) => warnings.length > 0;

  /**
   * Sends the list and what is filled in, which must be complete: it would be lost otherwise. What was sent before or is unusual, at
   * the second press only.
   */
  const send = () => {
    const entry = isFilled ? readForm() : null;
    if (isFilled && !entry) return;
    const entries = entry ? [...items, entry] : items;
    if (asked === items || !entries.some((each) => isRepeated(each) || isUnusual(each))) return onSend(entries);
    if (entry) take(entries);
    setAsked(entries);
  };

  const showErrors = (problems: readonly { column: FileColumn; problem: CellProblem }[]) => {
    const words = (column: Column) =>
      problems
        .filter((problem) => problem.column === column)
        .map(({ problem }) => (problem === 'mark' ? t('entry.markProblem') : t(`problem.${problem}`)))
        .join('. ');
    setErrors(Object.fromEntries(COLUMNS.map((column) => [column, words(column) || undefined])));
    const first = COLUMNS.find((column) => problems.some((problem) => problem.column === column));
    const details = form.current?.querySelector('details');
    if (details && first && OPTIONAL.includes(first)) details.open = true;
    form.current?.querySelector<HTMLInputElement>(`[id="${id}-${first}"]`)?.focus();
  };

  const field = (column: Column, hint?: string) => (
    <Field
      key={column}
      id={`${id}-${column}`}
      label={t(`field.${column}`)}
      hint={hint}
      error={errors[column]}
      value={cells[column] ?? ''}
      onType={(text) => set(column, text)}
      inputMode={NUMERIC.includes(column) ? 'decimal' : undefined}
      autoComplete="off"
      spellCheck={false}
    />
  );

  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-[minmax(0,1fr)_22rem] xl:items-start">
      <Card>
        <Screen title={t('entry.title')}>
          <form ref={form} onSubmit={add} noValidate className="mt-4 space-y-6">
            <BiomarkerField
              id={`${id}-biomarker`}
              value={cells.biomarker ?? ''}
              cover={cover}
              error={errors.biomarker}
              onType={(text) => set('biomarker', text)}
              onChoose={({ code, unit }) => {
                setCells({ ...cells, biomarker: code, unit: unit ?? cells.unit ?? '' });
                setErrors({ ...errors, biomarker: undefined, unit: undefined });
              }}
            />
            <div className="grid gap-6 sm:grid-cols-2 sm:items-end">
              {field('value', t('field.valueHint'))}
              {field('unit')}
            </div>
            <p role="status" className="text-caution-ink empty:hidden">
              {unitWarning?.kind === 'unit' && t('warning.unit', { usual: unitWarning.usual })}
            </p>
            <div className="grid gap-6 sm:grid-cols-2 sm:items-end">
              <Field
                id={`${id}-collected_at`}
                type="date"
                label={t('field.collected_at')}
                error={errors.collected_at}
                value={cells.collected_at ?? ''}
                onType={(text) => set('collected_at', text)}
              />
              <Field
                id={`${id}-time`}
                type="time"
                step={1}
                label={t('field.time')}
                hint={t('field.collectedHint', { zone })}
                value={time}
                onType={(text) => {
                  setTime(text);
                  setErrors({ ...errors, collected_at: undefined });
                }}
              />
            </div>
            <details className="rounded-md border border-line p-4">
              <summary className="min-h-11 cursor-pointer py-2 font-semibold">{t('entry.more')}</summary>
              <div className="mt-4 space-y-6">
                {RANGES.map((range) => (
                  <div key={range} className="grid grid-cols-2 items-end gap-x-4">
                    {field(`${range}_low`)}
                    {field(`${range}_high`)}
                  </div>
                ))}
                <div className="grid gap-6 sm:grid-cols-2 sm:items-end">
                  {NOT_RANGES.map((column) => field(column))}
                </div>
              </div>
            </details>
            <FormActions>
              <Button type="submit" size="large" look={items.length > 0 ? 'secondary' : 'primary'}>
                <Plus aria-hidden />
                {t('entry.add')}
              </Button>
            </FormActions>
          </form>
        </Screen>
      </Card>
      <section className="space-y-4 xl:sticky xl:top-6">
        <h2>{t('entry.list')}</h2>
        <div role="status">{items.length === 0 && <p className="text-muted">{t('entry.empty')}</p>}</div>
        <ul className="space-y-2">
          {items.map((item) => {
            const name = listedBiomarker(String(item.record.biomarker), names)?.name ?? String(item.record.biomarker);
            return (
              <li
                key={item.row}
                className="flex items-center gap-3 rounded-md border border-line bg-surface py-2 pr-2 pl-4"
              >
                <span className="min-w-0 grow">
                  <span className="block font-semibold">{name}</span>
                  <span className="block text-muted">
                    {String(item.record.value)} {String(item.record.unit)}
                  </span>
                  {item.warnings.map((warning) => (
                    <span key={warning.kind} className="block font-semibold text-caution-ink">
                      {warningWords(warning)}
                    </span>
                  ))}
                  {isRepeated(item) && (
                    <span className="block font-semibold text-caution-ink">{t('warning.sentBefore')}</span>
                  )}
                </span>
                <Button
                  look="quiet"
                  size="icon"
                  aria-label={t('entry.remove', { what: name })}
                  onClick={() => setItems(items.filter((other) => other !== item))}
                >
                  <Trash2 aria-hidden />
                </Button>
              </li>
            );
          })}
        </ul>
        <div role="alert">
          {asked === items && (
            <Alert tone="caution">
              {items.some(isRepeated) && <p>{t('entry.repeated', { count: items.filter(isRepeated).length })}</p>}
              {items.some(isUnusual) && <p>{t('entry.unusual', { count: items.filter(isUnusual).length })}</p>}
            </Alert>
          )}
        </div>
        {items.length > 0 && (
          <Button size="large" className="w-full" onClick={send}>
            {t(asked === items ? 'entry.sendAgain' : 'entry.send', { count: unsent })}
          </Button>
        )}
        <p className="text-sm text-muted">{t('whatHappens')}</p>
      </section>
    </div>
  );
}
