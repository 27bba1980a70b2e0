import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';

type SelectProps = Omit<ComponentProps<'select'>, 'size'> & {
  label: ReactNode;
  /** `large`: like the fields of a form. */
  size?: 'medium' | 'large';
};

/** One of several values, under its label. */
export function Select({ label, size = 'medium', children, ...rest }: SelectProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={clsx('block', size === 'large' ? 'text-lg font-bold' : 'text-sm font-semibold')}>
        {label}
      </label>
      <select
        id={id}
        className={clsx(
          'w-full min-w-0 rounded-md border-2 border-edge bg-surface text-ink hover:border-ink',
          size === 'large' ? 'mt-3 min-h-13 px-3 text-lg' : 'mt-1 min-h-11 px-2',
        )}
        {...rest}
      >
        {children}
      </select>
    </div>
  );
}
