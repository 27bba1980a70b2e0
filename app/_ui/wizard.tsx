'use client';

import { ArrowLeft, Check } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { backLook } from './back-to.tsx';
import { Button } from './button.tsx';
import { type Steps, useScreenChange } from './use-step.ts';

type LinkProps = { steps: Steps; to: string };

/** Follows the link without a request, except with a modifier key. */
const follow = (steps: Steps, to: string) => (event: MouseEvent) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  steps.go(to);
};

type StepLinkProps = LinkProps & {
  look?: 'primary' | 'secondary' | 'quiet';
  /** While the other action is under way. */
  disabled?: boolean;
  children: ReactNode;
};

/** A link to another screen that looks like a button. */
export function StepLink({ steps, to, look = 'primary', disabled = false, children }: StepLinkProps) {
  const className = 'text-center text-balance';
  if (disabled) {
    return (
      <Button look={look} size="large" className={className} disabled>
        {children}
      </Button>
    );
  }
  return (
    <Button asChild look={look} size="large" className={className}>
      <a href={steps.hrefOf(to)} onClick={follow(steps, to)}>
        {children}
      </a>
    </Button>
  );
}

/** The link back to the screen before. `disabled`: while a request is sent. */
export function BackLink({ steps, to, disabled = false }: LinkProps & { disabled?: boolean }) {
  const t = useTranslations('common');
  return (
    <a
      {...(disabled ? { role: 'link', 'aria-disabled': true } : { href: steps.hrefOf(to), onClick: follow(steps, to) })}
      className={`${backLook} aria-disabled:cursor-not-allowed aria-disabled:opacity-60`}
    >
      <ArrowLeft aria-hidden className="size-4" />
      {t('back')}
    </a>
  );
}

export interface Progress {
  /** The names of the counted steps, in order. */
  readonly names: readonly string[];
  /** Counted from 0; -1 for a screen that is not counted. */
  readonly at: number;
}

/** The position of a screen among the named steps; also sets the title of the document. */
export function useProgress(
  title: string,
  screen: string,
  order: readonly string[],
  nameOf: (step: number) => string,
): { readonly progress: Progress; readonly focus: boolean } {
  const t = useTranslations('common');
  const at = order.indexOf(screen);
  const name = at < 0 ? title : t('titleOfStep', { title, step: at + 1, steps: order.length });
  const focus = useScreenChange(screen, `${name} – Perpetua`);
  return { progress: { names: order.map((_, step) => nameOf(step)), at }, focus };
}

type WizardProps = {
  progress: Progress;
  /** A BackLink, or a button that leads back. */
  back?: ReactNode;
  /** Why this is asked, or a picture: beside the form where there is room, below it elsewhere. */
  aside?: ReactNode;
  /** Within the pages of a dashboard, whose navigation takes a part of the width. */
  narrow?: boolean;
  children: ReactNode;
};

/** Surrounds a screen of several steps: on a desktop the named steps on the left, on a phone their number above. */
export function Wizard({ progress: { names, at }, back, aside, narrow = false, children }: WizardProps) {
  const t = useTranslations('common');
  const counted = at >= 0;
  return (
    <div
      className={
        narrow
          ? 'grid gap-x-10 pb-12 xl:grid-cols-[11rem_minmax(0,var(--container-form))]'
          : 'grid gap-x-12 pt-2 pb-20 lg:grid-cols-[13rem_minmax(0,var(--container-form))] lg:pt-8 xl:grid-cols-[13rem_minmax(0,var(--container-form))_minmax(0,1fr)]'
      }
    >
      <div className={narrow ? 'max-xl:hidden print:hidden' : 'max-lg:hidden print:hidden'}>
        {counted && (
          <ol aria-label={t('steps')} className="sticky top-8 space-y-1 border-l-2 border-line">
            {names.map((name, step) => (
              <Step key={name} name={name} state={step < at ? 'done' : step === at ? 'current' : 'next'} />
            ))}
          </ol>
        )}
      </div>
      <div className="min-w-0">
        {back}
        {counted && (
          <p
            className={`pt-1 pb-1 text-sm font-semibold text-muted print:hidden ${narrow ? 'xl:sr-only' : 'lg:sr-only'}`}
          >
            {t('step', { step: at + 1, steps: names.length })}
          </p>
        )}
        {children}
      </div>
      {aside && (
        <aside
          className={`mt-8 max-w-form space-y-3 text-muted print:hidden ${narrow ? 'xl:col-start-2' : 'lg:col-start-2 xl:col-start-3 xl:row-start-1 xl:mt-2'}`}
        >
          {aside}
        </aside>
      )}
    </div>
  );
}

type StepProps = { name: string; state: 'done' | 'current' | 'next' };

function Step({ name, state }: StepProps) {
  const t = useTranslations('common');
  return (
    <li
      aria-current={state === 'current' ? 'step' : undefined}
      className="-ml-0.5 flex items-start gap-2 border-l-2 border-transparent py-1.5 pl-4 text-sm text-muted aria-[current]:border-accent aria-[current]:font-bold aria-[current]:text-ink"
    >
      <span className="min-w-0 grow">
        {name}
        {state === 'done' && <span className="sr-only">, {t('stepDone')}</span>}
      </span>
      {state === 'done' && <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />}
    </li>
  );
}
