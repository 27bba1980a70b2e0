'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Failure } from '../_trpc/failure.ts';
import { Refused } from '../_trpc/refused.tsx';
import { Button } from '../_ui/button.tsx';
import { deferred } from '../_ui/deferred.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { textLink } from '../_ui/text-link.ts';
import { useSession } from './session.tsx';

const Picture = deferred(
  async () => (await import('../_ui/pictures/locked.tsx')).Locked,
  <div className="aspect-3/2 w-44 max-w-full shrink-0" />,
);

type LockedProps = {
  title: string;
  /** What is there. */
  what: string;
  action: string;
  busy?: boolean;
  failure: Failure | null | undefined;
  onOpen: () => void;
  /** One row of what appears then, without its content. */
  row: ReactNode;
};

/** Takes the place of what only the key of the current identity can show: what is there, what opens it, and who helps. */
export function Locked({ title, what, action, busy = false, failure, onOpen, row }: LockedProps) {
  const t = useTranslations('session');
  const { current, isOpen } = useSession();
  return (
    <div className="max-w-prose space-y-5">
      <Refused failure={failure} />
      <section className="rounded-lg border border-line bg-surface p-5 sm:flex sm:items-center sm:gap-7 sm:p-7">
        <Picture className="mx-auto w-44 shrink-0" />
        <div className="mt-3 min-w-0 space-y-3 sm:mt-0">
          <h2 className="text-xl">{title}</h2>
          <p>{what}</p>
          <Button size="large" className="max-sm:w-full" onClick={onOpen} busy={busy}>
            {action}
          </Button>
          {current && !isOpen && (
            <p className="text-sm text-muted">
              {t(current.passkey ? 'locked.passkey' : 'locked.passphrase')} {t('locked.cannot')}{' '}
              <LocalLink href={`/sign-in/bring?domain=${encodeURIComponent(current.domain)}`} className={textLink}>
                {t('unlock.otherWay')}
              </LocalLink>
            </p>
          )}
        </div>
      </section>
      <div aria-hidden className="space-y-4 px-5 mask-b-from-20% select-none sm:px-7 print:hidden">
        {row}
        {row}
        {row}
      </div>
    </div>
  );
}

/** The outline of a line of text. */
export const Line = ({ className }: { className: string }) => (
  <span className={`block rounded-sm bg-line ${className}`} />
);
