import { clsx } from 'clsx';

type NumberedWordsProps = { words: readonly string[]; label?: string; className?: string };

/** Numbered words of the BIP-39 list, excluded from the browser's translation. */
export function NumberedWords({ words, label, className }: NumberedWordsProps) {
  return (
    <ol aria-label={label} lang="en" translate="no" className={clsx('grid font-mono', className)}>
      {words.map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the number is what a word is
        <li key={index} className="border-b border-line py-1">
          <span className="inline-block w-9 text-muted tabular-nums">{index + 1}</span>
          {word}
        </li>
      ))}
    </ol>
  );
}
