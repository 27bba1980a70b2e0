import { clsx } from 'clsx';
import { ArrowRight, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { LocalLink } from './local-link.tsx';

const TONES = { danger: 'text-danger-ink', caution: 'text-caution-ink', muted: 'text-muted' } as const;

export type MatterTone = keyof typeof TONES;

type MatterProps = {
  icon: LucideIcon;
  tone: MatterTone;
  title: ReactNode;
  /** Between the title and the text. */
  mark?: ReactNode;
  action: string;
  href: string;
  children: ReactNode;
};

/** The box around matters. */
export function Matters({ children }: { children: ReactNode }) {
  return <ol className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">{children}</ol>;
}

/** Something that needs attention, with the page where it is settled. */
export function Matter({ icon: Icon, tone, title, mark, action, href, children }: MatterProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 p-4 max-[16rem]:flex-col max-[16rem]:items-stretch sm:flex-nowrap sm:p-5">
      <Icon aria-hidden className={clsx('mt-0.5 size-6 shrink-0', TONES[tone])} />
      <div className="min-w-0 flex-1">
        <h3 className="text-lg break-words">{title}</h3>
        {mark}
        <p>{children}</p>
      </div>
      <Button asChild look="secondary" className="w-full sm:w-auto">
        <LocalLink href={href}>
          {action}
          <ArrowRight aria-hidden />
        </LocalLink>
      </Button>
    </li>
  );
}
