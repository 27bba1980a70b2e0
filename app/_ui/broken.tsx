import { Button } from './button.tsx';

export interface BrokenText {
  readonly title: string;
  readonly body: string;
  /** The label of the reference under which the server logged the failure. */
  readonly reference: string;
  readonly retry: string;
}

/** The page for an unexpected failure, with the reference under which the server logged it. */
export function Broken({ text, error, retry }: { text: BrokenText; error: unknown; retry: () => void }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null;
  return (
    <div className="page py-16 sm:py-24">
      <h1>{text.title}</h1>
      <p className="mt-4 max-w-form text-lg text-muted">{text.body}</p>
      {digest && (
        <p className="mt-4">
          {text.reference} <code className="font-mono font-semibold">{digest}</code>
        </p>
      )}
      <Button className="mt-8" onClick={retry}>
        {text.retry}
      </Button>
    </div>
  );
}
