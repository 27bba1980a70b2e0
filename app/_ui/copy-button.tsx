'use client';

import { Check, CircleAlert, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Messages } from '../../messages/messages.ts';
import { Button } from './button.tsx';

const SHOWN_MS = 2_000;

/** The kinds of values, each with its own label. */
export type Copied = keyof Messages['common']['copy'];

/** Copies a value and announces it. Hidden where scripts do not run. */
export function CopyButton({ value, what }: { value: string; what: Copied }) {
  const t = useTranslations('common');
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = () =>
    copyText(value).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    );

  return (
    <>
      <Button look="quiet" size="icon" className="unscripted:hidden" onClick={copy} title={t(`copy.${what}`)}>
        {outcome === null && <Copy aria-hidden />}
        {outcome === 'copied' && <Check aria-hidden className="text-accent" />}
        {outcome === 'refused' && <CircleAlert aria-hidden className="text-danger-ink" />}
        <span className="sr-only">{t(`copy.${what}`)}</span>
      </Button>
      <span role="status" className="sr-only">
        {outcome && t(outcome)}
      </span>
    </>
  );
}

/** @throws {Error} where the browser does not permit it. */
export async function copyText(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error('The clipboard is available on secure pages only.');
  await navigator.clipboard.writeText(text);
}
