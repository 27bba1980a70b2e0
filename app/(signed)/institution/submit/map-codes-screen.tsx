'use client';

import { Download } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { LocalCodes } from '../../../_keys/local-codes.ts';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { FormActions } from '../../../_ui/form-actions.tsx';
import { saveFile } from '../../../_ui/save-file.ts';
import { Screen } from '../../../_ui/screen.tsx';
import { fileStamp } from '../file-stamp.ts';
import { AssignItem, AssignList } from './assign-list.tsx';
import { useBiomarkerNames } from './biomarker-field.tsx';
import { CODES_BY_CATEGORY, listedUnit } from './biomarkers.ts';
import { type Codes, codesIn, codeTableCsv, type LocalCode } from './code-table.ts';
import type { Csv } from './load-csv.ts';
import { type Suggestions, suggestCodes } from './suggest-codes.ts';

/** The most codes on one page. */
const PAGE = 100;

type MapCodesProps = {
  csv: Csv;
  /** The laboratory's own codes in the file, the most frequent first. */
  local: readonly LocalCode[];
  table: LocalCodes;
  /** Stores codes in this browser; false where the storage refuses. */
  onKeep: (changes: Codes) => Promise<boolean>;
  onDone: () => void;
};

/** Assigns the laboratory's own codes to those of the catalogue, once: they are kept for the next file. */
export function MapCodes({ csv, local, table, onKeep, onDone }: MapCodesProps) {
  const t = useTranslations('institution.submit.codes');
  const [chosen, setChosen] = useState<Codes>(new Map());
  const [isRefused, setRefused] = useState(false);
  const [ordered] = useState(() =>
    local.toSorted((one, other) => Number(table.codes.has(one.text)) - Number(table.codes.has(other.text))),
  );
  const [first, setFirst] = useState(0);
  const end = Math.min(first + PAGE, ordered.length);
  const shown = useMemo(
    () => ordered.slice(first, end).map((each) => ({ ...each, suggestions: suggestCodes(each.text) })),
    [ordered, first, end],
  );
  const codeOf = ({ text, suggestions }: LocalCode & { suggestions: Suggestions }): string =>
    chosen.get(text) ?? table.codes.get(text) ?? suggestions.certain ?? '';
  const assigned = shown.filter((each) => codeOf(each) !== '').length;

  const next = () => (end < ordered.length ? setFirst(end) : onDone());
  const keep = async () => {
    const isKept = await onKeep(new Map([...chosen, ...shown.map((each) => [each.text, codeOf(each)] as const)]));
    setRefused(!isKept);
    if (isKept) next();
  };

  return (
    <Screen key={`codes ${first}`} title={t('title')} className="max-w-prose space-y-5">
      <p>{t('lead')}</p>
      {ordered.length > PAGE && (
        <p className="font-semibold">{t('page', { first: first + 1, last: end, count: ordered.length })}</p>
      )}
      <AssignList>
        {shown.map((each) => (
          <CodeChoice
            key={each.text}
            {...each}
            value={codeOf(each)}
            onChange={(code) => setChosen(new Map(chosen).set(each.text, code))}
          />
        ))}
      </AssignList>
      <TableFile csv={csv} table={table} onOpen={(codes) => setChosen(new Map([...chosen, ...codes]))} />
      <div role="alert">
        {isRefused && (
          <Alert tone="danger">
            <p>{t('notKept')}</p>
          </Alert>
        )}
      </div>
      <FormActions>
        <Button size="large" onClick={() => void keep()}>
          {t('keep', { count: assigned })}
        </Button>
        {first > 0 && (
          <Button look="secondary" size="large" onClick={() => setFirst(first - PAGE)}>
            {t('previous')}
          </Button>
        )}
        <Button look="secondary" size="large" onClick={onDone}>
          {t('skip')}
        </Button>
      </FormActions>
    </Screen>
  );
}

type CodeChoiceProps = LocalCode & { suggestions: Suggestions; value: string; onChange: (code: string) => void };

function CodeChoice({ text, rows, unit, suggestions, value, onChange }: CodeChoiceProps) {
  const t = useTranslations('institution.submit');
  const names = useBiomarkerNames();
  const option = (code: string) => (
    <option key={code} value={code}>
      {[`${names.biomarker(code)} · ${code}`, listedUnit(code)].filter(Boolean).join(' · ')}
    </option>
  );
  return (
    <AssignItem
      name={text}
      note={[t('preview.rows', { count: rows }), unit].filter(Boolean).join(' · ')}
      value={value}
      onChange={onChange}
      none={t('codes.none')}
    >
      {suggestions.codes.length > 0 && (
        <optgroup label={t('codes.suggested')}>{suggestions.codes.map(option)}</optgroup>
      )}
      {CODES_BY_CATEGORY.map(({ category, codes }) => (
        <optgroup key={category} label={names.category(category)}>
          {codes.filter((code) => !suggestions.codes.includes(code)).map(option)}
        </optgroup>
      ))}
    </AssignItem>
  );
}

type TableFileProps = { csv: Csv; table: LocalCodes; onOpen: (codes: Codes) => void };

/** Saves the table of codes as a file, and opens one. */
function TableFile({ csv, table, onOpen }: TableFileProps) {
  const t = useTranslations('institution.submit.codes');
  const id = useId();
  const [opened, setOpened] = useState<number | null>(null);
  const open = async (file: File | undefined) => {
    if (!file) return;
    const parsed = csv.parseCsv(csv.textOfFile(new Uint8Array(await file.arrayBuffer())).text);
    const codes: Codes = 'problem' in parsed ? new Map() : codesIn(parsed);
    onOpen(codes);
    setOpened(codes.size);
  };
  return (
    <details className="rounded-md border border-line px-4 py-2">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">{t('file')}</summary>
      <div className="space-y-3 pb-2">
        <p className="text-muted">{t('fileWhat')}</p>
        <label htmlFor={id} className="block font-semibold">
          {t('open')}
        </label>
        <input
          id={id}
          type="file"
          accept=".csv,text/csv"
          onChange={({ target }) => void open(target.files?.[0])}
          className="block min-h-11 w-full cursor-pointer"
        />
        <p role="status">{opened !== null && t('opened', { count: opened })}</p>
        {table.codes.size > 0 && (
          <Button
            look="secondary"
            onClick={() =>
              saveFile(`perpetua-codes-${fileStamp(new Date())}.csv`, 'text/csv', codeTableCsv(table.codes))
            }
          >
            <Download aria-hidden />
            {t('save', { count: table.codes.size })}
          </Button>
        )}
      </div>
    </details>
  );
}
