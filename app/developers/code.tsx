import { clsx } from 'clsx';
import { type Copied, CopyButton } from '../_ui/copy-button.tsx';

type CodeProps = { label: string; code: string; wrap?: boolean; what?: Copied };

/** A block of code with its name. Long lines scroll inside it, or break if `wrap`. */
export function Code({ label, code, wrap = false, what = 'code' }: CodeProps) {
  return (
    <figure className="min-w-0 rounded-md border border-line bg-sunken">
      <figcaption className="flex min-h-11 items-center justify-between gap-2 border-b border-line pr-1 pl-4 text-sm font-semibold">
        {label}
        <CopyButton value={code} what={what} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        translate="no"
        className={clsx('max-h-[36rem] overflow-auto p-4 font-mono text-xs', wrap && 'whitespace-pre-wrap break-all')}
      >
        <code>{code}</code>
      </pre>
    </figure>
  );
}

/** Text with `code` in backquotes. */
export function Text({ children }: { children: string }) {
  return children.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text
      <code key={index} translate="no" className="rounded-sm bg-sunken px-1 font-mono text-[0.9em] break-words">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
