import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

const BASE =
  'inline-flex items-center gap-1.5 rounded-sm border px-2 py-0.5 text-xs font-semibold whitespace-nowrap max-[25rem]:whitespace-normal max-[16rem]:wrap-anywhere max-[16rem]:[&_svg]:hidden [&_svg]:size-4 [&_svg]:shrink-0';

const TONES = {
  neutral: 'border-edge text-ink',
  accent: 'border-accent bg-accent-soft text-accent-ink',
  caution: 'border-caution-edge bg-caution-soft text-caution-ink',
  danger: 'border-danger-edge bg-danger-soft text-danger-ink',
};

type BadgeProps = ComponentProps<'span'> & { tone?: keyof typeof TONES };

/** A status in one or two words. The colour only repeats what the words mean. */
export function Badge({ tone = 'neutral', className, ...rest }: BadgeProps) {
  return <span className={clsx(BASE, TONES[tone], className)} {...rest} />;
}
