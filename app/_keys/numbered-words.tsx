import { clsx } from 'clsx';

type NumberedWordsProps = { words: readonly string[]; label?: string; className?: string };

/** Words of the BIP-39 list with their numbers; no translator of a browser may touch them. */
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
