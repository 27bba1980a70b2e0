import Markdown from 'markdown-to-jsx/react';
import type { ReactElement, ReactNode } from 'react';
import { LocalLink } from '../../_ui/local-link.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { Code } from '../code.tsx';
import { addressOf, contentOf, type Guide } from './guides.ts';

type Element = { children?: ReactNode };

const LANGUAGES: Readonly<Record<string, string>> = { js: 'JavaScript', json: 'JSON', sh: 'Shell', py: 'Python' };

/** A guide with its title, in the design of the reference. */
export function GuideText({ guide }: { guide: Guide }) {
  const { title, body } = contentOf(guide);
  const link = ({ href = '', children }: Element & { href?: string }) => {
    const address = addressOf(href, guide);
    if (address === null) return children;
    const isPage = address.startsWith('/developers') && !address.startsWith('/developers/files/');
    return isPage ? (
      <LocalLink href={address} className={textLink}>
        {children}
      </LocalLink>
    ) : (
      <a href={address} className={textLink}>
        {children}
      </a>
    );
  };
  return (
    <>
      <h1 className="mt-4">{title}</h1>
      <Markdown options={{ overrides: { ...ELEMENTS, a: link }, disableParsingRawHTML: true, wrapper: null }}>
        {body}
      </Markdown>
    </>
  );
}

/** A block of code, whose language is in the class of the element inside. */
function Block({ children }: { children?: ReactElement<{ className?: string; children?: ReactNode }> }) {
  const { className = '', children: code } = children?.props ?? {};
  const [, language = ''] = /lang-(\w+)/.exec(className) ?? [];
  return (
    <div className="mt-4">
      <Code label={LANGUAGES[language] ?? 'Example'} code={String(code)} />
    </div>
  );
}

const InlineCode = ({ children }: Element) => (
  <code translate="no" className="rounded-sm bg-sunken px-1 font-mono text-[0.9em] break-words">
    {children}
  </code>
);

const Table = ({ children }: Element) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
  <div tabIndex={0} className="mt-4 overflow-x-auto">
    <table className="w-full border-collapse text-left">{children}</table>
  </div>
);

const classes = (className: string) => ({ props: { className } });

const ELEMENTS = {
  h2: classes('mt-10 scroll-mt-4'),
  h3: classes('mt-6 scroll-mt-4'),
  p: classes('mt-4'),
  ul: classes('mt-3 list-disc space-y-1 pl-6'),
  ol: classes('mt-3 list-decimal space-y-1 pl-6'),
  th: classes('border-b-2 border-ink py-2 pr-4 align-bottom text-sm font-semibold text-muted'),
  td: classes('border-b border-line py-2 pr-4 align-top'),
  pre: Block,
  code: InlineCode,
  table: Table,
};
