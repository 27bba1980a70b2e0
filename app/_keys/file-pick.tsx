'use client';

import { CircleAlert } from 'lucide-react';
import { type RefObject, useId } from 'react';
import { useTranslations } from 'use-intl/react';

type FilePickProps = {
  error: string | null;
  onPick: (file: File | undefined) => void;
  ref?: RefObject<HTMLInputElement | null>;
};

/** Asks for a key file. */
export function FilePick({ error, onPick, ref }: FilePickProps) {
  const t = useTranslations('keys');
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block text-lg font-bold">
        {t('open.filePick')}
      </label>
      <div role="alert">
        {error && (
          <p id={`${id}-error`} className="mt-2 flex gap-2 font-semibold text-danger-ink">
            <CircleAlert aria-hidden className="mt-1 size-5 shrink-0" />
            <span>{error}</span>
          </p>
        )}
      </div>
      <input
        ref={ref}
        id={id}
        type="file"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onPick(event.target.files?.[0])}
        className="mt-3 block min-h-13 w-full cursor-pointer rounded-md border-2 border-edge bg-surface p-2 text-ink file:mr-4 file:min-h-9 file:cursor-pointer file:rounded-sm file:border-0 file:bg-sunken file:px-4 file:font-semibold file:text-ink hover:border-ink aria-invalid:border-danger-edge"
      />
    </div>
  );
}
