'use client';

import { X } from 'lucide-react';
import { type MouseEvent, type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from './button.tsx';

type DialogProps = {
  title: ReactNode;
  description?: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

/**
 * A modal dialog: at the bottom of a phone, centred on larger screens; open while it is rendered. The native element traps and
 * restores the focus, and needs no inline style, which the content security policy forbids.
 */
export function Dialog({ title, description, onClose, children }: DialogProps) {
  const t = useTranslations('common');
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  // Before the effects of the content, which may move the focus to a field; its end runs while the element is still there.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    heading.current?.focus();
    return () => shown?.close();
  }, []);

  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose();
  };
  const pressBeside = (event: MouseEvent) => event.target === event.currentTarget && onClose();

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: on the keyboard it is Escape, which arrives as a cancel event
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={cancel}
      onClick={pressBeside}
      className="mx-0 mt-auto mb-0 max-h-[92svh] w-full max-w-full overflow-y-auto rounded-t-lg border border-line bg-surface text-ink backdrop:bg-scrim sm:m-auto sm:w-[min(36rem,92vw)] sm:rounded-lg"
    >
      <div className="p-5 pb-8 sm:p-7">
        <div className="flex items-start justify-between gap-4">
          <h2 ref={heading} id={`${id}-title`} tabIndex={-1} className="focus:outline-none">
            {title}
          </h2>
          <Button look="quiet" size="icon" className="-mt-2 -mr-2" aria-label={t('close')} onClick={onClose}>
            <X aria-hidden />
          </Button>
        </div>
        {description && (
          <p id={`${id}-description`} className="mt-1 mb-5 text-muted">
            {description}
          </p>
        )}
        {children}
      </div>
    </dialog>
  );
}
