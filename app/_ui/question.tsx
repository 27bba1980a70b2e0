'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from './alert.tsx';
import { Screen, type ScreenProps } from './screen.tsx';

type QuestionProps = Pick<ScreenProps, 'title' | 'focus' | 'children'>;

/** A screen with a heading, text and actions. */
export const Question = (props: QuestionProps) => <Screen {...props} heading="h1" className="space-y-4" />;

/** The actions of a screen, the most likely first. The text of a quiet one begins at the left edge. */
export function Actions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col items-stretch gap-3 pt-3 sm:items-start sm:*:data-[look=quiet]:-ml-6.5">
      {children}
    </div>
  );
}

type NeedsScriptsProps = {
  /** Whether the notice is alone on the screen and needs a heading. */
  alone?: boolean;
};

/** Is shown where scripts are needed and do not run. */
export function NeedsScripts({ alone = false }: NeedsScriptsProps) {
  const t = useTranslations('guardian.noScripts');
  return (
    <div className="hidden space-y-4 pt-2 unscripted:block">
      {alone && <h1>{t('title')}</h1>}
      <Alert tone="caution" title={alone ? undefined : t('title')}>
        <p>{t('body')}</p>
      </Alert>
    </div>
  );
}

/** Shows its content where scripts run, and a notice where they do not. */
export function Scripted({ alone = false, children }: NeedsScriptsProps & { children: ReactNode }) {
  return (
    <>
      <NeedsScripts alone={alone} />
      <div className="unscripted:hidden">{children}</div>
    </>
  );
}

type ErrorKey = Parameters<ReturnType<typeof useTranslations<'guardian.errors'>>>[0];

const MESSAGE_KEYS: Partial<Record<string, string>> = {
  TIMESTAMP_TOO_OLD: 'TIMESTAMP',
  TIMESTAMP_IN_FUTURE: 'TIMESTAMP',
};

/** Shows a refusal. The alert region exists while it is empty, so that screen readers announce its content. */
export function Refusal({ code }: { code: string | null }) {
  const t = useTranslations('guardian');
  const errors = useTranslations('guardian.errors');
  const key = MESSAGE_KEYS[code ?? ''] ?? code ?? '';
  const hasMessage = (text: string): text is ErrorKey => errors.has(text as ErrorKey);
  return (
    <div role="alert">
      {code && (
        <Alert tone="danger" title={t('failed')}>
          <p>{hasMessage(key) ? errors(key) : errors('OTHER', { code })}</p>
        </Alert>
      )}
    </div>
  );
}
