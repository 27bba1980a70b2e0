import { clsx } from 'clsx';
import { type ComponentProps, cloneElement, type ReactElement } from 'react';

const BASE = [
  'inline-flex min-h-11 shrink-0 cursor-pointer items-center gap-2 rounded-md border-2 font-semibold',
  'transition-[background-color,border-color,color] duration-150 select-none disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-progress',
  '[&_svg]:size-5 [&_svg]:shrink-0 max-[16rem]:shrink max-[16rem]:px-2 max-[16rem]:wrap-anywhere print:hidden',
];

const LOOKS = {
  primary:
    'border-transparent bg-accent text-on-accent hover:bg-accent-strong active:bg-accent-strong forced-colors:border-current',
  secondary: 'border-edge bg-surface text-ink hover:border-ink hover:bg-sunken',
  quiet: 'border-transparent text-muted hover:bg-sunken hover:text-ink',
};

const SIZES = {
  medium: 'justify-center px-5 py-2',
  large: 'min-h-13 justify-center px-6 py-2.5 text-lg',
  icon: 'size-11 justify-center p-0',
  /** A line of a menu. */
  line: 'w-full px-3 py-2',
};

type ButtonProps = ComponentProps<'button'> & {
  look?: keyof typeof LOOKS | undefined;
  size?: keyof typeof SIZES;
  asChild?: boolean;
  /** Shows that the action is under way, and ignores presses; the button keeps the focus. */
  busy?: boolean;
};

/** A button, or with `asChild` its one child, such as a link, that looks like one. At least 44 px in both directions. */
export function Button({
  look = 'primary',
  size = 'medium',
  asChild = false,
  busy = false,
  className,
  type = 'button',
  children,
  ...rest
}: ButtonProps) {
  const shared = { ...rest, 'data-look': look, className: clsx(BASE, LOOKS[look], SIZES[size], className) };
  if (asChild) return cloneElement(children as ReactElement, shared);
  if (!busy) {
    return (
      <button {...shared} type={type}>
        {children}
      </button>
    );
  }
  return (
    <button {...shared} type="button" aria-disabled onClick={undefined}>
      <span
        aria-hidden
        className="size-5 shrink-0 animate-spin rounded-full border-2 border-current border-t-transparent"
      />
      {children}
    </button>
  );
}
