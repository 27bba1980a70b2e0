'use client';

import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../../_ui/button.tsx';
import { saveFile } from '../../../_ui/save-file.ts';
import { fileStamp } from '../file-stamp.ts';
import { type LeftRow, leftRowsCsv } from './left-rows.ts';
import type { ParsedCsv } from './read-csv.ts';

type LeftRowsProps = { parsed: ParsedCsv; rows: readonly LeftRow[]; text: string };

/** Says how many rows of a file are left, and saves them, so that they can be corrected and submitted later. */
export function LeftRows({ parsed, rows, text }: LeftRowsProps) {
  const t = useTranslations('institution.submit.preview');
  if (rows.length === 0) return null;
  const save = () =>
    saveFile(`perpetua-not-submitted-${fileStamp(new Date())}.csv`, 'text/csv', leftRowsCsv(parsed, rows, t('reason')));
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="font-semibold">{text}</p>
      <Button look="secondary" onClick={save}>
        <Download aria-hidden />
        {t('saveRows')}
      </Button>
    </div>
  );
}
