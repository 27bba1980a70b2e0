'use client';

import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Button } from './button.tsx';

/** Saves a table as a file. */
export function SaveCsv({ onSave, busy = false }: { onSave: () => void; busy?: boolean }) {
  const t = useTranslations('common.table');
  return (
    <Button look="secondary" busy={busy} onClick={onSave}>
      <Download aria-hidden />
      {t('csv')}
    </Button>
  );
}
