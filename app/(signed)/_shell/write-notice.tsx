'use client';

import { CircleCheck, X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../../server/http/trpc/router.ts';
import type { Tracked } from '../../_session/write.tsx';
import { Button } from '../../_ui/button.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useOperationLabel } from '../../_ui/use-operation-label.ts';

const FINAL_SHOWN_MS = 6_000;

type WriteProps = { write: Tracked; status: Answers['progress'][number]['status']; onDone: (id: string) => void };

/** What has been done; it disappears a little after it is final. On phones only the latest is shown. */
export function Write({ write: { id, function: functionName }, status, onDone }: WriteProps) {
  const t = useTranslations('session');
  const labelOf = useOperationLabel();
  const isFinal = status === 'FINAL';

  useEffect(() => {
    if (!isFinal) return;
    const timer = setTimeout(() => onDone(id), FINAL_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isFinal, id, onDone]);

  return (
    <li className="flex min-w-0 items-center gap-3 py-1 max-lg:not-first:hidden">
      <CircleCheck aria-hidden className="size-6 shrink-0 text-accent" />
      <p className="min-w-0 grow">
        <span className="block font-semibold">{labelOf(functionName)}</span>
        <LocalLink href={`/explore/${id}`} className={`${textLink} text-sm`}>
          {t('progress.see')}
        </LocalLink>
      </p>
      <Button look="quiet" size="icon" aria-label={t('progress.dismiss')} onClick={() => onDone(id)}>
        <X aria-hidden />
      </Button>
    </li>
  );
}
