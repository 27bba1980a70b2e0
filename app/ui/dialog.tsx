'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from './button.tsx';

type DialogProps = {
  title: ReactNode;
  description?: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

/** A question in front of the page: at the bottom of a phone, in the middle of a larger screen. Open as long as it is rendered. */
export function Dialog({ title, description, onClose, children }: DialogProps) {
  const t = useTranslations('common');
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-20 bg-black/60" />
        <Radix.Content
          {...(!description && { 'aria-describedby': undefined })}
          className="fixed inset-x-0 bottom-0 z-20 max-h-[92svh] overflow-y-auto rounded-t-lg border border-line bg-surface p-5 pb-8 sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[min(36rem,92vw)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg sm:p-7"
        >
          <div className="flex items-start justify-between gap-4">
            <Radix.Title className="text-xl font-bold">{title}</Radix.Title>
            <Radix.Close asChild>
              <Button look="quiet" size="icon" className="-mt-2 -mr-2" aria-label={t('close')}>
                <X aria-hidden />
              </Button>
            </Radix.Close>
          </div>
          {description && <Radix.Description className="mt-1 mb-5 text-muted">{description}</Radix.Description>}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
