import { CopyButton } from './copy-button.tsx';

/** What the person may send to somebody, in their own way. */
export function SentenceToCopy({ children }: { children: string }) {
  return (
    <div className="flex items-center justify-between gap-2 rounded-lg border border-line bg-surface py-2 pr-2 pl-4">
      <p className="min-w-0 break-words">{children}</p>
      <CopyButton value={children} what="sentence" />
    </div>
  );
}
