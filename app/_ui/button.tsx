import { cva, type VariantProps } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';

const button = cva(
  [
    'inline-flex min-h-11 shrink-0 cursor-pointer items-center gap-2 rounded-md border-2 font-semibold',
    'transition-[background-color,border-color,color] duration-150 select-none disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-progress',
    '[&_svg]:size-5 [&_svg]:shrink-0 print:hidden',
  ],
  {
    variants: {
      look: {
        primary:
          'border-transparent bg-accent text-on-accent hover:bg-accent-strong active:bg-accent-strong forced-colors:border-current',
        secondary: 'border-edge bg-surface text-ink hover:border-ink hover:bg-sunken',
        quiet: 'border-transparent text-muted hover:bg-sunken hover:text-ink',
      },
      size: {
        medium: 'justify-center px-5 py-2',
        large: 'min-h-13 justify-center px-6 py-2.5 text-lg',
        icon: 'size-11 justify-center p-0',
        /** A line of a menu. */
        line: 'w-full px-3 py-2',
      },
    },
    defaultVariants: { look: 'primary', size: 'medium' },
  },
);

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof button> & {
    asChild?: boolean;
    /** Shows that the action is under way, and ignores presses; the button keeps the focus. */
    busy?: boolean;
  };

/** A button, or with `asChild` a link that looks like one. At least 44 px in both directions. */
export function Button({
  look,
  size,
  asChild = false,
  busy = false,
  className,
  type = 'button',
  ...rest
}: ButtonProps) {
  const classes = button({ look, size, className });
  if (asChild) return <Slot.Root data-look={look} className={classes} {...rest} />;
  if (!busy) return <button type={type} data-look={look} className={classes} {...rest} />;
  const { children, onClick: _, ...attributes } = rest;
  return (
    <button type="button" aria-disabled className={classes} {...attributes}>
      <LoaderCircle aria-hidden className="animate-spin" />
      {children}
    </button>
  );
}
