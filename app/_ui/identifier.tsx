import { clsx } from 'clsx';
import { type Copied, CopyButton } from './copy-button.tsx';
import { LocalLink } from './local-link.tsx';
import { textLink } from './text-link.ts';

type IdentifierProps = {
  /** The whole value: what is copied and printed. */
  value: string;
  what: Copied;
  /** Characters shown at each end; without it the whole value is shown, in groups. */
  keep?: number;
  /** The target of the link, if any. */
  href?: string | undefined;
  className?: string;
};

const GROUP = /.{1,8}/g;

/** A hash, key or id: monospaced, shortened or grouped, with a copy button; whole in print. */
export function Identifier({ value, what, keep, href, className }: IdentifierProps) {
  const short = keep !== undefined && value.length > 2 * keep + 1;
  const code = (
    <code className="min-w-0 font-mono text-[0.9375em]" translate="no">
      {short && (
        <span className="whitespace-nowrap max-[25rem]:break-all max-[25rem]:whitespace-normal print:hidden">
          {value.slice(0, keep)}…{value.slice(-keep)}
        </span>
      )}
      <span
        className={
          short
            ? 'hidden break-all print:inline'
            : 'grid grid-cols-[repeat(2,max-content)] gap-x-[1ch] text-[0.95em] sm:grid-cols-[repeat(4,max-content)]'
        }
      >
        {short ? value : [...value.matchAll(GROUP)].map(({ 0: group, index }) => <span key={index}>{group}</span>)}
      </span>
    </code>
  );
  return (
    <span className={clsx('inline-flex max-w-full items-center gap-1', className)}>
      {href ? (
        <LocalLink href={href} className={textLink}>
          {code}
        </LocalLink>
      ) : (
        code
      )}
      <CopyButton value={value} what={what} />
    </span>
  );
}
