import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../_ui/button.tsx';

type ReviewLineProps = { name: string; value: ReactNode; onChange: () => void; disabled: boolean };

/** An answer in the list (dl) of a review, with the way back to its question. */
export function ReviewLine({ name, value, onChange, disabled }: ReviewLineProps) {
  const t = useTranslations('common');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 border-b border-line py-3">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="col-start-1 break-words">{value}</dd>
      <dd className="col-start-2 row-span-2 row-start-1">
        <Button look="quiet" className="-mr-3" onClick={onChange} disabled={disabled}>
          {t('change')}
          <span className="sr-only">{name}</span>
        </Button>
      </dd>
    </div>
  );
}
