'use client';

import { ArrowLeft } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { Screen } from './screen.tsx';
import { type Steps, useScreenChange } from './use-step.ts';

type LinkProps = { steps: Steps; to: string };

/** Follows the link without a request, except with a modifier key. */
const follow = (steps: Steps, to: string) => (event: MouseEvent) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  steps.go(to);
};

type StepLinkProps = LinkProps & { look?: 'primary' | 'secondary' | 'quiet'; children: ReactNode };

/** A link to another screen that looks like a button. */
export function StepLink({ steps, to, look = 'primary', children }: StepLinkProps) {
  return (
    <Button asChild look={look} size="large" className="text-center text-balance">
      <a href={steps.hrefOf(to)} onClick={follow(steps, to)}>
        {children}
      </a>
    </Button>
  );
}

interface CountedScreen {
  /** Counted from 1; undefined for a screen that is not counted. */
  readonly number: number | undefined;
  readonly count: number;
  /** Whether the heading takes the focus: not on the screen that the page opens with. */
  readonly focus: boolean;
}

/** The position of a screen among those that are counted; also sets the title of the document. */
export function useCountedScreen(title: string, screen: string, counted: readonly string[]): CountedScreen {
  const t = useTranslations('guardian');
  const number = counted.indexOf(screen) + 1;
  const count = counted.length;
  const name = number > 0 ? t('titleOfStep', { title, step: number, steps: count }) : title;
  const focus = useScreenChange(screen, `${name} – Perpetua`);
  return { number: number || undefined, count, focus };
}

type FrameProps = Omit<CountedScreen, 'focus'> & {
  steps: Steps;
  /** The screen before this one. */
  back?: string | undefined;
  children: ReactNode;
};

/** Surrounds a screen with the way back and the number of the step. */
export function Frame({ steps, back, number, count, children }: FrameProps) {
  const t = useTranslations('guardian');
  return (
    <div className="max-w-[38rem] pt-3 pb-20">
      {back && (
        <a
          href={steps.hrefOf(back)}
          onClick={follow(steps, back)}
          className="-ml-1 inline-flex min-h-11 items-center gap-1.5 rounded-sm px-1 text-sm underline decoration-1 underline-offset-[0.2em] hover:decoration-2"
        >
          <ArrowLeft aria-hidden className="size-4" />
          {t('back')}
        </a>
      )}
      {number && (
        <p className="pt-2 pb-1 text-sm font-semibold text-muted">{t('step', { step: number, steps: count })}</p>
      )}
      {children}
    </div>
  );
}

type QuestionProps = { title: ReactNode; focus: boolean; children: ReactNode };

/** A screen with a heading, text and actions. */
export function Question({ title, focus, children }: QuestionProps) {
  return (
    <Screen title={title} heading="h1" focus={focus} className="space-y-4">
      {children}
    </Screen>
  );
}

/** The actions of a screen, the most likely first. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="flex flex-col items-stretch gap-3 pt-3 sm:items-start">{children}</div>;
}

type NeedsScriptsProps = {
  /** Nothing else is on the screen: the notice then has a heading. */
  alone?: boolean;
};

/** Is shown where scripts are needed and do not run. */
export function NeedsScripts({ alone = false }: NeedsScriptsProps) {
  const t = useTranslations('guardian.noScripts');
  return (
    <div className="hidden space-y-4 pt-2 unscripted:block">
      {alone && <h1 className="text-2xl">{t('title')}</h1>}
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
