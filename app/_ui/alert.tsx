import { clsx } from 'clsx';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const TONES = {
  info: { look: 'border-accent bg-accent-soft text-ink', Icon: Info },
  caution: { look: 'border-caution-edge bg-caution-soft text-caution-ink', Icon: TriangleAlert },
  danger: { look: 'border-danger-edge bg-danger-soft text-danger-ink', Icon: CircleAlert },
};

type AlertProps = { tone?: keyof typeof TONES; title?: ReactNode; children: ReactNode; className?: string };

/** A message box. A live region around it announces its content. */
export function Alert({ tone = 'info', title, children, className }: AlertProps) {
  const { look, Icon } = TONES[tone];
  return (
    <div
      className={clsx(
        'flex gap-3 rounded-md border-l-4 px-4 py-3 [&>svg]:mt-1 [&>svg]:size-5 [&>svg]:shrink-0',
        look,
        className,
      )}
    >
      <Icon aria-hidden />
      <div className="min-w-0">
        {title && <p className="font-bold">{title}</p>}
        {children}
      </div>
    </div>
  );
}
