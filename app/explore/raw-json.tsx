'use client';

import { useTranslations } from 'use-intl/react';
import { Disclosure } from '../_ui/disclosure.tsx';

/** The JSON of the API, folded. */
export function RawJson({ value, title }: { value: unknown; title?: string }) {
  const t = useTranslations('explore');
  return (
    <Disclosure title={title ?? t('raw')} className="mt-5">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        className="mt-2 max-h-[28rem] overflow-auto rounded-md border border-line bg-sunken p-4 font-mono text-sm whitespace-pre-wrap break-all"
        translate="no"
      >
        {JSON.stringify(value, null, 2)}
      </pre>
    </Disclosure>
  );
}
