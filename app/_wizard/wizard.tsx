'use client';

import { ArrowLeft, Check } from 'lucide-react';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { backLook } from '../_ui/back-to.tsx';
import { Button } from '../_ui/button.tsx';
import { FocusOnOpening } from '../_ui/screen.tsx';
import { textLink } from '../_ui/text-link.ts';
import type { Walk } from './use-flow.ts';
import { useSteps } from './use-step.ts';

/** The address of a screen, followed without a request, except with a modifier key. */
function useLinkTo(to: string) {
  const steps = useSteps();
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    steps.go(to);
  };
  return { href: steps.hrefOf(to), onClick };
}

type StepLinkProps = {
  /** The step in the address. */
  to: string;
  look?: 'primary' | 'secondary' | 'quiet';
  /** While the other action is under way. */
  disabled?: boolean;
  children: ReactNode;
};

/** A link to another screen that looks like a button. */
export function StepLink({ to, look = 'primary', disabled = false, children }: StepLinkProps) {
  const link = useLinkTo(to);
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
      <a {...link}>{children}</a>
    </Button>
  );
}

/** The link back to the screen before. `disabled`: while a request is sent. */
export function BackLink({ to, disabled = false }: { to: string; disabled?: boolean }) {
  const t = useTranslations('common');
  const link = useLinkTo(to);
  return (
    <a
      {...(disabled ? { role: 'link', 'aria-disabled': true } : link)}
      className={`${backLook} aria-disabled:cursor-not-allowed aria-disabled:opacity-60`}
    >
      <ArrowLeft aria-hidden className="size-4" />
      {t('back')}
    </a>
  );
}

type WizardProps = {
  walk: Pick<Walk, 'screen' | 'numbered' | 'at' | 'back' | 'moved'>;
  /** In place of the link to the screen before; null for none. */
  back?: ReactNode;
  /** While a request is sent. */
  busy?: boolean;
  /** Why this is asked, or a picture: beside the form where there is room, below it elsewhere. */
  aside?: ReactNode;
  /** Within the pages of a dashboard, whose navigation takes a part of the width. */
  narrow?: boolean;
  children: ReactNode;
};

/**
 * Draws a screen of a flow with the link back: on a desktop the named steps on the left, on a phone their number above. Each screen
 * is mounted anew, and its heading takes the focus.
 */
export function Wizard({ walk, back, busy = false, aside, narrow = false, children }: WizardProps) {
  const t = useTranslations('common');
  const { screen, numbered, at, moved } = walk;
  const counted = at >= 0;
  const onOpening = useRef(false);
  if (moved) onOpening.current = true;
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
            {numbered.map(({ step, title, canReturn }, place) => (
              <Step key={step} state={place < at ? 'done' : place === at ? 'current' : 'next'}>
                {canReturn && place < at && !busy ? <ReturnLink to={step}>{title}</ReturnLink> : title}
              </Step>
            ))}
          </ol>
        )}
      </div>
      <div className="min-w-0">
        {back === undefined && walk.back !== null ? <BackLink to={walk.back} disabled={busy} /> : back}
        {counted && (
          <p
            className={`pt-1 pb-1 text-sm font-semibold text-muted print:hidden ${narrow ? 'xl:sr-only' : 'lg:sr-only'}`}
          >
            {t('step', { step: at + 1, steps: numbered.length })}
          </p>
        )}
        <FocusOnOpening key={screen} value={onOpening}>
          {children}
        </FocusOnOpening>
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

function ReturnLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a {...useLinkTo(to)} className={textLink}>
      {children}
    </a>
  );
}

type StepProps = { state: 'done' | 'current' | 'next'; children: ReactNode };

function Step({ state, children }: StepProps) {
  const t = useTranslations('common');
  return (
    <li
      aria-current={state === 'current' ? 'step' : undefined}
      className="-ml-0.5 flex items-start gap-2 border-l-2 border-transparent py-1.5 pl-4 text-sm text-muted aria-[current]:border-accent aria-[current]:font-bold aria-[current]:text-ink"
    >
      <span className="min-w-0 grow">
        {children}
        {state === 'done' && <span className="sr-only">, {t('stepDone')}</span>}
      </span>
      {state === 'done' && <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />}
    </li>
  );
}
