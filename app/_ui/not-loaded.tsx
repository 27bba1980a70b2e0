'use client';

import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';

/** `again`: it has failed before, so reloading the page is offered too. */
type NotLoadedProps = { again: boolean; onRetry: () => void; onCancel?: (() => void) | undefined };

/** Takes the place of a part of the page that could not be loaded. */
export function NotLoaded({ again, onRetry, onCancel }: NotLoadedProps) {
  const t = useTranslations('common.notLoaded');
  return (
    <div role="alert">
      <Alert tone="caution" title={t('title')}>
        <p>{t(again ? 'again' : 'body')}</p>
        <div className="mt-3 flex flex-wrap gap-3">
          <Button onClick={onRetry}>{t('retry')}</Button>
          {again && <ReloadButton look="secondary" />}
          {onCancel && (
            <Button look="secondary" onClick={onCancel}>
              {t('cancel')}
            </Button>
          )}
        </div>
      </Alert>
    </div>
  );
}

/** For where only the page as a whole can be loaded again. */
export function ReloadButton({ look }: Pick<ComponentProps<typeof Button>, 'look'>) {
  const t = useTranslations('common.notLoaded');
  return (
    <Button look={look} onClick={() => location.reload()}>
      {t('reload')}
    </Button>
  );
}

/** The same above the page, and above a dialog that waits for the part. */
export function NotLoadedDialog({ onCancel, ...rest }: NotLoadedProps & { onCancel: () => void }) {
  const t = useTranslations('common.notLoaded');
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label={t('title')}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
      className="m-auto w-[min(36rem,92vw)] rounded-lg border border-line bg-surface p-4 text-ink backdrop:bg-scrim"
    >
      <NotLoaded {...rest} onCancel={onCancel} />
    </dialog>
  );
}
