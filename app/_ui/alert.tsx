import { cva, type VariantProps } from 'class-variance-authority';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const alert = cva('flex gap-3 rounded-md border-l-4 px-4 py-3 [&>svg]:mt-1 [&>svg]:size-5 [&>svg]:shrink-0', {
  variants: {
    tone: {
      info: 'border-accent bg-accent-soft text-ink',
      caution: 'border-caution-edge bg-caution-soft text-caution-ink',
      danger: 'border-danger-edge bg-danger-soft text-danger-ink',
    },
  },
  defaultVariants: { tone: 'info' },
});

const ICONS = { info: Info, caution: TriangleAlert, danger: CircleAlert };

type AlertProps = VariantProps<typeof alert> & { title?: ReactNode; children: ReactNode; className?: string };

/** A message box. A live region around it announces its content. */
export function Alert({ tone, title, children, className }: AlertProps) {
  const Icon = ICONS[tone ?? 'info'];
  return (
    <div className={alert({ tone, className })}>
      <Icon aria-hidden />
      <div className="min-w-0">
        {title && <p className="font-bold">{title}</p>}
        {children}
      </div>
    </div>
  );
}
