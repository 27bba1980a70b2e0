'use client';

import { CircleAlert } from 'lucide-react';
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { useTranslations } from 'use-intl/react';

const BOX =
  'w-full min-w-0 rounded-md border-2 border-edge bg-surface text-lg text-ink placeholder:text-muted hover:border-ink aria-invalid:border-danger-edge';

type FieldProps = Omit<ComponentProps<'input'>, 'children' | 'onChange'> & {
  /** The longest text that may be sent, in UTF-16 code units. A longer one is not cut: its form cannot be submitted. */
  limit?: number;
  /** For a text of several lines: how many are shown at first. */
  rows?: number;
  /** Receives the text; also called for what was typed before the scripts ran. */
  onType?: (text: string) => void;
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** Is placed at the end of the row, such as the submit button. */
  action?: ReactNode;
};

/** A text input with label, hint and error, connected for screen readers. */
export function Field(props: FieldProps) {
  const { label, hint, error: problem, action, id: given, ref, onType, limit, rows, ...input } = props;
  const t = useTranslations('common');
  const own = useId();
  const id = given ?? own;
  const element = useRef<HTMLInputElement | HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => element.current as HTMLInputElement, []);

  const over = limit === undefined ? 0 : Math.max(0, String(input.value ?? '').trim().length - limit);
  const error = over > 0 ? t('tooLong', { over, limit: limit ?? 0 }) : problem;
  const isTooLong = over > 0;
  useEffect(() => {
    const form = element.current?.form;
    if (!isTooLong || !form) return;
    const stop = (event: SubmitEvent) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      element.current?.focus();
    };
    form.addEventListener('submit', stop, { capture: true });
    return () => form.removeEventListener('submit', stop, { capture: true });
  }, [isTooLong]);

  // Hydration keeps the text of a field without calling onChange.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the field is taken over
  useLayoutEffect(() => {
    const text = element.current?.value ?? '';
    if (input.value !== undefined && text !== input.value) onType?.(text);
  }, []);

  const described = {
    id,
    'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
    'aria-invalid': error ? true : undefined,
  };
  return (
    <div>
      <label htmlFor={id} className="block text-lg font-bold">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-2 flex gap-2 font-semibold text-danger-ink">
          <CircleAlert aria-hidden className="mt-1 size-5 shrink-0" />
          <span>{error}</span>
        </p>
      )}
      <div className="mt-3 flex flex-col gap-3 sm:flex-row">
        {rows === undefined ? (
          <input
            ref={element as RefObject<HTMLInputElement>}
            onChange={onType && ((event) => onType(event.target.value))}
            className={`min-h-13 grow px-4 ${BOX}`}
            {...described}
            {...input}
          />
        ) : (
          <textarea
            ref={element as RefObject<HTMLTextAreaElement>}
            onChange={onType && ((event) => onType(event.target.value))}
            className={`field-sizing-content max-h-144 min-h-28 px-4 py-3 ${BOX}`}
            rows={rows}
            value={input.value}
            autoComplete={input.autoComplete}
            {...described}
          />
        )}
        {action}
      </div>
    </div>
  );
}
