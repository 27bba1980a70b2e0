import { Button } from './button.tsx';

export interface BrokenText {
  readonly title: string;
  readonly body: string;
  /** The label of the reference under which the server logged the failure. */
  readonly reference: string;
  readonly retry: string;
  /** For a page whose parts are those of an older release, if it has a text for that. */
  readonly updated?: { readonly title: string; readonly body: string; readonly reload: string };
}

/** Whether a part of the page could not be loaded, as after a new release. */
const isOutdated = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'ChunkLoadError' || /dynamically imported module/i.test(error.message));

/** The page for an unexpected failure, with the reference under which the server logged it. */
export function Broken({ text, error, retry }: { text: BrokenText; error: unknown; retry: () => void }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null;
  const updated = isOutdated(error) ? text.updated : undefined;
  return (
    <div className="page py-16 sm:py-24">
      <h1>{updated?.title ?? text.title}</h1>
      <p className="mt-4 max-w-form text-lg text-muted">{updated?.body ?? text.body}</p>
      {digest && (
        <p className="mt-4">
          {text.reference} <code className="font-mono font-semibold">{digest}</code>
        </p>
      )}
      <Button className="mt-8" onClick={isOutdated(error) ? () => location.reload() : retry}>
        {updated?.reload ?? text.retry}
      </Button>
    </div>
  );
}
